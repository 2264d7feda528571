"""Read topology texts of GPU machines and print what they tell."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from simulator.manifests.topology import Reading, TopologyError, read_topology
from simulator.manifests.topology.text import MAX_BYTES
from simulator.presenters.topology import topology_error_text, topology_warning_text

if TYPE_CHECKING:
    from argparse import ArgumentParser

STDIN = "-"


class Command(BaseCommand):
    help = (
        "Read the output of nvidia-smi topo -m, nvidia-smi nvlink --status, rocm-smi --showtopo or "
        "npu-smi info -t topo from files (- is standard input)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("-o", "--output", choices=["text", "json"], default="text")

    def handle(self, *_args: Any, files: list[str], output: str, **_options: Any) -> None:
        readings: list[tuple[str, Reading]] = []
        failed = 0
        for file in files:
            try:
                readings.append((Path(file).name, read_topology(_content(file))))
            except TopologyError as error:
                failed += 1
                self.stderr.write(f"{file}: {topology_error_text(error)}")
            except OSError as error:
                failed += 1
                self.stderr.write(f"{file}: {error.strerror}")
        if output == "json":
            mappings = [reading.to_mapping(name) for name, reading in readings]
            self.stdout.write(json.dumps(mappings, ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n\n".join(summary(name, reading) for name, reading in readings))
        if failed:
            raise CommandError(f"{failed} of {len(files)} files could not be read")


def summary(name: str, reading: Reading) -> str:
    """A reading in a few lines for a terminal."""
    lines = [f"{name}: {reading.kind}, {reading.gpus} GPU, {reading.nics} NIC"]
    lines += [f"  NVLink/HCCS/XGMI: GPU {_numbers(island)}" for island in reading.nvlink_islands]
    lines += [
        f"  NUMA {group.numa or '-'} CPU {group.cpu or '-'}: GPU {_numbers(group.gpus)}" for group in reading.numa
    ]
    lines += [f"  GPU {gpu}: {near.link} {' '.join(near.nics)}" for gpu, near in reading.nearest_nic.items()]
    for gpu, speeds in (reading.nvlink_status or {}).items():
        lines.append(f"  GPU {gpu}: {len(speeds)} links, {sum(speeds):g} GB/s per direction")
    lines += [f"  ! {topology_warning_text(warning)}" for warning in reading.warnings]
    return "\n".join(lines)


def _numbers(gpus: tuple[int, ...]) -> str:
    return " ".join(map(str, gpus))


def _content(file: str) -> bytes:
    if file == STDIN:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with Path(file).open("rb") as stream:
        return stream.read(MAX_BYTES + 1)
