// Loads a script together with the code that V8 made of it. The compiler is most of what a command has to load,
// and reading its text takes V8 longer than compiling a small program takes; so the build keeps the result.

import { readFileSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/** The value of a script that the build has put beside the bundle. */
export function loadScript(name: string, bundleUrl: string): unknown {
  const file = fileURLToPath(new URL(name, bundleUrl));
  // From 22.8 on, Node keeps the code of modules by itself, and for its own version.
  if ("enableCompileCache" in module) return module.createRequire(bundleUrl)(file);
  const cachedData = readCode(file);
  const script = new Script(readFileSync(file, "utf8"), {
    filename: file,
    ...(cachedData ? { cachedData } : {}),
  });
  return script.runInThisContext();
}

/** V8 refuses the code of another version of itself, and compiles the script as usual. */
function readCode(file: string): Buffer | undefined {
  try {
    return readFileSync(`${file}.code`);
  } catch {
    return undefined;
  }
}
