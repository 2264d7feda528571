"""What in a page could run a script that is not the site's own."""

from __future__ import annotations

from html.parser import HTMLParser

FOREIGN = frozenset({"iframe", "object", "embed", "applet", "base", "frame", "math", "foreignobject"})
ADDRESSES = frozenset({"href", "src", "action", "formaction", "xlink:href", "data", "poster", "srcdoc", "background"})
DATA = frozenset({"application/json", "importmap"})
HTMX = ("hx-on", "hx-vals", "data-hx-on")

VECTORS = (
    "<script>window.hacked=1</script>",
    '"><img src=x onerror=window.hacked=1>',
    "'><svg/onload=window.hacked=1>",
    "</script><script>window.hacked=1</script>",
    "</textarea></title></style><img src=x onerror=window.hacked=1>",
    "[x](javascript:window.hacked=1) ![x](javascript:window.hacked=1)",
    "[x](java\tscript:window.hacked=1) [y](data:text/html;base64,PHNjcmlwdD4=)",
    '<a href="&#106;avascript:window.hacked=1" onclick=window.hacked=1>x</a>',
    '![x](x"onerror="window.hacked=1) [x](x "onmouseover=window.hacked=1")',
    '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
    "<!--><img src=x onerror=window.hacked=1>-->",
    "<div hx-get=/ hx-trigger=load hx-on::load=window.hacked=1>",
    "{{ 7|add:7 }}{% load static %}",
)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag in FOREIGN:
            self.found.append(f"<{tag}>")
        if tag == "script" and not values.get("nonce") and values.get("type") not in DATA:
            self.found.append(f"<script {values}>")
        for name, value in values.items():
            scheme = "".join(value.split()).lower()
            if name.startswith("on") or name.startswith(HTMX):
                self.found.append(f"{tag} {name}")
            if name in ADDRESSES and scheme.startswith(("javascript:", "vbscript:", "data:text")):
                self.found.append(f"{tag} {name}={value}")
            if tag == "img" and name == "src" and not value.startswith(("/", "data:image/")):
                self.found.append(f"img src={value}")


def dangers(html: str) -> list[str]:
    """What of a page a browser might run, or fetch, that no template of the site holds."""
    reader = _Reader()
    reader.feed(html.replace("<!-->", "<!---->").replace("<!--->", "<!---->"))  # as browsers read it
    reader.close()
    return reader.found
