from django.urls import path

from gpuschedlab.accounts import views

app_name = "accounts"
urlpatterns = [
    path("sign-up/", views.sign_up, name="sign_up"),
    path("log-in/", views.log_in, name="log_in"),
    path("log-out/", views.log_out, name="log_out"),
    path("merge/", views.merge, name="merge"),
    path("preferences/", views.preferences, name="preferences"),
]
