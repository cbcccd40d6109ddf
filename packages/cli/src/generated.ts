// What generators make of a program: the OpenAPI document and clients, as files.

import { readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Definition, Generator } from "@stoa/definition";
import type { OpenApiOptions } from "@stoa/generators";
import { EXIT, Failure } from "./failure.js";

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** What the program asks for. Nothing is loaded where that is nothing. */
export async function generateFiles(definition: Definition, root: string): Promise<GeneratedFile[]> {
  if (definition.generators.every(({ kind }) => kind === "apidocs")) return [];
  const files = await Promise.all(definition.generators.map((each) => filesOf(definition, each, root)));
  return files.flat();
}

async function filesOf(definition: Definition, generator: Generator, root: string): Promise<GeneratedFile[]> {
  switch (generator.kind) {
    case "openapi":
      return [{ path: resolve(root, generator.output), text: await openApiText(definition, root) }];
    case "client":
      return clientFiles(definition, generator.target, resolve(root, generator.output));
    case "apidocs":
      return [];
  }
}

export async function openApiText(definition: Definition, root: string): Promise<string> {
  const { writeOpenApi } = await import("@stoa/generators");
  return writeOpenApi(definition, aboutProject(root));
}

export async function clientFiles(
  definition: Definition,
  target: "ts" | "js",
  folder: string,
): Promise<GeneratedFile[]> {
  const { writeClient } = await import("@stoa/generators");
  return writeClient(definition, { target }).map(({ name, text }) => ({ path: join(folder, name), text }));
}

/** What the project's package.json says, if it has one. */
export function aboutProject(root: string): OpenApiOptions {
  let about: Record<string, unknown>;
  try {
    about = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  } catch {
    return {};
  }
  const text = (name: string) => (typeof about[name] === "string" ? about[name] : undefined);
  const { title, version, description, license } = {
    title: text("name"),
    version: text("version"),
    description: text("description"),
    license: text("license"),
  };
  return {
    ...(title === undefined ? {} : { title }),
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    ...(license === undefined || license === "UNLICENSED" ? {} : { license }),
  };
}

/** Files that are the same already stay as they are, so that whoever watches them is not woken up. */
export async function writeFiles(files: readonly GeneratedFile[]): Promise<void> {
  for (const { path, text } of files) {
    try {
      if ((await readIfThere(path)) === text) continue;
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${process.pid}.tmp`;
      await writeFile(temporary, text);
      await rename(temporary, path);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Failure(`${path} cannot be written: ${reason}`, {
        hint: "check the permissions and the free space, or the `output` of the generator",
        exitCode: EXIT.environment,
      });
    }
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}
