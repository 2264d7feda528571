from django.urls import path

from gpuschedlab.accounts import my_data, passwords, people, views

app_name = "accounts"
urlpatterns = [
    path("sign-up/", views.sign_up, name="sign_up"),
    path("log-in/", views.log_in, name="log_in"),
    path("log-out/", views.log_out, name="log_out"),
    path("merge/", views.merge, name="merge"),
    path("preferences/", views.preferences, name="preferences"),
    path("my-data/", my_data.my_data, name="my_data"),
    path("my-data/export/", my_data.my_data_export, name="my_data_export"),
    path("my-data/delete/", my_data.my_data_delete, name="my_data_delete"),
    path("people/", people.people, name="people"),
    path("people/invite/", people.invite, name="invite"),
    path("people/invitations/<int:invitation_id>/revoke/", people.uninvite, name="uninvite"),
    path("people/<int:user_id>/role/", people.set_role, name="set_role"),
    path("invitation/<str:token>/", people.invitation, name="invitation"),
    path("audit/", people.audit, name="audit"),
    path("password/change/", passwords.password_change, name="password_change"),
    path("password/", passwords.password_reset, name="password_reset"),
    path("password/sent/", passwords.password_reset_sent, name="password_reset_sent"),
    path("password/<uidb64>/<token>/", passwords.password_reset_confirm, name="password_reset_confirm"),
    path("password/done/", passwords.password_reset_done, name="password_reset_done"),
]
