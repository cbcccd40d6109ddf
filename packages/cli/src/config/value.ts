// Values of settings, from texts (environment, flags) and from config files.

import { resolve } from "node:path";
import { findNearest } from "@stoa/definition";
import { maskSecrets } from "./secrets.js";
import type { SettingType } from "./settings.js";

export type Value = string | number | boolean;

export type Reading =
  | { readonly ok: true; readonly value: Value }
  /** `"x" is not a port`, and what is one. */
  | { readonly ok: false; readonly message: string; readonly hint: string };

/** Texts of the environment and of flags. `base` is where paths begin. */
export function readText(type: SettingType, text: string, base: string): Reading {
  switch (type.kind) {
    case "integer":
      return /^\d{1,15}$/.test(text) && isWithin(type, Number(text))
        ? good(Number(text))
        : refuse(type, text);
    case "boolean": {
      const word = text.trim().toLowerCase();
      if (YES.includes(word)) return good(true);
      return NO.includes(word) ? good(false) : refuse(type, text);
    }
    case "text":
    case "folder":
    case "database":
    case "choice":
      return readValue(type, text, base);
  }
}

const YES: readonly string[] = ["true", "1", "yes", "on"];
const NO: readonly string[] = ["false", "0", "no", "off"];

/** Values of config files: of the right type, and no texts that look like it. */
export function readValue(type: SettingType, value: unknown, base: string): Reading {
  switch (type.kind) {
    case "integer":
      if (typeof value === "string" && /^\d+$/.test(value))
        return refuse(type, value, "; write it without quotes");
      return typeof value === "number" && isWithin(type, value) ? good(value) : refuse(type, value);
    case "boolean":
      return typeof value === "boolean" ? good(value) : refuse(type, value);
    case "text":
      return isText(value) ? good(value) : refuse(type, value);
    case "folder":
      return isText(value) ? good(resolve(base, value)) : refuse(type, value);
    case "database":
      return isText(value) && isDatabase(value) ? good(value) : refuse(type, value);
    case "choice":
      return typeof value === "string" && type.values.includes(value) ? good(value) : refuse(type, value);
  }
}

function good(value: Value): Reading {
  return { ok: true, value };
}

function isWithin({ min, max }: Extract<SettingType, { kind: "integer" }>, number: number): boolean {
  return Number.isInteger(number) && number >= min && number <= max;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && !value.includes("\0");
}

function isDatabase(text: string): boolean {
  return text === EMBEDDED || (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text));
}

/** The database of the project's own. */
export const EMBEDDED = "embedded";

function refuse(type: SettingType, value: unknown, advice = ""): Reading {
  return { ok: false, message: complaint(type, value), hint: `${ruleOf(type, value)}${advice}` };
}

function complaint(type: SettingType, value: unknown): string {
  if (type.kind === "database") {
    // The text is not repeated: it may hold a password.
    return typeof value === "string" && /^postgres(ql)?:\/\//.test(value)
      ? "the database URL cannot be read"
      : "the database URL must begin with postgres://";
  }
  return type.kind === "boolean"
    ? `${show(value)} is neither true nor false`
    : `${show(value)} is not ${nounOf(type)}`;
}

function nounOf(type: Exclude<SettingType, { kind: "boolean" | "database" }>): string {
  return type.kind === "folder" ? "the path of a folder" : type.noun;
}

/** What a value must be, in words. */
function ruleOf(type: SettingType, value: unknown): string {
  switch (type.kind) {
    case "integer":
      return type.rule ?? `${type.noun} is a whole number from ${type.min} to ${type.max}`;
    case "boolean":
      return "write true or false";
    case "text":
      return `write ${type.noun}, as a text`;
    case "folder":
      return "write a path, as a text";
    case "database":
      return `write postgres://user:password@host/database (characters such as @ and / in a password as %40 and %2F), or ${EMBEDDED}`;
    case "choice": {
      const near = typeof value === "string" ? findNearest(value, type.values) : null;
      const all = `one of ${type.values.join(", ")}`;
      return near === null ? all : `did you mean ${near}? It is ${all}`;
    }
  }
}

const LONGEST_SHOWN = 60;

export function show(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(shorten(maskSecrets(value)));
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "a list" : "an object";
    case "function":
      return "a function";
    default:
      return String(value);
  }
}

function shorten(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
