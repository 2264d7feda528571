"""What materials put on the frame's pages, and what participants own of them."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from gpuschedlab.accounts.merging import Belongings, register_belongings
from gpuschedlab.materials.rules import can_write
from gpuschedlab.materials.selectors import draft_list
from gpuschedlab.materials.services import drafts_move
from gpuschedlab.web.home import NavEntry, register_nav

register_nav(NavEntry(_("My materials"), "materials:workbench", order=55, visible_to=can_write))
register_belongings(
    Belongings(
        name=_("materials"),
        count=lambda participant: draft_list(viewer=participant).count(),
        move=drafts_move,
        key="materials",
        export=lambda participant: [
            {"kind": one.kind, "name": one.name, "published": one.published, "text": one.text}
            for one in draft_list(viewer=participant)
        ],
    )
)
