"""What accounts put on the frame's pages, and what of theirs the audit log tells."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from gpuschedlab.accounts.rules import is_administrator
from gpuschedlab.web.audit import register_audit_actions
from gpuschedlab.web.home import NavEntry, register_nav

register_nav(NavEntry(_("People"), "accounts:people", order=80, visible_to=is_administrator))
register_audit_actions(
    {
        "accounts.administrator_made": _("made %(subject)s an administrator"),
        "accounts.invited": _("made an invitation (%(subject)s), valid for %(days)s days"),
        "accounts.invitation_revoked": _("took the invitation back: %(subject)s"),
        "accounts.joined": _("followed an invitation (%(note)s) and became an instructor as %(subject)s"),
        "accounts.role_changed": _("changed the role of %(subject)s from %(before)s to %(after)s"),
    }
)
