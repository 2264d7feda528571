// The table of contents shows the section one reads, and switching the language comes back to it.

import { delegate, find, findAll } from "lib/dom";

let current = "";

export function startContents() {
  const sections = findAll("[data-section]");
  const look = () => {
    const passed = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 3);
    mark(passed.at(-1)?.id ?? "");
  };
  addEventListener("scroll", look, { passive: true });
  addEventListener("resize", look, { passive: true });
  look();
  if (matchMedia("(width < 64rem)").matches) find("[data-contents]").open = false;
  delegate("submit", 'form:has([name="language"])', (_event, form) => {
    const next = form.elements.namedItem("next");
    if (next && current) next.value = `${location.pathname}${location.search}#${current}`;
  });
}

function mark(id) {
  if (id === current) return;
  current = id;
  for (const link of findAll(".lesson-contents a")) {
    if (link.hash === `#${id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}
