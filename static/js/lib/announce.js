// Saying things: to screen readers alone, or to everybody as a toast.

import { element, find } from "lib/dom";

const TOAST_STAYS = 6000; // milliseconds

/** Have screen readers say `text`, after what they are saying. */
export function announce(text) {
  const region = find("#announcer");
  region.textContent = "";
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

/** Show `text` for a moment and announce it. It stays while it is hovered. */
export function toast(text, { kind = "info" } = {}) {
  const shown = element("div", { class: `toast toast-${kind}` }, text);
  find("#toasts").append(shown);
  announce(text);
  const leave = () => (shown.matches(":hover") ? setTimeout(leave, 1000) : shown.remove());
  setTimeout(leave, TOAST_STAYS);
  return shown;
}
