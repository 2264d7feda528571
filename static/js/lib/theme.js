// Auto, light or dark without loading the page again. The choice is a cookie, so that the server makes every page in
// it from the start; without JavaScript the same form does it by a reload.

import { delegate, find, findAll } from "lib/dom";

export function startTheme() {
  delegate("submit", "#theme-switch", async (event, form) => {
    const chosen = event.submitter;
    if (!chosen) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, chosen));
    document.documentElement.dataset.theme = chosen.value;
    for (const button of findAll("button", form)) button.setAttribute("aria-pressed", String(button === chosen));
    document.dispatchEvent(new CustomEvent("theme-changed"));
    await fetch(form.action, { method: "POST", body, redirect: "manual" });
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    document.dispatchEvent(new CustomEvent("theme-changed"));
  });
}

/** Whether the page is dark now; drawings on a canvas ask this and listen for "theme-changed" on the document. */
export function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

/** The value of a colour token ("accent" for --accent) in the colours of now, as something a canvas can draw with. */
export function token(name) {
  const probe = find("#token-probe") ?? document.body.appendChild(Object.assign(document.createElement("i"), { id: "token-probe", hidden: true }));
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}
