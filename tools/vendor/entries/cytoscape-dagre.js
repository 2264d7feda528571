export { default } from "cytoscape-dagre";
