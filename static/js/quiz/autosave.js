// In a test what is filled in is saved a moment after each change, and before the page is left.

import { toast } from "lib/announce";
import { find, watch } from "lib/dom";
import { gettext } from "lib/i18n";

const PAUSE = 800; // milliseconds after the last change

export function startAutosave() {
  watch("[data-autosave]", (page) => {
    let timer = null;
    let saving = Promise.resolve();
    const save = () => {
      clearTimeout(timer);
      timer = null;
      saving = saving.then(() => send(page));
    };
    for (const type of ["input", "change"]) {
      page.addEventListener(type, (event) => {
        if (!event.target.closest(".question-form")) return;
        clearTimeout(timer);
        timer = setTimeout(save, PAUSE);
      });
    }
    page.addEventListener("submit", () => clearTimeout(timer));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden" && timer) save();
    });
  });
}

async function send(page) {
  const form = find(".question-form", page);
  if (!form) return;
  const response = await fetch(page.dataset.autosave, { method: "POST", body: new FormData(form), keepalive: true });
  const told = find("#autosave");
  if (response.status === 204) {
    form.elements.namedItem("_draft").value = response.headers.get("X-Draft");
    if (told) told.hidden = false;
  } else if (response.status === 409) {
    toast(gettext("Another tab has saved a different answer, or the time is over. Reload the page to see."), { kind: "error" });
  }
}
