// What else is drawn beside the nodes' cards: links, switches, a palette. A layer registers before the drawing is made
// (import its module in lab/page.js) and is told of every state.
//
//   registerLayer({
//     name: "fabric",
//     style: [{ selector: ".link", style: { … } }],        // Cytoscape style, may be a function of nothing
//     update(cy, state, before) { … },                     // add, change, remove elements of its own
//     card(element, name, state) { … },                    // put something onto a node's card
//   });

const registered = [];

export function registerLayer(layer) {
  registered.push(layer);
}

export const layers = () => registered;
