"""Questions, quizzes and lessons as their authors see them: forms, what is wrong, what differs, how it looks."""
