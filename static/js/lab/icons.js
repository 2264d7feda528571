// Icons of the page's own sprite (templates/simulator/_icons.html).

const SVG = "http://www.w3.org/2000/svg";

export function icon(name) {
  const made = document.createElementNS(SVG, "svg");
  made.setAttribute("class", "i");
  made.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  made.append(use);
  return made;
}
