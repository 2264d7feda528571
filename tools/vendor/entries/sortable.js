export { default } from "sortablejs";
