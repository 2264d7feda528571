"""Rules that use every part of the language, for exports."""
# ruff: noqa: E501

from __future__ import annotations

RULES: dict[str, dict[str, str]] = {
    "model score": {"score": 'gpuModel(node).contains("H100") ? 100 : gpuModel(node).startsWith("Tesla") ? 20 : 0'},
    "no CPU Pods": {"filter": "gpus(pod) > 0 || gpuCount(node) == 0"},
    "both": {"filter": "freeGpus(node) >= gpus(pod)", "score": "100 - freeGpus(node) * 10", "normalize": "range"},
    "reason": {"filter": 'freeGpus(node) >= 4 ? "" : "only " + string(freeGpus(node)) + " free GPUs"'},
    "domains": {
        "score": "nvswitchDomain(node).freeGpus * 100 / (nvswitchDomain(node).gpus + 1)",
        "normalize": "largest",
    },
    "zone": {"score": 'domain(node, "zone").nodes + domain(node, "zone").freeGpus', "normalize": "reversed"},
    "keys": {"score": 'node.labels["zone"] == "z1" ? 100 : 0'},
    "presence": {
        "score": '("zone" in node.labels ? 1 : 0) + (has(node.labels.zone) ? 2 : 0) + ("amd.com/gpu" in node.free ? 4 : 0)'
    },
    "amounts": {
        "score": 'node.allocatable["cpu"] / 1000 - node.requested["cpu"] / 1000 + node.free["memory"] / 1073741824'
    },
    "division": {"score": "100 / (gpuCount(node) - 2) % 7"},
    "lists": {
        "score": "[1, 2, 3].filter(x, x > 1).map(x, x * gpuCount(node)).sum() + [4, 5][1] + (3 in [1, 3] ? 1 : 0)"
    },
    "macros": {
        "score": "(node.taints.exists(t, t.key == 'gpu' && t.effect == 'NoSchedule') ? 1 : 0)"
        " + (node.taints.all(t, t.value == 'x') ? 2 : 0) + (node.labels.exists_one(k, k == 'zone') ? 4 : 0)"
        " + [1, 2, 3].map(i, i > 1, i * i).size()"
    },
    "placed Pods": {
        "score": "podsOn(node).filter(p, p.labels.exists(k, k == 'app' && p.labels[k] == 'web')).map(p, p.gpus).sum()"
        " + podsOn(node).filter(other, other.priority >= 0 && other.podGroup == '').size()"
    },
    "texts": {
        "score": "size(pod.labels['team']) + int(pod.labels['n']) + 'a,b,c'.split(',').size() + 'ABC'.lowerAscii().indexOf('c')"
        " + 'tacocat'.substring(4).size() + 'tacocat'.substring(0, 2).size() + ' x '.trim().size()"
        " + ['a', 'b'].join('-').size() + 'aa'.replace('a', 'bc').size() + 'é中x'.indexOf('x') + size('h'.upperAscii() + 'i')"
    },
    "numbers": {
        "score": "int(math.ceil(1.2) + math.floor(2.7) + math.round(0.5)) + math.greatest(1, 5, 3) - math.least([4, 2])"
        " + math.abs(-3) + [3, 1].max() - [3, 1].min() + int(double(gpuCount(node)) / 2.0 * 1.5) + (1 < 2.5 ? 1 : 0)"
        " + -gpuCount(node) + size(string(1.5) + string(true) + string(7)) + int(double('2.5')) + 7 % 4"
    },
    "patterns": {"score": "gpuModel(node).matches('^NVIDIA-(H100|GB200).*') ? 1 : 0"},
    "binding": {"score": "cel.bind(free, freeGpus(node), free * free + cel.bind(x, free + 1, x * 2))"},
    "nested choices": {
        "score": "(freeGpus(node) > 4 ? (gpus(pod) > 1 ? 3 : 2) : 1) * 10 + [freeGpus(node) > 0 ? 1 : 0].sum()"
    },
    "maps": {
        "score": "{'NVIDIA-H100-80GB-HBM3': 100, 'Tesla-T4': 10}[gpuModel(node)] + {'a': 1}.map(k, 2).sum() + {'a': 5}.a"
    },
    "equal things": {
        "score": "([1, 2] + [3] == [1, 2, 3] ? 1 : 0) + ({'a': [1]} != {'a': [2]} ? 2 : 0) + ([1] in [[1], [2]] ? 4 : 0)"
    },
    "pod fields": {
        "score": "size(pod.name) + size(pod.namespace) + pod.priority + size(pod.annotations['note']) + pod.requests['cpu'] / 100"
        " + pod.nodeSelector.size() + size(pod.podGroup) + size(pod.priorityClassName) + size(label(pod, 'team')) + gpus(pod)"
    },
    "node fields": {
        "score": "size(node.name) + node.podCount + (node.unschedulable ? 1 : 0) + size(label(node, 'zone'))"
        " + gpuMemoryMiB(node) / 1024 + usedGpus(node) + node.labels.size() * 0 + node.allocatable.size() * 0 + node.annotations.size() * 0"
    },
    "several lines": {"filter": "// only large nodes\ngpuCount(node) >= 8 &&\n  freeGpus(node) >= gpus(pod)"},
    "strange texts": {"score": 'size("a\\"b\\\\c\\n{}中\\u0001") + (node.name == \'}{\' ? 1 : 0)'},
    "deep arithmetic": {"score": "math.greatest(1 + 2 * 3, (4 - 1) * 2) + (1 + 2) * (3 + 4) - (2 - (1 - 3)) * -2"},
}
