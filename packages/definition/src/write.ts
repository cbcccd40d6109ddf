// A definition as text: the same definition gives the same bytes, whatever the order in which its objects were
// filled, and a small change to the program is a small difference between two texts.

import type { Definition } from "./definition.js";
import { type Part, partsOf } from "./parts.js";
import { isScalar, type ShapeNode, shapeFor } from "./shape.js";
import { definitionShape } from "./shapes.js";

/** Keys come in the order of the shapes; keys that the types do not know are left out. */
export function writeDefinition(definition: Definition): string {
  return `${writeValue(definition, definitionShape, "\n")}\n`;
}

/** `newline` is a line break with the indentation of the line on which the value begins. */
function writeValue(value: unknown, shape: ShapeNode, newline: string): string {
  const body = shapeFor(value, shape);
  if (isScalar(body)) return writeScalar(value);
  const parts = partsOf(value, body);
  const line = parts.every(isFlat) ? writeLine(parts) : null;
  return line !== null && line.length <= MAX_LINE ? line : writeBlock(parts, newline);
}

/** A list or object of scalars stays on one line up to this length, wherever it stands. */
const MAX_LINE = 80;

function isFlat({ value }: Part): boolean {
  return typeof value !== "object" || value === null;
}

function writeLine(parts: readonly Part[]): string {
  const texts = parts.map((part) => writeKey(part) + writeScalar(part.value)).join(", ");
  return isList(parts) ? `[${texts}]` : `{ ${texts} }`;
}

/** Added up piece by piece, since joining lists would copy the text once for every level. */
function writeBlock(parts: readonly Part[], newline: string): string {
  const inner = `${newline}  `;
  let text = isList(parts) ? "[" : "{";
  for (const [index, part] of parts.entries()) {
    text += index === 0 ? inner : `,${inner}`;
    text += writeKey(part) + writeValue(part.value, part.shape, inner);
  }
  return text + newline + (isList(parts) ? "]" : "}");
}

/** No object of a definition is empty, so no parts mean an empty list. */
function isList(parts: readonly Part[]): boolean {
  return typeof parts[0]?.key !== "string";
}

/** Keys are the words of the types: there is nothing to escape. */
function writeKey({ key }: Part): string {
  return typeof key === "string" ? `"${key}": ` : "";
}

function writeScalar(value: unknown): string {
  if (Object.is(value, -0)) return "-0";
  const writable =
    typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value);
  if (!writable) throw new Error(`JSON has no way to write ${String(value)}`);
  return JSON.stringify(value);
}
