"""Rules of one's own in a lab: written beside a table of what they give for its nodes, then put in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from gpuschedlab.web.errors import BadInput, Conflict
from gpuschedlab.web.htmx import render_page
from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.world.commands import CommandError
from simulator.forms.rules import LabRuleForm
from simulator.presenters.lab_urls import own_urls
from simulator.presenters.rules.bench import present_bench
from simulator.presenters.sentences.problems import present_problem
from simulator.rules import allows_command
from simulator.selectors.bench import Bench, lab_bench
from simulator.selectors.positions import END, Position
from simulator.selectors.profiles.own_rules import with_rule, without_rule
from simulator.selectors.rule_trials import Trial, try_rule
from simulator.services.labs import lab_apply
from simulator.views.common import conflict, go, lab_of, place_of
from simulator.views.plugins import TRIES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from gpuschedlab.web.http import LabRequest
    from simulator.models import Lab

PAGE = "simulator/rules/lab.html"


@require_http_methods(["GET", "HEAD", "POST"])
@TRIES
def lab_rules(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """The rules of a lab; with `do=force` this one is put in force, with `do=remove` it is taken out."""
    found = lab_of(request, slug, lab_id)
    form = LabRuleForm(request.POST if request.method == "POST" else request.GET)
    given = form.fields_given()
    do = given.pop("do") if request.method == "POST" else ""
    at = place_of(given)
    with lab_bench(found, at) as bench:
        if do not in ("force", "remove"):
            return render_page(request, PAGE, _context(found, at, bench, given), partial="rule-trial")
        command = _command(bench, given, do)
    sent = form.sent()
    try:
        answer = lab_apply(
            actor=request.participant, lab=found, command=command, client_token=sent.client_token,
            expected_seq=sent.expected_seq(found),
        )  # fmt: skip
    except CommandError as error:
        raise BadInput(" ".join(str(present_problem(problem)) for problem in error.problems)) from error
    except Conflict as error:
        return conflict(request, found, error)
    return go(request, found, Position(answer.last - 1, END))


def _context(lab: Lab, at: Position | None, bench: Bench, given: dict[str, str]) -> dict[str, Any]:
    known = {rule["name"]: rule for rule in bench.rules}
    if not given["filter"] and not given["score"]:
        given |= {key: str(value) for key, value in known.get(given["name"], {}).items()}
    pod = given["pod"] if given["pod"] in bench.pods else bench.pod
    asked = bench.cluster_for(pod) if pod else None
    trial = Trial("") if asked is None else try_rule(given, *asked)
    urls = own_urls(lab)
    return {
        "bench": present_bench(given, trial, bench.pods, examples=True),
        "lab": lab,
        "rules": [(name, f"{urls.part('rules')}?name={name}&at={at or ''}", name == given["name"]) for name in known],
        "in_force": given["name"] in known,
        "weight": given["weight"] or "1",
        "url": urls.part("rules"),
        "at": str(at or ""),
        "back": urls.at(at or "", tab="scheduler"),
        "can_force": allows_command(lab, "configure"),
    }


def _command(bench: Bench, given: Mapping[str, str], do: str) -> dict[str, Any]:
    """Raises `BadInput` for a rule that cannot be used."""
    try:
        if do == "remove":
            made = without_rule(bench.config, bench.rules, given["name"], bench.parts)
        else:
            rule = {key: given[key] for key in ("name", "filter", "score", "normalize") if given[key].strip()}
            made = with_rule(bench.config, bench.rules, rule, int(given["weight"] or 1), bench.parts)
    except ConfigError as error:
        raise BadInput(" ".join(str(present_problem(problem)) for problem in error.problems)) from error
    return {"type": "configure", "config": made.config, "plugins": list(made.rules)}
