// The inputs of requests: from bytes to values that fit, or to everything that is wrong with them.

export { type BodySource, DEFAULT_MAX_BODY_BYTES, readBody } from "./body.js";
export { conditionFails, Fault } from "./fault.js";
export type { Input, InputOrigin, Inputs, Slot } from "./inputs.js";
export { parameterText } from "./parameter.js";
export { pointerOf } from "./pointer.js";
export { type CompiledRequest, compileRequest, type InputSource, type RequestOptions } from "./request.js";
export { type CompiledRule, compileRule, type Verdict } from "./rule.js";
export type { RuleRun, ValidatorHook, ValidatorHooks } from "./validator.js";
