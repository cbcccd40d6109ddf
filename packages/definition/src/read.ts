// From a text to a definition that can be trusted: JSON, then the version, then the shape, then the names.
// Each stage refuses in words and the next is not asked, so that one mistake is told once. Nothing throws.

import { checkShape, MAX_PROBLEMS } from "./check.js";
import { DEFINITION_VERSION, type Definition } from "./definition.js";
import { findJsonFault } from "./json-fault.js";
import { isObject } from "./parts.js";
import { ROOT, step } from "./position.js";
import {
  emptyFile,
  newerVersion,
  notAnObject,
  notJson,
  noVersion,
  olderVersion,
  type ReadProblem,
  wrongVersion,
} from "./problems.js";
import { checkReferences } from "./references.js";
import { definitionShape } from "./shapes.js";

export type ReadResult =
  | { readonly ok: true; readonly definition: Definition }
  | { readonly ok: false; readonly problems: readonly ReadProblem[] };

export function readDefinition(text: string): ReadResult {
  // Some editors begin a file with a byte order mark, which JSON does not know.
  const json = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (json.trim() === "") return refuse([emptyFile()]);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    const fault = findJsonFault(json);
    return refuse([notJson(fault?.message ?? "unreadable", fault?.line ?? 1, fault?.column ?? 1)]);
  }
  return readDefinitionValue(value);
}

/** For a value that is already parsed; the definition is the value itself, not a copy. */
export function readDefinitionValue(value: unknown): ReadResult {
  const wrongStart = checkVersion(value);
  if (wrongStart !== null) return refuse([wrongStart]);
  const misfits = checkShape(value, definitionShape);
  if (misfits.length > 0) return refuse(misfits);
  // The shape of Definition has just been checked, which is what the cast says.
  const definition = value as Definition;
  const strays = checkReferences(definition);
  return strays.length > 0 ? refuse(strays) : { ok: true, definition };
}

function checkVersion(value: unknown): ReadProblem | null {
  if (!isObject(value)) return notAnObject(value);
  if (!Object.hasOwn(value, "version")) return noVersion(DEFINITION_VERSION);
  const version = value.version;
  const at = step(ROOT, "version");
  if (typeof version !== "number" || !Number.isInteger(version)) return wrongVersion(at, version);
  if (version > DEFINITION_VERSION) return newerVersion(at, version, DEFINITION_VERSION);
  if (version < DEFINITION_VERSION) return olderVersion(at, version, DEFINITION_VERSION);
  return null;
}

function refuse(problems: readonly ReadProblem[]): ReadResult {
  return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
}
