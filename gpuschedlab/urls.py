"""The site's addresses."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from gpuschedlab.web import views
from gpuschedlab.web.jobs import views as job_views
from gpuschedlab.web.jscatalogue import js_catalogue

# One log-in for all, with its limits: the admin's own has none.
admin.site.login = RedirectView.as_view(pattern_name="accounts:log_in", query_string=True)  # type: ignore[assignment,method-assign]

urlpatterns = [
    path("", views.home, name="home"),
    path("favicon.ico", views.favicon),
    path("health/", views.health, name="health"),
    path("runs/<uuid:run_id>/", job_views.run_detail, name="run_detail"),
    path("runs/<uuid:run_id>/stop/", job_views.run_stop, name="run_stop"),
    path("sentences/<str:language>/<str:version>.js", js_catalogue, name="js_catalogue"),
    path("accounts/", include("gpuschedlab.accounts.urls")),
    path("materials/", include("gpuschedlab.materials.urls")),
    path("admin/", admin.site.urls),
    path("", include("simulator.urls")),
    path("", include("lessons.urls")),
]

handler400 = "gpuschedlab.web.errors.bad_request"
handler403 = "gpuschedlab.web.errors.permission_denied"
handler404 = "gpuschedlab.web.errors.page_not_found"
handler500 = "gpuschedlab.web.errors.server_error"
