// Terms explain themselves in a card: on hover, on focus, and on the first touch. The card can be pointed at, and goes
// on Escape (WCAG 1.4.13). Without a script a term is a link into the glossary.

import { find } from "lib/dom";

const LINGERS = 200; // milliseconds, so that the pointer can move from the term to its card
const GAP = 6; // pixels

let shown = null; // { term, card }
let timer = null;

export function startTerms() {
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const term = termAt(event.target);
    if (term) show(term);
    else if (event.target.closest(".term-card")) stay();
    else leave();
  });
  document.addEventListener("focusin", (event) => {
    const term = termAt(event.target);
    if (term) show(term);
    else hide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  document.addEventListener("click", touched);
}

const termAt = (target) => (target instanceof Element ? target.closest(".term[data-term]") : null);

/** A touch opens the card; the second one follows the link. */
function touched(event) {
  const term = termAt(event.target);
  if (!term) {
    if (!event.target.closest(".term-card")) hide();
    return;
  }
  if (event.pointerType === "touch" && shown?.touched !== term) {
    event.preventDefault();
    show(term);
    if (shown) shown.touched = term;
  }
}

function show(term) {
  stay();
  if (shown?.term === term) return;
  hide();
  const card = find(`#${CSS.escape(`term-card-${term.dataset.term}`)}`);
  if (!card) return;
  shown = { term, card, home: card.parentElement, touched: null };
  document.body.append(card);
  card.classList.add("is-shown");
  card.setAttribute("role", "status");
  place(term, card);
}

/** Below the term where there is room, else above it; never beyond the window's edge. */
function place(term, card) {
  const box = term.getClientRects()[0];
  const { width, height } = card.getBoundingClientRect();
  const left = Math.max(GAP, Math.min(box.left, document.documentElement.clientWidth - width - GAP));
  const below = box.bottom + GAP + height < innerHeight;
  card.style.left = `${left + scrollX}px`;
  card.style.top = `${(below ? box.bottom + GAP : box.top - GAP - height) + scrollY}px`;
}

function leave() {
  if (!shown || timer) return;
  timer = setTimeout(hide, LINGERS);
}

function stay() {
  clearTimeout(timer);
  timer = null;
}

function hide() {
  stay();
  if (!shown) return;
  const { card, home } = shown;
  shown = null;
  card.classList.remove("is-shown");
  card.removeAttribute("role");
  home.append(card);
}
