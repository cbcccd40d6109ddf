// The files of the viewer: Swagger UI, as its own package has them. The build puts them beside the program; while
// developing they are taken from the package.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const VIEWER_FILES = {
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "swagger-ui.css": "text/css; charset=utf-8",
} as const;

export type ViewerFile = keyof typeof VIEWER_FILES;

let folder: string | undefined;

function findFolder(): string {
  const built = fileURLToPath(new URL("./viewer", import.meta.url));
  if (existsSync(built)) return built;
  return dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
}

export function readViewerFile(name: ViewerFile): Promise<Uint8Array> {
  folder ??= findFolder();
  return readFile(join(folder, name));
}
