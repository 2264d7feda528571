"""Sentences about topology texts: why one cannot be read, what is odd in one that can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from simulator.manifests.topology import errors

if TYPE_CHECKING:
    from simulator.engine.fabric.from_matrix import Finding
    from simulator.manifests.topology import TopologyError, TopologyWarning


def topology_error_text(error: TopologyError) -> str:
    """What is wrong with the text and what to do."""
    sentences = {
        errors.EMPTY: _("There is no text. Paste the output of nvidia-smi topo -m (or npu-smi, rocm-smi)."),
        errors.NOT_TEXT: _("This is binary data, not text. Save the command's output as a text file."),
        errors.TOO_LARGE: _("The text has %(found)s bytes; at most %(limit)s are read. Cut it down to the matrix."),
        errors.TOO_MANY_LINES: _(
            "The text has %(found)s lines; at most %(limit)s are read. Cut it down to the matrix."
        ),
        errors.TOO_MANY_DEVICES: _("The matrix has %(found)s columns; at most %(limit)s are read."),
        errors.UNRECOGNISED: _(
            "Line %(line)s (%(text)s): neither a device matrix nor a link table was found. Known are the outputs of "
            "nvidia-smi topo -m, nvidia-smi nvlink --status, rocm-smi --showtopo and npu-smi info -t topo."
        ),
        errors.NO_MATRIX: _(
            "There is no device matrix here, so the distances between the GPUs are not known. "
            "Use the output of nvidia-smi topo -m or npu-smi info -t topo."
        ),
        errors.NO_SWITCH: _(
            "A link status tells which NVLinks are up. It can only be put on a node whose machine has an NVSwitch: "
            "choose such a node, or paste its matrix first."
        ),
    }
    return sentences[error.code] % error.params


def topology_warning_text(warning: TopologyWarning) -> str:
    """What is damaged or odd at this place."""
    sentences = {
        "truncated_row": _("Row %(row)s ends early: %(column)s is not complete."),
        "missing_row": _("There is a column %(row)s, but no row of that name."),
        "asymmetric": _("%(row)s and %(column)s see each other differently; the worse link is taken."),
        "glued_header": _("%(column)s runs into the next name in the header line."),
        "glued_cell": _("In row %(row)s the cell %(column)s runs into the next one."),
        "glued_affinity": _("In row %(row)s the text of %(column)s runs into the next one."),
        "missing_affinity": _("Row %(row)s: %(column)s is blank."),
        "uneven_nvlink": _("%(row)s has fewer NVLinks than the others: a link may be down."),
        "unknown_cell": _("Row %(row)s, %(column)s: the text is no known cell."),
        "legend_damaged": _("The legend does not tell which device %(row)s is."),
    }
    return sentences[warning.code] % {"row": warning.row, "column": warning.column}


def machine_finding_text(finding: Finding) -> str:
    """What is odd about the machine that a matrix describes."""
    sentences = {
        "unknown_pair": _("No row tells how far %(devices)s are apart; the farthest distance is assumed."),
        "numa_from_cells": _("The affinity columns do not tell the NUMA nodes of %(devices)s; the cells do."),
        "gpu_off_fabric": _("%(devices)s has no NVLink although all the others are linked: it fell off the fabric."),
        "uneven_links": _("%(devices)s: fewer NVLinks than the other GPUs."),
    }
    return sentences[finding.code] % {"devices": ", ".join(finding.devices)}
