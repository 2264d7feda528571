// YAML documents that keep comments and everything else when single values are changed.
export { isMap, isScalar, isSeq, parseAllDocuments } from "yaml";
