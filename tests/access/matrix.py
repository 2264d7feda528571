"""The access matrix: who reaches which address. Every address of the site has a row; those of the admin have one.

To be shut out is to be told that there is nothing (404), whatever the method; the admin sends to its log-in page.
A row may name values of its own for what the address holds, and `query` for what stands behind it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tests.access.world import ADMINISTRATOR, INSTRUCTOR, OWNER, ROLES


@dataclass(frozen=True)
class Row:
    """Who reaches an address; `values` are those of its parts that are not the usual ones."""

    who: tuple[str, ...]
    values: dict[str, str] = field(default_factory=dict)
    query: str = ""


def everybody(query: str = "", **values: str) -> Row:
    return Row(ROLES, values, query)


def writers(**values: str) -> Row:
    """Instructors, and administrators, who may do all that instructors may."""
    return Row((INSTRUCTOR, ADMINISTRATOR, OWNER), values)


def administrators(**values: str) -> Row:
    return Row((ADMINISTRATOR,), values)


def owner(query: str = "", **values: str) -> Row:
    """Whose it is, and nobody else: not another instructor, and no administrator."""
    return Row((OWNER,), values, query)


CELL: Final = "?at=1.19&node=n1&plugin=NodeResourcesFit"
RULE: Final = "?filter=gpus(pod)==0"

MATRIX: Final[dict[str, Row]] = {
    "home": everybody(),
    "favicon.ico": everybody(),
    "health": everybody(),
    "js_catalogue": everybody(),
    "run_detail": owner(),
    "run_stop": owner(),
    # accounts
    "accounts:sign_up": everybody(),
    "accounts:log_in": everybody(),
    "accounts:log_out": everybody(),
    "accounts:merge": everybody(),
    "accounts:preferences": everybody(),
    "accounts:my_data": everybody(),
    "accounts:my_data_export": everybody(),
    "accounts:my_data_delete": everybody(),
    "accounts:people": administrators(),
    "accounts:invite": administrators(),
    "accounts:uninvite": administrators(),
    "accounts:set_role": administrators(),
    "accounts:invitation": everybody(token="invitation"),
    "accounts:audit": writers(),
    "accounts:password_change": everybody(),
    "accounts:password_reset": everybody(),
    "accounts:password_reset_sent": everybody(),
    "accounts:password_reset_confirm": everybody(token="x-y"),
    "accounts:password_reset_done": everybody(),
    # materials
    "materials:workbench": writers(),
    "materials:new": writers(),
    "materials:fork": writers(),
    "materials:bring": writers(),
    "materials:take": writers(),
    "materials:take_one": owner(),
    "materials:form": owner(),
    "materials:listing": owner(),
    "materials:text": owner(),
    "materials:translations": owner(),
    "materials:undo": owner(),
    "materials:redo": owner(),
    "materials:history": owner(),
    "materials:version": owner(),
    "materials:publish": owner(),
    "materials:retire": owner(),
    "materials:duplicate": owner(),
    "materials:delete": owner(),
    "materials:share": owner(),
    "materials:qr": owner(),
    "materials:figures": owner(),
    "materials:close": owner(),
    "materials:begin": owner(),
    "materials:preview_page": owner(),
    "simulator:draft_solution": owner(),
    "simulator:draft_schema": writers(),
    # scenarios and labs
    "simulator:scenarios": everybody(),
    "simulator:scenario": everybody(),
    "simulator:labs": everybody(),
    "simulator:free_lab": everybody(),
    "simulator:open_form": everybody(),
    "simulator:open_text": everybody(),
    "simulator:schema": everybody(),
    "simulator:lab": owner(),
    "simulator:lab_explain": owner(CELL),
    "simulator:lab_step": owner(),
    "simulator:lab_run": owner(),
    "simulator:lab_places": owner(),
    "simulator:lab_apply": owner(),
    "simulator:lab_undo": owner(),
    "simulator:lab_redo": owner(),
    "simulator:lab_command": owner(),
    "simulator:lab_placement": owner(),
    "simulator:lab_picture": owner(),
    "simulator:lab_paste_form": owner(),
    "simulator:lab_paste": owner(),
    "simulator:lab_paste_preview": owner(),
    "simulator:lab_fork": owner(),
    "simulator:lab_move": owner(),
    "simulator:lab_reset": owner(),
    "simulator:lab_share": owner(),
    "simulator:lab_rename": owner(),
    "simulator:lab_delete": owner(),
    "simulator:lab_solution": owner(),
    "simulator:lab_replay": owner(),
    "simulator:lab_selection": owner(),
    "simulator:lab_palette": owner(),
    "simulator:lab_dialog": owner(name="taint"),
    "simulator:lab_workload": owner(),
    "simulator:lab_export": owner(),
    "simulator:lab_check": owner(),
    "simulator:lab_paste_copies": owner(),
    "simulator:lab_edit": owner(name="taint"),
    "simulator:lab_arrange": owner(),
    "simulator:lab_profile": owner(),
    "simulator:lab_rules": owner(),
    "simulator:lab_predict": owner(),
    "simulator:lab_predict_mode": owner(),
    "simulator:lab_compare": owner(),
    "simulator:shared_lab": everybody(),
    "simulator:shared_placement": everybody(),
    "simulator:shared_picture": everybody(),
    "simulator:shared_fork": everybody(),
    "simulator:shared_explain": everybody(CELL),
    "simulator:shared_selection": everybody(),
    "simulator:conform": administrators(),
    "simulator:conform_result": administrators(),
    # plugins, extenders, the reference
    "simulator:plugins": everybody(),
    "simulator:rule_bench": everybody(),
    "simulator:profile_sample": everybody(),
    "simulator:rule_exercises": everybody(),
    "simulator:rule_exercise": everybody(slug="rule_exercise"),
    "simulator:rule_exercise_grade": everybody(slug="rule_exercise"),
    "simulator:take_home": everybody(RULE),
    "simulator:take_home_zip": everybody(RULE),
    "simulator:extender": everybody(),
    "simulator:extender_cost": everybody(),
    "simulator:extender_cost_start": everybody(),
    "simulator:extender_cost_csv": everybody(),
    "simulator:reference": everybody(),
    "simulator:reference_point": everybody(key="filter"),
    "simulator:reference_plugin": everybody(name="NodeResourcesFit"),
    # lessons, questions, quizzes
    "lessons:course": everybody(),
    "lessons:lesson_detail": everybody(slug="sample-lesson"),
    "lessons:lesson_mark": everybody(slug="sample-lesson"),
    "lessons:lesson_check": everybody(slug="sample-lesson"),
    "lessons:lesson_scene": everybody(slug="sample-lesson", scene="see-it"),
    "lessons:glossary": everybody(),
    "lessons:quizzes": everybody(),
    "lessons:quiz_detail": everybody(slug="sample"),
    "lessons:quiz_start": everybody(slug="sample"),
    "lessons:attempt_detail": owner(),
    "lessons:attempt_hand_in": owner(),
    "lessons:attempt_question": owner(),
    "lessons:attempt_autosave": owner(),
    "lessons:question_detail": everybody(slug="question"),
    "lessons:practice_detail": everybody(),
    "lessons:review": everybody(),
    "lessons:review_question": everybody(slug="question"),
    "lessons:figures": writers(),
    "lessons:question_figures": writers(slug="question"),
    "lessons:question_regrade": administrators(slug="question"),
    "lessons:gift": writers(),
    "lessons:gift_export": writers(slug="sample"),
    "lessons:progress": everybody(),
    "lessons:draft_beside": owner(draft_id="lesson_draft"),
    "lessons:draft_bank": owner(draft_id="quiz_draft"),
    "lessons:draft_scene": owner(draft_id="lesson_draft"),
    "lessons:draft_check": owner(draft_id="lesson_draft"),
}
