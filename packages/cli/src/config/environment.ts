// Settings in variables: those of the environment, and in `stoa dev` those of `.env`.

import { findNearest } from "@stoa/definition";
import { SETTINGS, type Setting, variablesOf } from "./settings.js";

export type Variables = Readonly<Record<string, string | undefined>>;

/** The value of a setting and its variable. An empty variable is one that was not set. */
export function findVariable(
  setting: Setting,
  variables: Variables,
): { readonly variable: string; readonly text: string } | undefined {
  for (const variable of variablesOf(setting)) {
    const text = variables[variable];
    if (text && !isLink(text)) return { variable, text };
  }
  return undefined;
}

/** Kubernetes sets `STOA_PORT=tcp://10.0.0.1:80` and others for a service that is called `stoa`. */
function isLink(text: string): boolean {
  return /^(tcp|udp|sctp):\/\//.test(text);
}

const SERVICE_LINK = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/;

/** Not settings of a project, yet ours. */
const OTHER_VARIABLES: readonly string[] = ["STOA_DEBUG", "STOA_CACHE"];

export interface UnknownVariable {
  readonly variable: string;
  readonly nearest: string | null;
}

/** Variables that look like settings and are none. */
export function findUnknown(variables: Variables): readonly UnknownVariable[] {
  const known = [...(SETTINGS as readonly Setting[]).flatMap(variablesOf), ...OTHER_VARIABLES];
  const ours = known.filter((variable) => variable.startsWith("STOA_"));
  return Object.entries(variables)
    .filter(
      ([variable, text]) => variable.startsWith("STOA_") && !known.includes(variable) && !isLink(text ?? ""),
    )
    .filter(([variable]) => !SERVICE_LINK.test(variable))
    .map(([variable]) => ({ variable, nearest: findNearest(variable, ours) }));
}
