// Types of the client as TypeScript: objects of answers and requests, and the problems of an operation.

import type { Definition, RequestField, ValueType } from "@stoa/definition";
import { enumNames } from "../outline/enum-names.js";
import { conflictPaths, inputErrorsOf } from "../outline/input-errors.js";
import { pascalCase } from "../outline/names.js";
import type { Operation } from "../outline/operations.js";
import { type ProblemCode, problemsOf, runsCode } from "../outline/problems.js";
import type { NamedShape, Shape } from "../outline/shapes.js";
import { arrayType, propertyName } from "../type-text.js";

/** A doc comment, indented; nothing where there is nothing to say. */
export function docComment(lines: readonly (string | null | undefined)[], indent = ""): string {
  const said = lines.filter((line) => typeof line === "string" && line !== "").join("\n");
  if (said === "") return "";
  const safe = said.replaceAll("*/", "*\\/").split("\n");
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

// ---------------------------------------------------------------- answers

export function shapeType(definition: Definition, shape: Shape): string {
  switch (shape.kind) {
    case "value":
      return orNull(valueType(definition, shape.type), shape.type.nullable);
    case "object":
      return orNull(shape.name, shape.nullable);
    case "list":
      return orNull(arrayType(shapeType(definition, shape.of)), shape.nullable);
    case "null":
      return "null";
    case "any":
      return "unknown";
  }
}

function orNull(type: string, nullable: boolean): string {
  return nullable ? `${type} | null` : type;
}

export function valueType(definition: Definition, type: ValueType): string {
  switch (type.kind) {
    case "string":
    case "decimal":
    case "date":
    case "datetime":
    case "uuid":
      return "string";
    case "integer":
    case "float":
      return "number";
    case "boolean":
      return "boolean";
    case "json":
      return "Json";
    case "enum":
      return enumNames(definition).get(type.enum) ?? "string";
  }
}

export function enumTypes(definition: Definition): string[] {
  return definition.enums.map(({ name, doc, values }) => {
    const told = values
      .filter((value) => value.doc !== null)
      .map((value) => `- \`${value.name}\`: ${value.doc}`);
    const union = values.map((value) => JSON.stringify(value.name)).join(" | ") || "never";
    return `${docComment([doc, ...told])}export type ${enumNames(definition).get(name)} = ${union};`;
  });
}

export function shapeInterface(definition: Definition, { name, model, properties }: NamedShape): string {
  const lines = properties.map((property) => {
    const type = shapeType(definition, property.shape);
    return `${docComment([property.doc], "  ")}  readonly ${propertyName(property.name)}: ${type};\n`;
  });
  return `${docComment([model?.doc])}export interface ${name} {\n${lines.join("")}}`;
}

// ---------------------------------------------------------------- requests

export function inputInterface(
  definition: Definition,
  name: string,
  fields: readonly RequestField[],
): string {
  return `export interface ${name} ${inputObject(definition, fields, "")}`;
}

function inputObject(definition: Definition, fields: readonly RequestField[], indent: string): string {
  const inner = `${indent}  `;
  const lines = fields.map((field) => {
    const doc = field.kind === "value" ? docComment([field.doc], inner) : "";
    const type = inputType(definition, field, inner);
    const mark = field.required ? `: ${type}` : `?: ${type} | undefined`;
    return `${doc}${inner}readonly ${propertyName(field.name)}${mark};\n`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

/** Decimals may be integers as well, which lose no digits on their way. */
function inputType(definition: Definition, field: RequestField, indent: string): string {
  if (field.kind === "object") return inputObject(definition, field.fields, indent);
  const { type } = field;
  return orNull(type.kind === "decimal" ? "string | number" : valueType(definition, type), type.nullable);
}

// ---------------------------------------------------------------- problems

export function problemType(definition: Definition, operation: Operation): string {
  const { endpoint } = operation;
  const isUpToCode = endpoint.actions.some((action) => action.kind === "execute" && action.responds);
  const named = problemsOf(definition, operation)
    .filter((code) => code !== "internal" && code !== "unavailable")
    .map((code) => problemName(definition, operation, code));
  const own = isUpToCode || runsCode(definition, operation) ? ["OwnProblem"] : [];
  return [...named, ...own, "GeneralProblem"].join(" | ");
}

function problemName(definition: Definition, { endpoint }: Operation, code: ProblemCode): string {
  const name = `${pascalCase(code)}Problem`;
  if (code === "validation") {
    const { paths, codes } = inputErrorsOf(definition, endpoint);
    return `${name}<${literals(paths)}, ${literals(codes)}>`;
  }
  return code === "conflict" ? `${name}<${literals(conflictPaths(definition, endpoint))}>` : name;
}

export function literals(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(" | ") || "never";
}
