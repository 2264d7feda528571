"""The addresses of the lessons' pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import path

from lessons.views import authoring, lessons, questions, quizzes, records, reviews, teaching

if TYPE_CHECKING:
    from django.urls import URLPattern, URLResolver

app_name = "lessons"
urlpatterns: list[URLPattern | URLResolver] = [
    path("lessons/", lessons.course, name="course"),
    path("lessons/<slug:slug>/", lessons.lesson_detail, name="lesson_detail"),
    path("lessons/<slug:slug>/seen/", lessons.lesson_mark, name="lesson_mark"),
    path("lessons/<slug:slug>/checks/<slug:question>/", lessons.lesson_check, name="lesson_check"),
    path("lessons/<slug:slug>/scenes/<slug:scene>/", lessons.lesson_scene, name="lesson_scene"),
    path("glossary/", lessons.glossary, name="glossary"),
    path("quizzes/", quizzes.quizzes, name="quizzes"),
    path("quizzes/<slug:slug>/", quizzes.quiz_detail, name="quiz_detail"),
    path("quizzes/<slug:slug>/start/", quizzes.quiz_start, name="quiz_start"),
    path("attempts/<uuid:attempt_id>/", quizzes.attempt_detail, name="attempt_detail"),
    path("attempts/<uuid:attempt_id>/finish/", quizzes.attempt_hand_in, name="attempt_hand_in"),
    path("attempts/<uuid:attempt_id>/<int:number>/", quizzes.attempt_question, name="attempt_question"),
    path("attempts/<uuid:attempt_id>/<int:number>/save/", quizzes.attempt_autosave, name="attempt_autosave"),
    path("questions/<slug:slug>/", questions.question_detail, name="question_detail"),
    path("practice/<slug:subject>/", questions.practice_detail, name="practice_detail"),
    path("review/", reviews.review, name="review"),
    path("review/<slug:slug>/", reviews.review_question, name="review_question"),
    path("teaching/", teaching.figures, name="figures"),
    path("teaching/questions/<slug:slug>/", teaching.question_figures, name="question_figures"),
    path("teaching/questions/<slug:slug>/regrade/", teaching.question_regrade, name="question_regrade"),
    path("teaching/gift/", teaching.gift, name="gift"),
    path("teaching/gift/<slug:slug>/", teaching.gift_export, name="gift_export"),
    path("materials/<uuid:draft_id>/beside/", authoring.beside, name="draft_beside"),
    path("materials/<uuid:draft_id>/bank/", authoring.bank, name="draft_bank"),
    path("materials/<uuid:draft_id>/scene/", authoring.scene, name="draft_scene"),
    path("materials/<uuid:draft_id>/check/", authoring.check, name="draft_check"),
    path("progress/", records.progress, name="progress"),
]
