// The document and the page of a running application.

import { hash } from "node:crypto";
import { compile } from "@stoa/compiler";
import { describe, expect, test } from "vitest";
import { testDatabase } from "../../database/test/server.js";
import { createApplication, type DocumentationOptions } from "../src/index.js";

const SOURCE = `
generator apidocs { basePath "/reference/api" }
model Item { field name { type string } }
api { entrypoint Item { list endpoint {} } }
`;

async function open(documentation?: DocumentationOptions) {
  const { definition } = compile([{ name: "case.stoa", text: SOURCE }]);
  if (definition === undefined) throw new Error("The program does not compile.");
  const { database, drop } = await testDatabase();
  const application = createApplication({
    definition,
    database,
    ...(documentation ? { documentation } : {}),
  });
  const get = (path: string) => application.fetch(new Request(`http://stoa.test${path}`));
  return { get, drop };
}

describe("an application that is documented", async () => {
  const { get, drop } = await open({ title: "Items", version: "2.0.0" });

  test("gives its document", async () => {
    const answer = await get("/openapi.json");
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await answer.json()).toMatchObject({
      openapi: "3.1.0",
      info: { title: "Items", version: "2.0.0" },
    });
  });

  test.each(["/docs", "/docs/", "/reference/api"])(
    "has a page at %s that needs nothing from elsewhere",
    async (path) => {
      const answer = await get(path);
      const page = await answer.text();
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page).not.toMatch(/(?:src|href)(?:=|: )"(?:https?:)?\/\//);
      const files = [...page.matchAll(/"([\w.-]+\.(?:js|css))"/g)].map(([, file]) => file);
      expect(files).toEqual(["swagger-ui.css", "swagger-ui-bundle.js", "start.js"]);
      for (const file of files) {
        const found = await get(`${path.replace(/\/$/, "")}/${file}`);
        expect(found.status).toBe(200);
        expect(found.headers.get("content-type")).toMatch(/^text\/(?:css|javascript)/);
        expect((await found.text()).length).toBeGreaterThan(100);
      }
    },
  );

  test("lets no script run that is not its own", async () => {
    const answer = await get("/docs");
    const policy = answer.headers.get("content-security-policy") ?? "";
    const inline = /<script>(.*?)<\/script>/s.exec(await answer.text())?.[1] ?? "";
    expect(policy).toContain(`'sha256-${hash("sha256", inline, "base64")}'`);
    expect(policy).toMatch(/default-src 'none'.*script-src 'self' 'sha256-[^']+';/);
  });

  test("finds the document from wherever the page is", async () => {
    expect(await (await get("/reference/api/start.js")).text()).toContain(
      'new URL("../../", document.baseURI)',
    );
    await drop();
  });
});

test("without being asked, an application tells nothing", async () => {
  const { get, drop } = await open();
  for (const path of ["/openapi.json", "/docs", "/docs/start.js", "/reference/api"])
    expect((await get(path)).status).toBe(404);
  await drop();
});
