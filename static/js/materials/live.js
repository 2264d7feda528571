// Other tabs: when the draft was changed elsewhere, the page says so and offers to show it.

import { element, find } from "lib/dom";
import { gettext } from "lib/i18n";
import { subscribe } from "lib/socket";
import { isSaving } from "materials/saving";
import { state } from "materials/state";

export function startLive() {
  const draft = find("[data-draft-topic]");
  if (!draft || !state()) return;
  subscribe(draft.dataset.draftTopic, state().version, (event) => {
    setTimeout(() => {
      if (!isSaving() && event.seq > state().version) offer();
    }, 400);
  });
}

function offer() {
  if (find("#draft-elsewhere")) return;
  const show = element("button", { type: "button", class: "button" }, gettext("Show it"));
  show.addEventListener("click", () => location.reload());
  const text = element("span", {}, gettext("This draft was changed in another tab or view."));
  find("#notices").append(element("div", { class: "notice", id: "draft-elsewhere", role: "status" }, text, show));
}
