// Putting things in order: by buttons, by Alt with the arrow keys, or by dragging. The fields of what is placed are
// enabled and stand in the order of the list, so the form says it all.

import { announce } from "lib/announce";
import { delegate, find, watch } from "lib/dom";
import { gettext, interpolate } from "lib/i18n";

const placedList = (item) => find("[data-placed]", item.closest("[data-ordering]"));
const poolList = (item) => find("[data-pool]", item.closest("[data-ordering]"));
const isPlaced = (item) => item.closest("[data-placed]") !== null;

const MOVES = {
  up: (item) => item.previousElementSibling?.before(item),
  down: (item) => item.nextElementSibling?.after(item),
  out: (item) => poolList(item).append(item),
  in: (item) => placedList(item).append(item),
};

export function startOrdering() {
  delegate("click", "[data-move]", (_event, button) => {
    const item = button.closest("[data-item]");
    const next = item.nextElementSibling ?? item.previousElementSibling;
    const left = ["in", "out"].includes(button.dataset.move);
    move(item, button.dataset.move);
    focusOn(left ? (next ?? item) : item, button.dataset.move);
  });
  delegate("keydown", "[data-item] button", (event, button) => {
    const way = { ArrowUp: "up", ArrowDown: "down" }[event.key];
    if (!way || !event.altKey || !isPlaced(button)) return;
    event.preventDefault();
    const item = button.closest("[data-item]");
    move(item, way);
    button.focus();
  });
  watch("[data-ordering]", letDrag);
}

function move(item, way) {
  MOVES[way](item);
  settle(item);
}

/** Where an item lies decides whether it counts. */
function settle(item) {
  const placed = isPlaced(item);
  find("input", item).disabled = !placed;
  item.dispatchEvent(new Event("change", { bubbles: true }));
  announce(placed ? placeOf(item) : interpolate(gettext("%(what)s is not placed."), { what: words(item) }));
}

function placeOf(item) {
  const place = [...item.parentElement.children].indexOf(item) + 1;
  return interpolate(gettext("%(what)s is number %(place)s of %(count)s."), {
    what: words(item),
    place,
    count: item.parentElement.children.length,
  });
}

const words = (item) => find(".ordering-text", item).textContent.trim();

/** Keep the keyboard where it was: on the same button, or on one that is there. */
function focusOn(item, way) {
  const wanted = find(`[data-move="${way}"]`, item);
  const there = wanted && wanted.offsetParent ? wanted : find(isPlaced(item) ? '[data-move="up"]' : '[data-move="in"]', item);
  there?.focus();
}

async function letDrag(ordering) {
  const { default: Sortable } = await import("sortable");
  for (const list of [find("[data-placed]", ordering), find("[data-pool]", ordering)]) {
    Sortable.create(list, {
      group: "ordering",
      filter: "button",
      preventOnFilter: false,
      ghostClass: "is-dragged",
      delay: 150,
      delayOnTouchOnly: true,
      onEnd: ({ item }) => settle(item),
    });
  }
}
