"""Files that come in and go out: single texts, and zips of many. A zip is never believed about its sizes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Final

from django.utils.translation import gettext as _

from gpuschedlab.web.errors import BadInput

MOST_FILES: Final = 100
MOST_BYTES: Final = 8 * 1024 * 1024  # of all files of a zip together
MOST_FILE: Final = 1024 * 1024
MOST_NAME: Final = 200
ZIP: Final = b"PK\x03\x04"
EMPTY_ZIP: Final = b"PK\x05\x06"


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file that came in: its bare name, and its text; `problem` says why there is none."""

    name: str
    text: str = ""
    problem: str = ""


def incoming(name: str, upload: IO[bytes]) -> list[Incoming]:
    """The texts of an upload, of a zip all of them. Raises BadInput for a zip that is refused as a whole."""
    data = upload.read(MOST_BYTES + 1)
    if data[:4] in {ZIP, EMPTY_ZIP}:
        return list(_of_zip(data))
    return [_one(_bare(name), data)]


def _of_zip(data: bytes) -> Iterator[Incoming]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise BadInput(_("The zip file is damaged. Make it anew.")) from error
    with archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir() and not _is_hidden(entry.filename)]
        if len(entries) > MOST_FILES:
            raise BadInput(_("The zip file holds more than %(most)s files. Split it.") % {"most": MOST_FILES})
        left = MOST_BYTES
        for entry in entries:
            content, problem = _content(archive, entry, min(left, MOST_FILE))
            left -= len(content)
            if left <= 0:
                raise BadInput(_("Unpacked, the files have more than %(most)s MB.") % {"most": MOST_BYTES // 2**20})
            yield Incoming(_bare(entry.filename), problem=problem) if problem else _one(_bare(entry.filename), content)


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> tuple[bytes, str]:
    """What a file of a zip holds, never more than `most` and a byte of it; or why it cannot be read."""
    if entry.flag_bits & 1:
        return b"", _("It is encrypted.")
    try:
        with archive.open(entry) as opened:
            content = opened.read(most + 1)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError):
        return b"", _("It is damaged.")
    except Exception as error:  # noqa: BLE001 (zlib.error, lzma.LZMAError and their kin have no common name)
        return b"", _("It cannot be unpacked: %(error)s.") % {"error": type(error).__name__}
    return content, ""


def _one(name: str, data: bytes) -> Incoming:
    if len(data) > MOST_FILE:
        return Incoming(name, problem=_("It has more than %(most)s KB.") % {"most": MOST_FILE // 1024})
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Incoming(name, problem=_("It is not UTF-8 text. Save it as UTF-8."))
    if "\0" in text:
        return Incoming(name, problem=_("It is no text."))
    return Incoming(name, text)


def _bare(name: str) -> str:
    """A file's own name: what is told of it, never where anything is stored."""
    return name.replace("\\", "/").rpartition("/")[2][:MOST_NAME] or "?"


def _is_hidden(name: str) -> bool:
    """What systems put into zips beside the files."""
    return any(part.startswith((".", "__MACOSX")) for part in name.replace("\\", "/").split("/"))


def zipped(files: Iterable[tuple[str, str]]) -> bytes:
    """A zip of texts; of two files with one name the second gets a number."""
    buffer = io.BytesIO()
    taken: set[str] = set()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            stem, _dot, suffix = name.rpartition(".")
            number, free = 2, name
            while free in taken:
                free, number = f"{stem}-{number}.{suffix}", number + 1
            taken.add(free)
            archive.writestr(free, text)
    return buffer.getvalue()
