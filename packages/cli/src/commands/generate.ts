// `stoa generate openapi | client`: what clients need, to a file or to standard output.

import { relative, resolve } from "node:path";
import { EXIT, Failure } from "../failure.js";
import { clientFiles, type GeneratedFile, openApiText, writeFiles } from "../generated.js";
import { compileProject } from "../project.js";
import { paletteFor, printError } from "../terminal.js";

export interface OpenApiFlags {
  readonly output?: string;
}

export async function generateOpenApi(path: string, { output }: OpenApiFlags): Promise<number> {
  const { definition, root } = await compileProject(path, {});
  if (definition === undefined) return EXIT.user;
  const text = await openApiText(definition, root);
  if (output === undefined) process.stdout.write(text);
  else await writeAndTell([{ path: resolve(output), text }]);
  return EXIT.ok;
}

export interface ClientFlags {
  readonly output?: string;
  readonly target?: "ts" | "js";
}

export async function generateClient(path: string, { output, target = "ts" }: ClientFlags): Promise<number> {
  const { definition } = await compileProject(path, {});
  if (definition === undefined) return EXIT.user;
  const files = await clientFiles(definition, target, resolve(output ?? "."));
  const [first] = files;
  if (output !== undefined) await writeAndTell(files);
  else if (files.length === 1 && first !== undefined) process.stdout.write(first.text);
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
