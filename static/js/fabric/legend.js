// The legend of a drawing: each kind of link that is in it, with its line and its words.

import { element } from "lib/dom";

const SVG = "http://www.w3.org/2000/svg";

/** Fill the list `place` with what the links { family, width, text } of a drawing are. */
export function fillLegend(place, links) {
  const found = new Map();
  for (const link of links) {
    const known = found.get(link.text) ?? { ...link, count: 0 };
    known.count += 1;
    found.set(link.text, known);
  }
  const rows = [...found.values()].sort((one, other) => other.width - one.width);
  place.replaceChildren(...rows.map((row) => element("li", {}, swatch(row), " ", row.count > 1 ? `${row.text} (${row.count})` : row.text)));
}

function swatch({ family, width }) {
  const made = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ class: `line line-${family}`, "aria-hidden": "true", width: 32, height: 12 })) made.setAttribute(name, value);
  const double = ["infiniband", "roce"].includes(family);
  for (const shift of double ? [-1.75, 1.75] : [0]) {
    const line = document.createElementNS(SVG, "line");
    for (const [name, value] of Object.entries({ x1: 0, x2: 32, y1: 6 + shift, y2: 6 + shift, "stroke-width": double ? 1.5 : width })) line.setAttribute(name, value);
    made.append(line);
  }
  return made;
}
