// Names of projects: what npm takes as the name of a package.

import { builtinModules } from "node:module";
import { InitProblem } from "./problem.js";

const LONGEST = 214;
const PART = /^[a-z0-9~-][a-z0-9._~-]*$/;
/** npm refuses to install a package below one of the same name. */
const DEPENDENCIES = ["stoa", "typescript", "@types/node"];
const TAKEN = new Set([...builtinModules, ...DEPENDENCIES, "node_modules", "favicon.ico"]);

/** What is wrong with a name; undefined if nothing is. */
function faultOf(name: string): string | undefined {
  const parts = name.startsWith("@") ? name.slice(1).split("/") : [name];
  if (name === "") return "it is empty";
  if (name.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  if (DEPENDENCIES.includes(name)) return "a package of this name is installed into the project";
  if (TAKEN.has(name)) return "Node has something else by this name";
  if (/[A-Z]/.test(name)) return "it has capital letters";
  if (name.startsWith("@") && parts.length !== 2) return "a scope is followed by one name: @scope/name";
  if (/^[._]/.test(parts.at(-1) ?? "")) return "it begins with a dot or an underscore";
  if (!parts.every((part) => PART.test(part))) return "it has characters that cannot be in an address";
  return undefined;
}

/** A name that somebody has chosen: taken as it is, or refused with one that would do. */
export function checkName(name: string): string {
  const fault = faultOf(name);
  if (fault === undefined) return name;
  const suggestion = nameFor(name);
  throw new InitProblem(`"${name}" cannot be the name of a project: ${fault}.`, {
    hint: `npm takes small letters, digits, - . and _; for example ${suggestion}`,
  });
}

/** The name of a project in a folder that is called so. */
export function nameFor(folder: string): string {
  const plain = folder
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, "-")
    .replace(/^[-._]+|-+$/g, "")
    .slice(0, LONGEST);
  if (plain === "") return "my-stoa-app";
  return faultOf(plain) === undefined ? plain : `${plain}-app`;
}
