// `stoa generate openapi | client`: what clients need, to a file or to standard output.

import { basename, relative, resolve } from "node:path";
import { EXIT, Failure } from "../failure.js";
import { clientFiles, type GeneratedFile, openApiText, writeFiles } from "../generated.js";
import { compileProject } from "../project.js";
import { paletteFor, print, printError, printRaw } from "../terminal.js";

interface OutputFlags {
  readonly output?: string;
  readonly json?: boolean;
}

export async function generateOpenApi(path: string, flags: OutputFlags): Promise<number> {
  const { definition, root } = await compileProject(path, flags);
  if (definition === undefined) return EXIT.user;
  const text = await openApiText(definition, root);
  return handOut([{ path: resolve(flags.output ?? "openapi.json"), text }], flags);
}

export interface ClientFlags extends OutputFlags {
  readonly target?: "ts" | "js";
}

export async function generateClient(path: string, flags: ClientFlags): Promise<number> {
  const { definition } = await compileProject(path, flags);
  if (definition === undefined) return EXIT.user;
  return handOut(await clientFiles(definition, flags.target ?? "ts", resolve(flags.output ?? ".")), flags);
}

/** To files, if it is said where; otherwise the text itself. */
async function handOut(files: readonly GeneratedFile[], { output, json }: OutputFlags): Promise<number> {
  const [first] = files;
  if (json) {
    if (output !== undefined) await writeFiles(files);
    const written = files.map(({ path, text }) =>
      output === undefined ? { name: basename(path), text } : { path },
    );
    print(JSON.stringify({ diagnostics: [], files: written }));
  } else if (output !== undefined) await writeAndTell(files);
  else if (files.length === 1 && first !== undefined) printRaw(first.text);
  else
    throw new Failure("A client in JavaScript has several files.", { hint: "say where: --output <folder>" });
  return EXIT.ok;
}

/** On standard error: what goes to standard output is the text itself. */
async function writeAndTell(files: readonly GeneratedFile[]): Promise<void> {
  await writeFiles(files);
  const palette = paletteFor(process.stderr);
  for (const { path } of files)
    printError(`${palette.good("✓")} wrote ${relative(process.cwd(), path) || path}`);
}
