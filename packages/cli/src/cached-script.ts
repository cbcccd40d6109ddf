// Loads a script together with the code that V8 made of it. Reading the text of the compiler takes V8 longer than
// compiling a small program takes; so the build keeps the result.

import { readFileSync } from "node:fs";
import module from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

/** What a CommonJS module exports that the build has written with its code. */
export function loadScript(file: string): unknown {
  const require = module.createRequire(file);
  // From 22.8 on, Node keeps the code of modules by itself, and for its own version.
  if ("enableCompileCache" in module) return require(file);
  return runScript(readScript(file, readCode(file)), file, require);
}

/** The module as a function, the way that Node wraps it. */
export function readScript(file: string, cachedData?: Buffer): Script {
  return new Script(module.wrap(readFileSync(file, "utf8")), {
    filename: file,
    ...(cachedData ? { cachedData } : {}),
  });
}

export function runScript(script: Script, file: string, require = module.createRequire(file)): unknown {
  const loaded = { exports: {} };
  script.runInThisContext()(loaded.exports, require, loaded, file, dirname(file));
  return loaded.exports;
}

/** V8 refuses the code of another version of itself, and compiles the script as usual. */
function readCode(file: string): Buffer | undefined {
  try {
    return readFileSync(`${file}.code`);
  } catch {
    return undefined;
  }
}
