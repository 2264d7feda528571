// What lessons' drafts have besides: boxes put where the cursor is, in the language that was written in last.

import { announce } from "lib/announce";
import { delegate, find } from "lib/dom";
import { gettext } from "lib/i18n";

const TEXTS = '#draft-form textarea[name^="text/"]';

export function startLessonTools() {
  if (!find(TEXTS)) return;
  let written = find(TEXTS);
  delegate("focusin", TEXTS, (_event, area) => {
    written = area;
  });
  delegate("click", "[data-insert]", (_event, button) => insert(written, button.dataset.insert));
}

function insert(area, text) {
  const { value, selectionEnd } = area;
  const before = value.slice(0, selectionEnd).replace(/\n*$/, "");
  const after = value.slice(selectionEnd).replace(/^\n*/, "");
  const made = before ? `\n\n${text}\n\n` : `${text}\n\n`;
  area.focus();
  area.setRangeText(made, before.length, value.length - after.length, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
  announce(gettext("Inserted."));
}
