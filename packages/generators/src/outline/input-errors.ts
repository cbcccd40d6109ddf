// What can be wrong with the inputs of an endpoint: where, and by which codes.

import type { Action, Definition, Endpoint, RequestField, ValueType } from "@stoa/definition";
import { ruleCodes } from "./rules.js";

export interface InputErrors {
  /** JSON pointers of the inputs; names that nobody knows come with pointers of their own. */
  readonly paths: readonly string[];
  readonly codes: readonly string[];
}

export function inputErrorsOf(definition: Definition, endpoint: Endpoint): InputErrors {
  const { request, list, kind, method, actions } = endpoint;
  const isRead = kind === "get" || kind === "list";
  const fields = valueFields(request?.fields ?? []);
  const paging = list?.pagination ? ["/page", "/pageSize"] : [];
  const actionPaths = actions.flatMap((action) =>
    action.kind === "validate" ? [pointerOf(action.key)] : [],
  );
  const codes = [
    ...["repeated", "unknown"],
    ...(paging.length > 0 ? ["integer", "max", "min"] : []),
    ...(method === "GET" || method === "DELETE" ? [] : ["duplicate", "type"]),
    ...(request?.fields ?? []).flatMap((field) => fieldCodes(definition, field)),
    ...(isRead ? [] : actions.flatMap((action) => actionCodes(definition, action))),
  ];
  const paths = [...paging, ...fields.map(({ path }) => pointerOf(path)), ...actionPaths];
  return { paths: [...new Set(paths)].sort(), codes: [...new Set(codes)].sort() };
}

export function pointerOf(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export interface PlacedField {
  readonly path: readonly string[];
  readonly field: RequestField;
}

/** All fields, those inside objects after their object. */
export function valueFields(fields: readonly RequestField[], above: readonly string[] = []): PlacedField[] {
  return fields.flatMap((field): PlacedField[] => {
    const path = [...above, field.name];
    const inside = field.kind === "object" ? valueFields(field.fields, path) : [];
    return [{ path, field }, ...inside];
  });
}

function fieldCodes(definition: Definition, field: RequestField): string[] {
  const own = field.required ? ["required"] : [];
  if (field.kind === "object") {
    return [...own, "null", "type", ...field.fields.flatMap((each) => fieldCodes(definition, each))];
  }
  const { type, validate, source } = field;
  return [
    ...own,
    ...(type.nullable ? [] : ["null"]),
    ...typeCodes(type),
    ...validate.flatMap((rule) => ruleCodes(definition, rule)),
    ...(source.kind === "extra" ? [] : ["not-found"]),
    // A default may be worked out and come to nothing.
    ...(field.default === null || field.default.kind === "literal" ? [] : CALCULATED),
  ];
}

function typeCodes({ kind }: ValueType): string[] {
  switch (kind) {
    case "string":
      return ["type", "invalid-text"];
    case "integer":
      return ["type", "integer-range"];
    case "float":
      return ["type", "float-range"];
    case "decimal":
      return ["type", "too-many-digits"];
    case "datetime":
      return ["type", "datetime-range"];
    case "json":
      return ["type", "duplicate", "float-range", "inexact-number", "invalid-text"];
    case "enum":
      return ["enum", "type"];
    case "boolean":
    case "date":
    case "uuid":
      return ["type"];
  }
}

const CALCULATED = [
  "datetime-out-of-range",
  "division-by-zero",
  "float-out-of-range",
  "integer-out-of-range",
  "out-of-range",
  "type-mismatch",
];

function actionCodes(definition: Definition, action: Action): string[] {
  switch (action.kind) {
    case "validate":
      return [...ruleCodes(definition, action.rule), "condition"];
    case "create":
    case "update":
      return [...CALCULATED, "check", "not-found", "not-null"];
    case "query":
      return action.operation.kind === "update" ? [...CALCULATED, "check", "not-found", "not-null"] : [];
    case "execute":
    case "respond":
      return CALCULATED;
    case "delete":
      return [];
  }
}

/** Inputs whose values may be taken already. */
export function conflictPaths({ models }: Definition, { actions }: Endpoint): string[] {
  const paths = actions.flatMap((action) => {
    if (action.kind !== "create" && action.kind !== "update") return [];
    const uniques = models.find(({ name }) => name === action.model)?.table.uniques ?? [];
    return uniques.flatMap(({ members }) =>
      members.map((member) => {
        const assignment = action.assignments.find((each) => each.member === member);
        const isInput = assignment?.kind === "input" || assignment?.kind === "lookup";
        return pointerOf(isInput ? assignment.field : [member]);
      }),
    );
  });
  return [...new Set(paths)].sort();
}
