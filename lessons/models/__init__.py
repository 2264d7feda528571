"""What lessons store: lessons and the glossary, the question bank and quizzes, attempts, and how far somebody is."""

from lessons.models.attempts import Answer, Attempt, Grading, Regrade, Slot
from lessons.models.lessons import Lesson, LessonRevision, Term
from lessons.models.progress import LessonState, QuestionState
from lessons.models.questions import Question, QuestionRevision, Quiz, QuizRevision

__all__ = [
    "Answer",
    "Attempt",
    "Grading",
    "Lesson",
    "LessonRevision",
    "LessonState",
    "Question",
    "QuestionRevision",
    "QuestionState",
    "Quiz",
    "QuizRevision",
    "Regrade",
    "Slot",
    "Term",
]
