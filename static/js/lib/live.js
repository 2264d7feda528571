// Parts of a page that keep themselves up to date. An element with data-topic and data-seq gets the event "changed"
// when its topic has a newer seq; hx-trigger="changed" then fetches it anew. Without a socket it is fetched every few
// seconds instead.

import { announce } from "lib/announce";
import { findAll, watch } from "lib/dom";
import { brokenFor, subscribe } from "lib/socket";

const POLL_EVERY = 3000; // milliseconds

const stop = new WeakMap();

const changed = (one) => one.dispatchEvent(new CustomEvent("changed"));

function follow(one) {
  stop.set(one, subscribe(one.dataset.topic, Number(one.dataset.seq ?? 0), () => changed(one)));
}

export function startLive() {
  watch("[data-topic]", follow, (one) => stop.get(one)?.());
  watch("[data-announce]", (one) => announce(one.dataset.announce));
  setInterval(() => {
    if (brokenFor() > POLL_EVERY) findAll("[data-topic]").forEach(changed);
  }, POLL_EVERY);
}
