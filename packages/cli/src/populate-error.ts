// A row that a populator could not write, in words.

import type { Palette } from "@stoa/compiler";
import type { PopulateError } from "@stoa/database";

export function renderPopulateError({ message, hint, values }: PopulateError, palette: Palette): string {
  return [
    `${palette.error("error")}${palette.strong(`: ${message}`)}`,
    ...Object.entries(values ?? {}).map(
      ([name, value]) => `  ${palette.faint(`${name}:`)} ${JSON.stringify(value)}`,
    ),
    ...(hint ? [`  ${palette.note("= hint:")} ${hint}`] : []),
  ].join("\n");
}
