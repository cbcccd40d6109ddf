// Places in the sources, by the names of their files.

import type { Definition, Place } from "@stoa/definition";
import type { SourcePlace } from "./explanation.js";

export function sourcePlace({ sources }: Definition, [file, line, column]: Place): SourcePlace {
  return { file: sources[file] ?? "", line, column };
}
