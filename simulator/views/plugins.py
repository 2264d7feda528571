"""Pages about plugins of one's own: the workbench, exercises, and the way home as Go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from gpuschedlab.web.errors import BadInput
from gpuschedlab.web.htmx import render_page
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.user_rules.rule import Rule, read_rules
from simulator.forms.rules import RuleForm
from simulator.goexport.package import go_package
from simulator.presenters.rules.bench import POINTS, present_bench
from simulator.presenters.rules.exercises import present_exercise, present_exercises, present_grade
from simulator.presenters.rules.library import EXAMPLES
from simulator.presenters.rules.take_home import present_package
from simulator.presenters.sentences.problems import present_problem
from simulator.selectors.rule_exercises import exercise_get, exercise_list
from simulator.selectors.rule_trials import try_rule
from simulator.selectors.sample_cluster import sample_cluster, shown_cluster
from simulator.services.rule_grading import rule_grade

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuschedlab.web.http import LabRequest
    from simulator.goexport.package import GoPackage
    from simulator.presenters.rules.bench import BenchView

TRIES = limit_rate("rules.try", participant=Rate(180), address=Rate(6_000))
GRADES = limit_rate("rules.grade", participant=Rate(30), address=Rate(900))
EXPORTS = limit_rate("rules.export", participant=Rate(30), address=Rate(900))
DEFAULT_NAME = "MyRule"


@require_safe
def index(request: LabRequest) -> HttpResponse:
    return render_page(request, "simulator/plugins/index.html", {"exercises": present_exercises(exercise_list())})


@require_http_methods(["GET", "HEAD", "POST"])
@TRIES
def bench(request: LabRequest) -> HttpResponse:
    """The workbench on the sample cluster; for a POST what the rule gives for every node."""
    given = RuleForm(request.POST if request.method == "POST" else request.GET).fields_given()
    if request.method != "POST" and not (given["filter"] or given["score"]):
        given |= _example(request.GET.get("example", ""))
    context = {"bench": _bench(given)}
    return render_page(request, "simulator/plugins/bench.html", context, partial="rule-trial")


def _example(slug: str) -> dict[str, str]:
    found = next((one for one in EXAMPLES if one.slug == slug), EXAMPLES[0])
    return {"name": found.name, "filter": found.filter, "score": found.score, "normalize": found.normalize}


def _bench(given: Mapping[str, str], **more: Any) -> BenchView:
    cluster, pods = sample_cluster()
    asked = next((pod for pod in pods if pod.key == given.get("pod")), pods[0])
    return present_bench(given, try_rule(given, cluster, asked), [pod.key for pod in pods], examples=True, **more)


@require_safe
def exercises(request: LabRequest) -> HttpResponse:
    return render_page(request, "simulator/plugins/exercises.html", {"exercises": present_exercises(exercise_list())})


@require_http_methods(["GET", "HEAD", "POST"])
@TRIES
def exercise(request: LabRequest, slug: str) -> HttpResponse:
    """An exercise; for a POST what the rule gives on the cluster that is shown."""
    found = exercise_get(slug)
    posted = request.method == "POST"
    given = RuleForm(request.POST if posted else request.GET).fields_given()
    if not posted:
        given |= {found.point: found.starter, "normalize": found.normalize}
    cluster, pods = shown_cluster(found)
    trial = try_rule({**given, **{point: "" for point in POINTS if point != found.point}}, cluster, pods[0])
    view = present_bench(given, trial, [pod.key for pod in pods], points=(found.point,))
    context = {"exercise": present_exercise(found), "bench": view}
    return render_page(request, "simulator/plugins/exercise.html", context, partial="rule-trial")


@require_http_methods(["POST"])
@GRADES
def exercise_grade(request: LabRequest, slug: str) -> HttpResponse:
    """Run the hidden scenarios with the rule."""
    found = exercise_get(slug)
    given = RuleForm(request.POST).fields_given()
    try:
        grade = rule_grade(exercise=found, source=given[found.point], normalize=given["normalize"] or "none")
        graded, wrong = present_grade(grade), ""
    except ConfigError as error:
        graded, wrong = None, present_problem(error.problems[0]).text
    cluster, pods = shown_cluster(found)
    view = present_bench(given, try_rule(given, cluster, pods[0]), [pods[0].key], points=(found.point,))
    context = {"exercise": present_exercise(found), "bench": view, "grade": graded, "wrong": wrong}
    return render_page(request, "simulator/plugins/exercise.html", context, partial="rule-grade")


@require_GET
@EXPORTS
def take_home(request: LabRequest) -> HttpResponse:
    """The Go package of a rule, explained line by line; without a rule, where one is written."""
    given = RuleForm(request.GET).fields_given()
    if not _has_rule(given):
        return redirect("simulator:rule_bench")
    view = present_package(_package(given), given, request.GET.get("file", ""))
    return render_page(request, "simulator/plugins/take_home.html", {"package": view}, partial="go-file")


@require_GET
@EXPORTS
def take_home_zip(request: LabRequest) -> HttpResponse:
    package = _package(RuleForm(request.GET).fields_given())
    response = HttpResponse(package.zipped(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{package.name}.zip"'
    return response


def _has_rule(given: Mapping[str, str]) -> bool:
    return bool(given["filter"].strip() or given["score"].strip())


def _package(given: Mapping[str, str]) -> GoPackage:
    """Raises Http404 where there is no rule at all, `BadInput` where it cannot be used."""
    if not _has_rule(given):
        raise Http404
    cluster, pods = sample_cluster()
    asked = next((pod for pod in pods if pod.key == given["pod"]), pods[0])
    return go_package(_rule(given), cluster, asked, language=(get_language() or "zh-hans").lower())


def _rule(given: Mapping[str, str]) -> Rule:
    fields = {name: given[name] for name in ("name", *POINTS, "normalize") if given.get(name)}
    fields.setdefault("name", DEFAULT_NAME)
    try:
        return read_rules([fields])[0]
    except ConfigError as error:
        raise BadInput(present_problem(error.problems[0]).text) from error
