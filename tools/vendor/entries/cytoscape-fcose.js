export { default } from "cytoscape-fcose";
