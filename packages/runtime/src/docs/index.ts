// What an application tells of itself where it is asked to: its OpenAPI document, and a page to read it on and to try
// it out.

import type { Definition } from "@stoa/definition";
import { type OpenApiOptions, writeOpenApi } from "@stoa/generators";
import type { Reply, Route } from "../exchange.js";
import { CONTENT_SECURITY_POLICY, PAGE, startScript } from "./page.js";
import { readViewerFile, VIEWER_FILES, type ViewerFile } from "./viewer-files.js";

/** What the document says of the application. */
export type DocumentationOptions = Omit<OpenApiOptions, "serverUrl">;

const DEFAULT_PATH = "/docs";

export function documentationRoutes(definition: Definition, options: DocumentationOptions): Route[] {
  let bytes: Uint8Array | undefined;
  const document = async (): Promise<Reply> => {
    bytes ??= Buffer.from(writeOpenApi(definition, options));
    return reply(bytes, { "Content-Type": "application/json; charset=utf-8" });
  };
  return [routeAt("/openapi.json", document), ...pathsOf(definition).flatMap(pageRoutes)];
}

/** `/docs` in any case, and where the program wants it. */
function pathsOf({ generators }: Definition): string[] {
  const wanted = generators.flatMap((each) =>
    each.kind === "apidocs" && each.basePath !== null ? [each.basePath] : [],
  );
  return [...new Set([DEFAULT_PATH, ...wanted].map((path) => `/${path.replaceAll(/^\/+|\/+$/g, "")}`))];
}

function pageRoutes(path: string): Route[] {
  const start = Buffer.from(startScript("../".repeat(path.split("/").length - 1)));
  const page = async (): Promise<Reply> =>
    reply(Buffer.from(PAGE), {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": CONTENT_SECURITY_POLICY,
      "Referrer-Policy": "no-referrer",
    });
  return [
    routeAt(path, page),
    routeAt(`${path}/start.js`, async () =>
      reply(start, { "Content-Type": VIEWER_FILES["swagger-ui-bundle.js"] }),
    ),
    ...(Object.keys(VIEWER_FILES) as ViewerFile[]).map((name) =>
      routeAt(`${path}/${name}`, () => viewerReply(name)),
    ),
  ];
}

/** The slash keeps the name apart from those of endpoints. */
function routeAt(path: string, handle: () => Promise<Reply>): Route {
  return { name: `docs${path}`, method: "GET", path, handle };
}

async function viewerReply(name: ViewerFile): Promise<Reply> {
  const headers = { "Content-Type": VIEWER_FILES[name], "Cache-Control": "private, max-age=3600" };
  return reply(await readViewerFile(name), headers);
}

function reply(bytes: Uint8Array, headers: Readonly<Record<string, string>>): Reply {
  return { kind: "reply", status: 200, headers, body: { kind: "bytes", bytes } };
}
