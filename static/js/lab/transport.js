// The stepper: buttons, keys, autoplay. It asks for at most one step ahead, so that a held key does not run away.

import { find, findAll } from "lib/dom";
import { gettext } from "lib/i18n";
import { shortcut } from "lib/shortcuts";
import { pending, send } from "lab/requests";
import { onState, state } from "lab/state";

const UNIT = "lab-unit"; // localStorage keys
const SPEED = "lab-speed";
const PACE = 1200; // milliseconds between steps at speed 1
const MOST_PENDING = 2;

let timer = null;

export function startTransport() {
  const unit = find("#unit");
  unit.value = localStorage.getItem(UNIT) ?? unit.value;
  unit.addEventListener("change", () => localStorage.setItem(UNIT, unit.value));
  for (const select of findAll("#transport select")) giveKeysBack(select);
  onState((now) => {
    say("#go-start", !now.isStart);
    say("#go-back", !now.isStart);
    say("#go-forward", now.canGoOn);
    say("#go-event", now.canGoOn);
    say("#go-idle", now.canGoOn);
    say("#go-head", !now.isHead);
    if (!now.canGoOn) stop();
  });
  shortcut("ArrowRight", gettext("One step"), () => press("#go-forward"));
  shortcut("ArrowLeft", gettext("One step back"), () => press("#go-back"));
  shortcut("Home", gettext("To the start"), () => press("#go-start"));
  shortcut("End", gettext("To the end"), () => press("#go-head"));
  shortcut("n", gettext("To the next event"), () => press("#go-event"));
  shortcut("r", gettext("Run until nothing happens by itself"), () => press("#go-idle"));
  startAutoplay();
}

/** Who chooses with the mouse goes on with the arrow keys: they should step, not choose again. */
function giveKeysBack(select) {
  let byPointer = false;
  select.addEventListener("pointerdown", () => (byPointer = true));
  select.addEventListener("keydown", () => (byPointer = false));
  select.addEventListener("change", () => byPointer && select.blur());
}

/** A button that cannot be used now keeps its place and its focus. */
function say(selector, usable) {
  find(selector)?.setAttribute("aria-disabled", String(!usable));
}

function press(selector) {
  const button = find(selector);
  if (!button || button.getAttribute("aria-disabled") === "true" || pending() >= MOST_PENDING) return undefined;
  stop();
  return send(button.form, button);
}

function startAutoplay() {
  const button = find("#autoplay");
  const speed = find("#speed");
  if (!button) return;
  button.hidden = false;
  speed.closest("label").hidden = false;
  speed.value = localStorage.getItem(SPEED) ?? speed.value;
  speed.addEventListener("change", () => localStorage.setItem(SPEED, speed.value));
  button.addEventListener("click", toggle);
  shortcut(" ", gettext("Play or pause"), toggle);
  find("#transport").addEventListener("click", (event) => {
    const pressed = event.target.closest('button[name="go"]');
    if (pressed?.getAttribute("aria-disabled") === "true") event.preventDefault();
    if (pressed) stop();
  });
}

function toggle() {
  if (timer) stop();
  else play();
}

function play() {
  if (!state()?.canGoOn) return;
  find("#autoplay").setAttribute("aria-pressed", "true");
  const next = async () => {
    const button = find("#go-forward");
    await send(button.form, button, { history: "replace" });
    if (timer) timer = setTimeout(next, PACE / Number(find("#speed").value));
  };
  timer = setTimeout(next, 0);
}

export function stop() {
  clearTimeout(timer);
  timer = null;
  find("#autoplay")?.setAttribute("aria-pressed", "false");
}
