"""The files of an exported package.

Source of the interfaces: Kubernetes 1.36, k8s.io/kube-scheduler/framework, pkg/scheduler/framework/runtime
(PluginFactory, DecodeInto), plugins/helper (DefaultNormalizeScore), cmd/kube-scheduler/app (WithPlugin).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from simulator.engine.cel.program import Input, Program
from simulator.engine.cel.values import BOOL
from simulator.engine.cluster.cluster import Cluster
from simulator.engine.fabric.from_labels import DOMAIN_LABELS
from simulator.engine.fabric.presets import PRESETS
from simulator.engine.framework.plugin import Reads
from simulator.engine.objects.pod import Pod
from simulator.engine.user_rules.inputs import reads_of
from simulator.engine.user_rules.plugin import wakes
from simulator.engine.user_rules.rule import LARGEST, NONE, RANGE, REVERSED, Rule
from simulator.goexport.cases import Case, cases_of, pod_under_test
from simulator.goexport.events import go_events
from simulator.goexport.helpers import ALWAYS, FILES, chosen
from simulator.goexport.inputs import read_of
from simulator.goexport.translate import Translation
from simulator.goexport.types import quoted

VERSION: Final = "0.36.3"
STAGING: Final = (
    "api", "apiextensions-apiserver", "apimachinery", "apiserver", "cli-runtime", "client-go", "cloud-provider",
    "cluster-bootstrap", "code-generator", "component-base", "component-helpers", "controller-manager", "cri-api",
    "cri-client", "cri-streaming", "csi-translation-lib", "dynamic-resource-allocation", "endpointslice",
    "externaljwt", "kms", "kube-aggregator", "kube-controller-manager", "kube-proxy", "kube-scheduler", "kubectl",
    "kubelet", "metrics", "mount-utils", "pod-security-admission", "sample-apiserver", "sample-cli-plugin",
    "sample-controller", "streaming",
)  # fmt: skip
"""The parts of k8s.io/kubernetes 1.36 that are modules of their own."""

_ALIASES: Final = {
    "v1": "k8s.io/api/core/v1",
    "fwk": "k8s.io/kube-scheduler/framework",
    "resourcehelper": "k8s.io/component-helpers/resource",
}
_NOTE: Final = re.compile(r"[ \t]*//§(\w+)$")


@dataclass(frozen=True, slots=True)
class GoFile:
    """One file. `notes`: what is explained beside which line (numbers from 1), by the note's name."""

    path: str
    text: str
    notes: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class GoPackage:
    name: str
    files: tuple[GoFile, ...]

    def zipped(self) -> bytes:
        """All files in one folder; the same package gives the same bytes."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in self.files:
                entry = zipfile.ZipInfo(f"{self.name}/{file.path}", (2026, 1, 1, 0, 0, 0))
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, file.text, zipfile.ZIP_DEFLATED)
        return buffer.getvalue()


def go_package(rule: Rule, cluster: Cluster, pod: Pod, *, language: str, weight: int = 1) -> GoPackage:
    """A rule as a Go package; its unit test holds what the rule says of `pod` on the nodes of `cluster`.

    `language`: of the README, "zh-hans" or "en". `weight`: of the plugin's scores in the configuration.
    """
    name = kebab(rule.name)
    module = f"example.com/{name}"
    files = [
        _file("plugin/plugin.go", _plugin(rule)),
        _file("plugin/rule.go", _rule(rule)),
        _file("plugin/args.go", _template("args")),
        _file("plugin/plugin_test.go", _test(rule, cases_of(rule, cluster, pod), pod)),
        _file("main.go", _filled("main", module=module)),
        _file("go.mod", _go_mod(module)),
        _file("scheduler-config.yaml", _config(rule, name, weight)),
        _file("README.md", _readme(rule, name, language)),
    ]
    return GoPackage(name, tuple(files))


def kebab(name: str) -> str:
    """`GPUModelScore` as `gpu-model-score`."""
    parts = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1-\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", parts).lower()


def _template(name: str) -> str:
    return (FILES / f"{name}.go.txt").read_text(encoding="utf-8")


def _filled(name: str, **places: str) -> str:
    return _fill(_template(name), **places)


def _fill(text: str, **places: str) -> str:
    for place, value in places.items():
        text = text.replace(f"@{place}@", value)
    return text


def _file(path: str, text: str) -> GoFile:
    notes: dict[int, str] = {}
    lines = []
    for number, line in enumerate(text.rstrip("\n").split("\n"), start=1):
        note = _NOTE.search(line)
        if note is not None:
            notes[number] = note[1]
        lines.append(_NOTE.sub("", line))
    return GoFile(path, "\n".join(lines) + "\n", notes)


def _imports(standard: Collection[str], others: Collection[tuple[str, str]]) -> str:
    """Import lines as gofmt sorts them: the standard library, then (alias, path)."""
    first = [f'\t"{path}"' for path in sorted(set(standard))]
    second = [f'\t{alias} "{path}"' if alias else f'\t"{path}"' for alias, path in sorted(set(others), key=_by_path)]
    return "\n".join([*first, *([""] if first and second else []), *second])


def _by_path(item: tuple[str, str]) -> str:
    return item[1]


# plugin.go


def _plugin(rule: Rule) -> str:
    interfaces = [name for name, program in (("FilterPlugin", rule.filter), ("ScorePlugin", rule.score)) if program]
    interfaces += ["EnqueueExtensions"] if rule.filter else []
    interfaces += ["ScoreExtensions"] if rule.score and rule.normalize != NONE else []
    interfaces.append("SignPlugin")
    width = max(map(len, interfaces))
    others = [("v1", _ALIASES["v1"]), ("", "k8s.io/apimachinery/pkg/runtime"), ("", "k8s.io/klog/v2")]
    others.append(("fwk", _ALIASES["fwk"]))
    if rule.score and rule.normalize in (LARGEST, REVERSED):
        others.append(("", "k8s.io/kubernetes/pkg/scheduler/framework/plugins/helper"))
    standard = ["context", "fmt", *(["math"] if rule.score and rule.normalize == RANGE else [])]
    return _filled(
        "plugin",
        imports=_imports(standard, others),
        interfaces="\n".join(f"\t_ fwk.{name:<{width}} = &Plugin{{}}" for name in interfaces),
        filter=_filter(rule),
        score=_score(rule) + _sign(rule),
        Name=rule.name,
    )


def _filter(rule: Rule) -> str:
    if rule.filter is None:
        return ""
    by_node = not reads_of(rule.filter.inputs) & (Reads.USAGE | Reads.ANYTHING)
    is_bool = rule.filter.type == BOOL
    return _filled(
        "filter",
        filtered="fits := pl.filterRule(pod, node)" if is_bool else "reason := pl.filterRule(pod, node)",
        fits="fits" if is_bool else 'reason == ""',
        rejected="!fits" if is_bool else 'reason != ""',
        rejection="UnschedulableAndUnresolvable" if by_node else "Unschedulable",
        reason=quoted(f"node(s) rejected by {rule.name}") if is_bool else "reason",
        events="\n".join(f"\t\t{line}," for line in go_events(wakes(rule.filter.inputs))),
    )


def _score(rule: Rule) -> str:
    if rule.score is None:
        return ""
    text = _filled("score", extensions="nil" if rule.normalize == NONE else "pl")
    if rule.normalize == RANGE:
        return text + _template("normalize_range")
    if rule.normalize == NONE:
        return text
    backwards = rule.normalize == REVERSED
    how = "the largest becoming 0" if backwards else "the largest becoming 100"
    return text + _filled("normalize_default", how=how, reverse="true" if backwards else "false")


def _sign(rule: Rule) -> str:
    """What of a Pod counts for the rule; a rule that looks at other nodes too refuses."""
    programs = [program for program in (rule.filter, rule.score) if program is not None]
    inputs = list(dict.fromkeys(item for program in programs for item in program.inputs))
    if any(name in ("domain", "nvswitchDomain") for name in (item.path[1] for item in inputs if item.call)):
        text = 'return nil, fwk.NewStatus(fwk.Unschedulable, "the rule looks at other nodes too")'
        return _filled("sign", pod="_", signed=text)
    values = [_signed(item) for item in inputs if item.path[0] == "pod"]
    fragment = f'return []fwk.SignFragment{{{{Key: Name + ".rule()", Value: []any{{{", ".join(values)}}}}}}}, nil'
    return _filled("sign", pod="pod" if values else "_", signed=fragment)


def _signed(item: Input) -> str:
    """A Pod's value that never fails: of a map, the whole of it."""
    return read_of(item if item.call else Input(item.path[:2], item.type)).value


# rule.go


def _rule(rule: Rule) -> str:
    parts, helpers, standard = [], set(ALWAYS), set()
    for name, program in (("filter", rule.filter), ("score", rule.score)):
        if program is not None:
            translated = Translation(program)
            helpers |= translated.helpers
            standard |= translated.imports
            parts.append(_function(name, program, translated.lines))
    helpers |= _signing_helpers(rule)
    found = chosen(helpers)
    names = {name for helper in found for name in helper.imports}
    others = [(alias, _ALIASES[alias]) for alias in ("v1", "fwk", *(name for name in names if name in _ALIASES))]
    standard |= {name for name in names if name not in _ALIASES}
    texts = "\n\n".join(helper.text for helper in found)
    return _filled(
        "rule", imports=_imports(standard, others), rules="\n\n".join(parts), helpers=_fill(texts, **_tables())
    )


def _signing_helpers(rule: Rule) -> set[str]:
    programs = [program for program in (rule.filter, rule.score) if program is not None]
    reads = [read_of(item) for program in programs for item in program.inputs if item.path[0] == "pod"]
    return {helper for read in reads for helper in read.helpers if helper not in ("key", "hasKey")}


def _function(name: str, program: Program, lines: Sequence[str]) -> str:
    kind = "int64" if name == "score" else "bool" if program.type == BOOL else "string"
    source = "\n".join(f"//\t{line.rstrip()}" if line.strip() else "//" for line in program.source.strip().split("\n"))
    head = f"// {name}Rule is the {name} expression of the lab. //§{name}_rule\n//\n{source}\n"
    return f"{head}func (pl *Plugin) {name}Rule(pod *v1.Pod, node fwk.NodeInfo) {kind} {{\n" + "\n".join(lines) + "\n}"


def _tables() -> dict[str, str]:
    machines: dict[str, int] = {}
    for preset in PRESETS.values():
        if any(len(group.gpus) > 1 for group in preset.shape.switched):
            machines[preset.shape.model(0).product] = len(preset.shape.gpus)
    width = max(map(len, machines))
    shown = [f"\t{quoted(product)}:{' ' * (width - len(product))} {count}," for product, count in machines.items()]
    return {
        "machines": "\n".join(shown),
        "domains": "\n".join(f"\t\t{quoted(label)}," for label in DOMAIN_LABELS),
    }


# the other files


def _test(rule: Rule, cases: Iterable[Case], pod: Pod) -> str:
    checks = [name for name, program in (("filter", rule.filter), ("score", rule.score)) if program is not None]
    return _filled(
        "plugin_test",
        cases="\n".join(case.go() for case in cases),
        pod="\n".join(f"\t{line}" for line in pod_under_test(pod)),
        checks="".join(_template(f"check_{name}") for name in checks).rstrip("\n"),
    )


def _go_mod(module: str) -> str:
    replaces = [f"\tk8s.io/{part} => k8s.io/{part} v{VERSION}" for part in STAGING]
    text = (FILES / "go.mod.txt").read_text(encoding="utf-8")
    return _fill(text, module=module, replaces="\n".join(replaces))


def _config(rule: Rule, name: str, weight: int) -> str:
    enabled = f"{{name: {rule.name}, weight: {weight}}}" if rule.score else f"{{name: {rule.name}}}"
    return (
        "apiVersion: kubescheduler.config.k8s.io/v1\n"
        "kind: KubeSchedulerConfiguration\n"
        "leaderElection:\n"
        "  leaderElect: false\n"
        "profiles:\n"
        f"- schedulerName: {name}\n"
        "  plugins:\n"
        "    multiPoint:\n"
        f"      enabled: [{enabled}]\n"
        "  pluginConfig:\n"
        f"  - name: {rule.name}\n"
        "    args:\n"
        "      logDecisions: true\n"
    )


def _readme(rule: Rule, name: str, language: str) -> str:
    text = (FILES / f"README.{'en' if language == 'en' else 'zh-hans'}.md.txt").read_text(encoding="utf-8")
    parts = [
        f"    {point}: {line}" if index == 0 else f"    {' ' * len(point)}  {line}"
        for point, program in (("filter", rule.filter), ("score", rule.score))
        if program is not None
        for index, line in enumerate(program.source.strip().split("\n"))
    ]
    return _fill(text, rule="\n".join(parts), scheduler=name, Name=rule.name)
