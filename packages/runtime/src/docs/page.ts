// The page with the documentation. All its links are relative, because nobody here knows below which path the
// application is mounted.

import { hash } from "node:crypto";

/**
 * The page is the same with and without a slash at its end; what is relative to it must be so as well. So nothing
 * relative stands in the page itself: browsers look ahead for such addresses before a script can say what they mean.
 */
const LOAD_FILES = `const add = (name, properties) =>
  document.head.append(Object.assign(document.createElement(name), properties));
add("base", { href: location.pathname.replace(/\\/?$/, "/") });
add("link", { rel: "stylesheet", href: "swagger-ui.css" });
add("script", { async: false, src: "swagger-ui-bundle.js" });
add("script", { async: false, type: "module", src: "start.js" });`;

/** Styles of elements are set by the viewer; no other place than this server has a say on the page. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${hash("sha256", LOAD_FILES, "base64")}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="docs"></div>
<script>${LOAD_FILES}</script>
</body>
</html>
`;

/** Requests are tried on the server that the page is from, wherever it is mounted. `up` leads there. */
export function startScript(up: string): string {
  return `const root = new URL("${up}", document.baseURI);
const spec = await (await fetch(new URL("openapi.json", root))).json();
spec.servers = [{ url: root.pathname.replace(/\\/$/, "") || "/" }];
document.title = spec.info.title;
globalThis.SwaggerUIBundle({ spec, dom_id: "#docs", deepLinking: true, persistAuthorization: false });
`;
}
