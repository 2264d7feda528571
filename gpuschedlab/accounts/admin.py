from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.utils.translation import gettext_lazy as _

from gpuschedlab.accounts.models import Participant, User


@admin.register(User)
class SiteUserAdmin(UserAdmin):
    list_display = ("username", "email", "role", "is_staff", "date_joined")
    list_filter = ("role", "is_staff", "is_active")
    fieldsets = (*(UserAdmin.fieldsets or ()), (_("On this site"), {"fields": ("role",)}))


@admin.register(Participant)
class ParticipantAdmin(admin.ModelAdmin):
    list_display = ("id", "user", "name", "language", "created_at", "seen_at")
    search_fields = ("name", "user__username")
    raw_id_fields = ("user",)
