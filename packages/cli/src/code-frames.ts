// Where code of the project has failed: the frames of a stack that are neither ours nor Node's.

import { dirname, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export interface CodeFrame {
  /** The function, if it has a name. */
  readonly name: string | undefined;
  /** `lib/greet.ts:4:9`, from the present folder on. */
  readonly place: string;
}

/** As V8 writes them: `at deep (/app/greet.ts:4:9)`, `at async file:///app/greet.ts:7:3`. */
const FRAME = /^ +at (?:async )?(?:(.*?) \()?((?:file:|\/|[A-Za-z]:[\\/]).*):(\d+):(\d+)\)?$/;

/** What is bundled stands in one folder, and so do the sources that it is made of. */
const OWN_FOLDER = dirname(fileURLToPath(import.meta.url)) + sep;

export function codeFramesOf({ stack = "" }: Error): readonly CodeFrame[] {
  return stack.split("\n").flatMap((line) => {
    const [, name, file = "", row, column] = FRAME.exec(line) ?? [];
    const path = file.startsWith("file:") ? pathOf(file) : file;
    // Code that is evaluated has no file: what stands there then is who evaluates it.
    if (path === "" || path.startsWith(OWN_FOLDER) || name?.startsWith("eval")) return [];
    return [{ name, place: `${relative(process.cwd(), path)}:${row}:${column}` }];
  });
}

function pathOf(address: string): string {
  try {
    return fileURLToPath(address.replace(/\?.*$/, ""));
  } catch {
    return "";
  }
}
