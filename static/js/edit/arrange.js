// Everything in order again, on request; what stood elsewhere can be put back.

import { toast } from "lib/announce";
import { delegate, element } from "lib/dom";
import { gettext } from "lib/i18n";
import { onGraph } from "graph/host";
import { savePlaces } from "graph/places";
import { post } from "edit/parts";

export function startArranging() {
  onGraph((cy) => {
    delegate("click", "#arrange, [data-arrange]", async () => {
      const answer = await post("arrange/", {});
      if (!answer.ok) return;
      const { places } = await answer.json();
      const before = putAll(cy, places);
      const back = element("button", { type: "button", class: "link-button" }, gettext("Put back"));
      const shown = toast(gettext("Arranged anew."));
      shown.append(" ", back);
      back.addEventListener("click", () => {
        putAll(cy, before);
        cy.nodes().forEach((node) => savePlaces(node));
        shown.remove();
      });
    });
  });
}

/** Put everything where `places` says; what was is given back. */
function putAll(cy, places) {
  const before = {};
  cy.batch(() => {
    for (const node of cy.nodes()) {
      const { x, y } = node.position();
      before[node.id()] = [x, y];
      const place = places[node.id()];
      if (place) node.position({ x: place[0], y: place[1] });
    }
  });
  return before;
}
