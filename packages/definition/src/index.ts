export * from "./definition.js";
export * from "./evaluate/index.js";
export * from "./expression.js";
export * from "./hooks.js";
export { findJsonFault, type JsonFault } from "./json-fault.js";
export { findNearest } from "./nearest.js";
export { type PatternReading, readPattern } from "./pattern.js";
export { printExpression, printOrder, printType } from "./print.js";
export type { ReadProblem } from "./problems.js";
export * from "./read.js";
export * from "./schema.js";
export type { ShapeNode } from "./shape.js";
export { definitionShape } from "./shapes.js";
export {
  conjuncts,
  enumValuesOf,
  expressionParts,
  isAlwaysTrue,
  modelOfType,
  someExpression,
} from "./traverse.js";
export * from "./types.js";
export { BUILT_IN_VALIDATORS } from "./validators.js";
export * from "./write.js";
