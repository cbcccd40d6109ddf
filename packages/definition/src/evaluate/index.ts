export { compileExpression } from "./compile.js";
export * from "./decimal.js";
export { conversionOf, equalJson, isStorable, type Json, jsonOf, jsonText, valueFromJson } from "./json.js";
export {
  dateOfDatetime,
  dateText,
  datetimeJson,
  datetimeOfMilliseconds,
  daysOfDate,
  isDate,
  millisecondsOfDatetime,
  parseDatetime,
} from "./moment.js";
export { numberText } from "./number.js";
export { type EvaluationCode, EvaluationProblem } from "./problem.js";
export { compareTexts, textLength, WHITE_SPACE } from "./text.js";
export type { CompileOptions, Evaluate, EvaluationScope, ReadRecord, Value, ValueObject } from "./value.js";
export { isDecimal, propertyOf } from "./value.js";
