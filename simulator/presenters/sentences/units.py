"""Amounts as people read them: cores, GiB, GPUs; spans of time."""

from __future__ import annotations

from simulator.engine.fabric.accelerators import ASCEND
from simulator.engine.goals.run import is_gpu
from simulator.engine.objects.requests import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from simulator.engine.objects.times import SECOND

_UNITS = ((1 << 50, "PiB"), (1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))


def decimal(value: float, places: int = 2) -> str:
    """A number without needless zeros: `1.5`, `2`, `0.25`."""
    text = f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def size(count: int) -> str:
    """Bytes in the largest unit that fits: `16 GiB`, `200 MiB`, `512 B`."""
    for unit, name in _UNITS:
        if abs(count) >= unit:
            return f"{decimal(count / unit)} {name}"
    return f"{count} B"


def cores(milli: int) -> str:
    """Milli-CPU as cores: 1500 is `1.5`."""
    return decimal(milli / 1000, 3)


def is_bytes(resource: str) -> bool:
    return resource in (MEMORY, EPHEMERAL_STORAGE) or resource.startswith("hugepages-")


def number(resource: str, value: int) -> str:
    """An amount without the name of what is counted."""
    if resource == CPU:
        return cores(value)
    return size(value) if is_bytes(resource) else str(value)


def amount(resource: str, value: int, *, chinese: bool) -> str:
    """An amount with the name of what is counted: `2 GPUs`, `1.5 cores`, `16 GiB of memory`."""
    shown = number(resource, value)
    return f"{shown} {_noun_zh(resource)}" if chinese else f"{shown} {_noun_en(resource, one=shown == '1')}"


def _noun_zh(resource: str) -> str:
    known = {CPU: "核 CPU", MEMORY: "内存", EPHEMERAL_STORAGE: "临时存储", PODS: "个 Pod"}
    if resource in known:
        return known[resource]
    if is_gpu(resource):
        return "份 MIG 切片" if "/mig-" in resource else "张卡"
    return f"大页（{resource}）" if resource.startswith("hugepages-") else f"份 {resource}"


def _noun_en(resource: str, *, one: bool) -> str:
    plural = "" if one else "s"
    known = {CPU: f"core{plural}", MEMORY: "of memory", EPHEMERAL_STORAGE: "of ephemeral storage", PODS: f"Pod{plural}"}
    if resource in known:
        return known[resource]
    if is_gpu(resource):
        noun = "MIG slice" if "/mig-" in resource else "NPU" if resource == ASCEND else "GPU"
        return f"{noun}{plural}"
    return f"of {resource}"


def resource_name(resource: str, *, chinese: bool) -> str:
    """What is counted, without a number: `GPUs`, `memory`."""
    names = {
        CPU: ("CPU", "CPU"),
        MEMORY: ("内存", "memory"),
        EPHEMERAL_STORAGE: ("临时存储", "ephemeral storage"),
        PODS: ("Pod 名额", "Pod slots"),
    }
    if resource in names:
        return names[resource][0 if chinese else 1]
    if is_gpu(resource):
        return f"GPU（{resource}）" if chinese else f"GPUs ({resource})"
    return resource


def duration(microseconds: int, *, chinese: bool) -> str:
    """A span of time in its largest sensible units: `5 min`, `1 min 30 s`, `7 ms`."""
    if 0 < microseconds < SECOND:
        milliseconds = decimal(microseconds / 1000, 3)
        return f"{milliseconds} 毫秒" if chinese else f"{milliseconds} ms"
    whole, rest = divmod(microseconds, SECOND)
    pieces = [(whole // 3600, "小时", "h"), (whole // 60 % 60, "分钟", "min")]
    seconds = decimal(whole % 60 + rest / SECOND, 3)
    shown = [f"{count} {zh if chinese else en}" for count, zh, en in pieces if count]
    if seconds != "0" or not shown:
        shown.append(f"{seconds} {'秒' if chinese else 's'}")
    return " ".join(shown)
