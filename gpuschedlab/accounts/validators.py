"""What a password has to be, where Django has no Chinese sentence for it."""

from __future__ import annotations

from django.contrib.auth import password_validation
from django.utils.translation import ngettext


class MinimumLengthValidator(password_validation.MinimumLengthValidator):
    """Django's own; its refusal has no Chinese translation there since 5.2."""

    def get_error_message(self) -> str:
        text = ngettext(
            "The password is too short: it needs at least %(n)d character.",
            "The password is too short: it needs at least %(n)d characters.",
            self.min_length,
        )
        return text % {"n": self.min_length}
