// Type names of the source → types.

import type { PlainKind, ValueType } from "@stoa/definition";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/models.js";
import { typeCalled } from "../foreign-types.js";
import { type Expr, isMissing, type TypeNode } from "../syntax/tree.js";

const PLAIN: ReadonlySet<string> = new Set<PlainKind>([
  "string",
  "integer",
  "float",
  "boolean",
  "date",
  "datetime",
  "uuid",
  "json",
]);

export const TYPE_NAMES: readonly string[] = [...PLAIN, "decimal"];

export interface TypeNames {
  readonly enums: ReadonlyMap<string, unknown>;
  readonly models: ReadonlyMap<string, unknown>;
  readonly damaged: boolean;
}

/** The type, or undefined after a report. */
export function resolveValueType(
  node: TypeNode,
  nullable: boolean,
  { names, report }: { names: TypeNames; report: (diagnostic: Diagnostic) => void },
): ValueType | undefined {
  const { text, span } = node.name;
  if (isMissing(node.name)) return undefined;
  if (text === "decimal") return resolveDecimal(node, nullable, report);
  const isKnown = PLAIN.has(text) || names.enums.has(text);
  if (isKnown && node.arguments.length > 0) report(say.typeArguments(node.span, text));
  if (PLAIN.has(text)) return { kind: text as PlainKind, nullable };
  if (names.enums.has(text)) return { kind: "enum", enum: text, nullable };
  if (names.models.has(text)) report(say.modelAsType(span, text));
  else if (!names.damaged) {
    report(say.unknownType(span, text, [...TYPE_NAMES, ...names.enums.keys()], typeCalled(text)));
  }
  return undefined;
}

/** PostgreSQL's own limits. */
const MAX_PRECISION = 1000;

function resolveDecimal(
  node: TypeNode,
  nullable: boolean,
  report: (diagnostic: Diagnostic) => void,
): ValueType | undefined {
  if (node.arguments.length === 0) return { kind: "decimal", nullable };
  const [precision, scale] = node.arguments.map(positiveInteger);
  const isRight =
    node.arguments.length === 2 &&
    precision !== undefined &&
    scale !== undefined &&
    precision >= 1 &&
    precision <= MAX_PRECISION &&
    scale <= precision;
  if (isRight) return { kind: "decimal", nullable, precision, scale };
  report(say.decimalArguments(node.span));
  return undefined;
}

function positiveInteger(expression: Expr): number | undefined {
  return expression.kind === "integer" ? expression.value : undefined;
}
