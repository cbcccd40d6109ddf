// `stoa dev` as a process: what is saved is live, what is broken is not, and nothing is left behind.

import { existsSync, readFileSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import { appendFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { startThrowaway } from "@stoa/database";
import { describe, expect, it } from "vitest";
import { onTerminal } from "./develop.js";
import { inFolder, stoa } from "./run.js";
import { processesOf, until, whileDeveloping } from "./serve.js";

const MODELS = `model Author {
  field name { type string, unique }
  field note { type string, nullable }
}

populator Dev {
  populate Author {
    repeat as i 2
    set name "Author " + stringify(i.current)
  }
}
`;

const API = `api {
  entrypoint Author as author {
    identify { through name }
    response { name }

    list endpoint {}
    create endpoint {}
  }
}
`;

const APP = { "models.stoa": MODELS, "api.stoa": API };
const BROKEN = API.replace("response { name }", "response { nam }");
const CLIENT = "client.ts";
const HTML = { Accept: "text/html" };

/** The api with another shape of answers. */
function answering(shape: string): string {
  return API.replace("response { name }", `response { ${shape} }`);
}

const WITHOUT_NOTE = MODELS.replace("  field note { type string, nullable }\n", "");

async function list(url: string): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${url}/api/author`);
  const body = await response.json();
  return Array.isArray(body) ? body : [];
}

const firstOf = async (url: string) => (await list(url))[0] ?? {};

describe("sources", () => {
  it("are pushed, populated, served and followed, with a document and a page", () =>
    inFolder(APP, async (cwd) => {
      await whileDeveloping([], { cwd }, async ({ url, log }) => {
        expect(await list(url)).toEqual([{ name: "Author 1" }, { name: "Author 2" }]);
        expect(log().find(({ msg }) => msg === "listening")).toMatchObject({
          endpoints: 2,
          data: "populated by Dev (2 rows)",
          isLive: true,
        });
        const docs = await fetch(`${url}/docs`, { headers: HTML });
        expect([docs.status, docs.headers.get("stoa-dev")]).toEqual([200, null]);
        expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
        await writeFile(join(cwd, "api.stoa"), answering("name, label: name"));
        await until(async () => (await firstOf(url)).label === "Author 1");
        // As editors do: written beside and moved into place.
        await writeFile(join(cwd, "api.stoa~"), answering("name, other: name"));
        await rename(join(cwd, "api.stoa~"), join(cwd, "api.stoa"));
        await until(async () => (await firstOf(url)).other === "Author 1");
        await until(() => log().filter(({ msg }) => msg === "live").length === 2);
        expect(log().findLast(({ msg }) => msg === "live")).toMatchObject({ files: ["api.stoa"], steps: [] });
      });
      // A database with data is left alone.
      await whileDeveloping([], { cwd }, async ({ url, log }) => {
        expect(await list(url)).toHaveLength(2);
        expect(log().find(({ msg }) => msg === "listening")).toMatchObject({ data: "has data already" });
      });
    }));

  it("may come, go and be moved, and what they add to the models is there at once", () =>
    inFolder(APP, async (cwd) => {
      await whileDeveloping([], { cwd }, async ({ url, log }) => {
        await mkdir(join(cwd, "more"));
        await writeFile(join(cwd, "more/tag.stoa"), "model Tag { field label { type string } }\n");
        await writeFile(
          join(cwd, "api.stoa"),
          `${API.trimEnd().slice(0, -1)}  entrypoint Tag as tag { list endpoint {} }\n}\n`,
        );
        await until(async () => (await fetch(`${url}/api/tag`)).status === 200);
        await until(() =>
          log().some(({ steps }) => JSON.stringify(steps ?? []).includes("adds the table tag")),
        );
        await rename(join(cwd, "more"), join(cwd, "less"));
        await appendFile(join(cwd, "less/tag.stoa"), "\n");
        await until(() => log().some(({ files }) => JSON.stringify(files ?? []).includes("less/tag.stoa")));
        expect((await fetch(`${url}/api/tag`)).status).toBe(200);
      });
    }));

  it("with errors leave the last good version up, and are shown in the terminal and to browsers", () =>
    inFolder(APP, async (cwd) => {
      await whileDeveloping([], { cwd }, async ({ url, log, stderr }) => {
        await writeFile(join(cwd, "api.stoa"), BROKEN);
        await until(() => log().some(({ msg }) => msg === "not live"));
        const check = await stoa(["check"], { cwd });
        expect(stderr()).toContain(check.stderr);
        const answer = await fetch(`${url}/api/author`);
        expect([answer.status, answer.headers.get("stoa-dev")]).toEqual([200, "stale"]);
        expect(await answer.json()).toHaveLength(2);
        const page = await fetch(`${url}/docs`, { headers: HTML });
        expect(page.status).toBe(503);
        expect(await page.text()).toContain("did you mean `name`?");
        await writeFile(join(cwd, "api.stoa"), answering("title: name"));
        await until(async () => (await firstOf(url)).title === "Author 1");
        expect((await fetch(`${url}/docs`, { headers: HTML })).status).toBe(200);
        // Broken, and back to what is live.
        await writeFile(join(cwd, "api.stoa"), BROKEN);
        await until(() => log().filter(({ msg }) => msg === "not live").length === 2);
        await writeFile(join(cwd, "api.stoa"), answering("title: name"));
        await until(() => log().some(({ msg }) => msg === "mended"));
        expect((await fetch(`${url}/api/author`)).headers.get("stoa-dev")).toBe(null);
      });
    }));

  it("must be there when it starts: otherwise there is no database either", () =>
    inFolder({ "notes.md": "nothing yet" }, async (cwd) => {
      const refused = await stoa(["dev", "--port", "0"], { cwd });
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toContain("There are no .stoa files in this folder.");
      expect(refused.stderr).toContain("`stoa init`");
      expect(existsSync(join(cwd, ".stoa"))).toBe(false);
    }));

  it("may be broken when it starts, and go away later", () =>
    inFolder({ "models.stoa": "model {" }, async (cwd) => {
      await whileDeveloping([], { cwd }, async ({ url, log }) => {
        expect(log().find(({ msg }) => msg === "listening")).toMatchObject({ isLive: false, endpoints: 0 });
        const answer = await fetch(`${url}/api/author`);
        expect(await answer.json()).toMatchObject({ status: 503, code: "unavailable" });
        await rm(join(cwd, "models.stoa"));
        await until(async () =>
          (await (await fetch(url, { headers: HTML })).text()).includes("no .stoa files"),
        );
        await writeFile(join(cwd, "models.stoa"), MODELS);
        await writeFile(join(cwd, "api.stoa"), BROKEN);
        await until(async () => {
          const page = await fetch(url, { headers: HTML });
          return (await page.text()).includes("did you mean");
        });
        await writeFile(join(cwd, "api.stoa"), API);
        await until(async () => (await list(url)).length === 2);
      });
    }));

  it("take their generated files along, which are written only when they differ", () =>
    inFolder(
      {
        ...APP,
        "out.stoa":
          'generator openapi { output "openapi.json" }\ngenerator client { target ts, output "web" }\n',
      },
      async (cwd) => {
        await whileDeveloping([], { cwd }, async ({ url, log }) => {
          const read = async (name: string): Promise<string> =>
            readFile(join(cwd, name), "utf8").catch(() => "");
          const files = ["openapi.json", `web/${CLIENT}`];
          const all = async (has: boolean) =>
            (await Promise.all(files.map(read))).every(
              (text) => text !== "" && text.includes("label") === has,
            );
          await until(() => all(false));
          await writeFile(join(cwd, "api.stoa"), answering("name, label: name"));
          await until(() => all(true));
          expect((await firstOf(url)).label).toBe("Author 1");
          const dates = () => files.map((name) => statSync(join(cwd, name)).mtimeMs);
          const before = dates();
          const lives = () => log().filter(({ msg }) => msg === "live").length;
          const soFar = lives();
          await writeFile(join(cwd, "api.stoa"), `// A remark.\n${answering("name, label: name")}`);
          await until(() => lives() > soFar);
          // What comes after it shows that the files were looked at.
          await writeFile(join(cwd, "api.stoa"), `// Two remarks.\n\n${answering("name, label: name")}`);
          await until(() => lives() > soFar + 1);
          expect(dates()).toEqual(before);
        });
      },
    ));
});

const HOOKED = {
  "models.stoa": MODELS.replace(
    "\n}",
    '\n  hook greeting { arg name name, source greet from "./greet.ts" }\n}',
  ),
  "api.stoa": answering("name, greeting"),
  "greet.ts":
    'import { word } from "./words.js";\n\nexport const greet = ({ name }: { name: string }) => `${word} ${name}`;\n',
  "words.ts": 'export const word = "Hello";\n',
};

describe("hooks", () => {
  it("are loaded anew when their module or one that it imports has changed", () =>
    inFolder(HOOKED, async (cwd) => {
      await whileDeveloping([], { cwd }, async ({ url, log, stderr }) => {
        expect((await firstOf(url)).greeting).toBe("Hello Author 1");
        await writeFile(join(cwd, "words.ts"), 'export const word = "Bye";\n');
        await until(async () => (await firstOf(url)).greeting === "Bye Author 1");
        await writeFile(join(cwd, "greet.ts"), "export const greet = () => `just this`;\n");
        await until(async () => (await firstOf(url)).greeting === "just this");
        await writeFile(join(cwd, "greet.ts"), "export const greet = () => {;\n");
        await until(() => log().some(({ msg }) => msg === "not live"));
        expect(stderr()).toContain("greet.ts:");
        expect((await firstOf(url)).greeting).toBe("just this");
        await writeFile(
          join(cwd, "greet.ts"),
          'throw new Error("not today");\nexport const greet = () => "";\n',
        );
        await until(() => stderr().includes("not today"));
        expect(stderr()).toContain("The hooks cannot be loaded: greet.ts:1:7: not today");
        expect(stderr()).not.toContain("stoa build");
        await writeFile(join(cwd, "greet.ts"), 'export const greet = () => "mended";\n');
        await until(async () => (await firstOf(url)).greeting === "mended");
      });
    }));

  it("that run while a new version takes over finish in the old one", () =>
    withGate(async (gate) =>
      inFolder(
        {
          ...HOOKED,
          "greet.ts": `export const greet = async () => (await fetch("${gate.url}")).text().then((text) => "old " + text);\n`,
        },
        async (cwd) => {
          await whileDeveloping([], { cwd }, async ({ url, log }) => {
            const slow = firstOf(url);
            await until(() => gate.isReached());
            await writeFile(join(cwd, "greet.ts"), 'export const greet = () => "new";\n');
            await until(() => log().some(({ msg }) => msg === "live"));
            expect((await firstOf(url)).greeting).toBe("new");
            gate.open("and done");
            expect((await slow).greeting).toBe("old and done");
          });
        },
      ),
    ));
});

interface Gate {
  readonly url: string;
  isReached(): boolean;
  open(text: string): void;
}

/** A server that answers when it is told to. */
async function withGate(use: (gate: Gate) => Promise<void>): Promise<void> {
  const waiting: ((text: string) => void)[] = [];
  let text: string | undefined;
  const server: Server = createServer((_, response) => {
    if (text !== undefined) response.end(text);
    else waiting.push((given) => response.end(given));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await use({
      url: `http://127.0.0.1:${port}`,
      isReached: () => waiting.length > 0,
      open: (given) => {
        text = given;
        for (const answer of waiting) answer(given);
      },
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("models that lose data", () => {
  it("are not applied where nobody can be asked, until another command has done it", () =>
    inFolder(APP, async (cwd) => {
      await whileDeveloping([], { cwd }, async ({ url, log, stderr }) => {
        await writeFile(join(cwd, "models.stoa"), WITHOUT_NOTE);
        await until(() => log().some(({ msg }) => msg === "not live"));
        expect(stderr()).toContain("drops the column note");
        expect(stderr()).toContain("stoa db push");
        const answer = await fetch(`${url}/api/author`);
        expect([answer.status, answer.headers.get("stoa-dev")]).toEqual([200, "stale"]);
        expect((await stoa(["db", "push", "--accept-data-loss"], { cwd })).code).toBe(0);
        await until(() => log().some(({ msg }) => msg === "live"));
        expect((await fetch(`${url}/api/author`)).headers.get("stoa-dev")).toBe(null);
      });
    }));

  it("are asked for on a terminal, while the last version serves", () =>
    inFolder(APP, async (cwd) => {
      await onTerminal([], { cwd }, async ({ url, shows, press, ended }) => {
        await shows("q quit");
        await writeFile(join(cwd, "models.stoa"), WITHOUT_NOTE);
        await shows("drops the column note");
        await shows(/The last good version serves meanwhile\.\nGo on\? \[y\/N\]\s*$/);
        expect((await fetch(`${url}/api/author`)).headers.get("stoa-dev")).toBe("stale");
        press("n");
        await shows("not live");
        expect(await list(url)).toHaveLength(2);
        press("r");
        await shows("Go on? [y/N]");
        press("y");
        await shows("live in");
        expect((await fetch(`${url}/api/author`)).headers.get("stoa-dev")).toBe(null);
        press("q");
        expect(await ended).toEqual({ exitCode: 0 });
      });
    }));

  it("are not asked for any more when the sources change meanwhile", () =>
    inFolder(APP, async (cwd) => {
      await onTerminal([], { cwd }, async ({ url, shows, press }) => {
        await shows("q quit");
        await writeFile(join(cwd, "models.stoa"), WITHOUT_NOTE);
        await shows("Go on? [y/N]");
        await writeFile(join(cwd, "models.stoa"), MODELS);
        await shows("withdrawn");
        await shows("mended");
        // A late answer is for nobody.
        press("y");
        await writeFile(join(cwd, "api.stoa"), answering("name, note"));
        await shows("live in");
        expect(await firstOf(url)).toEqual({ name: "Author 1", note: null });
      });
    }));
});

describe("on a terminal", () => {
  it("shows where it is and what there is, a line for each change and each request, and takes keys", () =>
    inFolder(APP, async (cwd) => {
      await onTerminal([], { cwd }, async ({ url, screen, shows, press, ended }) => {
        await shows("q quit");
        expect(screen()).toMatch(/docs +http:\S+\/docs\n/);
        expect(screen()).toMatch(/database +the embedded database · populated by Dev \(2 rows\)/);
        expect(screen()).toMatch(/GET +\/api\/author\n/);
        await list(url);
        await shows(/GET +\/api\/author 200 [\d.]+ ms/);
        await writeFile(join(cwd, "api.stoa"), answering("name, label: name"));
        await shows(/✓ \d\d:\d\d:\d\d api.stoa changed · live in \d+ ms/);
        press("r");
        await shows(/✓ \d\d:\d\d:\d\d rebuilt · live in \d+ ms/);
        await fetch(`${url}/api/author`, {
          method: "POST",
          body: '{"name":"Third"}',
          headers: { "Content-Type": "application/json" },
        });
        expect(await list(url)).toHaveLength(3);
        press("p");
        await shows("Go on? [y/N]");
        press("n");
        await shows("nothing was changed");
        expect(await list(url)).toHaveLength(3);
        press("p");
        await shows("Go on? [y/N]");
        press("y");
        await shows("populated by Dev (2 rows)");
        expect(await list(url)).toHaveLength(2);
        press("?");
        await shows("empties all tables");
        press("\u001b[A");
        press("\u0003");
        expect(await ended).toEqual({ exitCode: 0 });
      });
      await until(() => processesOf(cwd).length === 0);
      expect(existsSync(join(cwd, ".stoa/db/postmaster.pid"))).toBe(false);
    }));
});

describe("on a terminal that began with trouble", () => {
  it("shows what is served as soon as the sources are mended", () =>
    inFolder({ ...APP, "api.stoa": BROKEN }, async (cwd) => {
      await onTerminal([], { cwd }, async ({ screen, shows }) => {
        await shows("q quit");
        expect(screen()).not.toMatch(/GET +\/api\/author/);
        await writeFile(join(cwd, "api.stoa"), API);
        await shows("live in");
        await shows("populated by Dev (2 rows)");
        await shows(/GET +\/api\/author\n/);
      });
    }));

  it("shows where a hook has failed, and for which request", () =>
    inFolder(
      {
        ...HOOKED,
        "greet.ts":
          "type Name = string;\n\nexport const greet = () => {\n  throw new TypeError('boom');\n};\n",
      },
      async (cwd) => {
        await onTerminal([], { cwd }, async ({ url, screen, shows }) => {
          await shows("q quit");
          await fetch(`${url}/api/author`, { headers: { "X-Request-Id": "my-request" } });
          await shows(/error the request failed .*requestId=my-request/);
          await shows("The hook `Author.greeting` failed: boom");
          await shows(/at greet \(greet\.ts:4:9\)\n/);
          expect(screen()).not.toMatch(/dist\/chunk|node:internal/);
        });
      },
    ));
});

describe("settings", () => {
  const CONFIGURED = {
    ...HOOKED,
    "greet.ts": 'export const greet = () => process.env.GREETING ?? "none";\n',
    ".env": "GREETING=first\n",
    "stoa.config.json": '{ "dev": { "populator": "Other" } }',
    "other.stoa": 'populator Other {\n  populate Author { set name "Otto" }\n}\n',
  };

  it("come from the config file and .env, and what depends on them is made anew when they change", () =>
    inFolder(CONFIGURED, async (cwd) => {
      await whileDeveloping([], { cwd }, async ({ url, log, stderr }) => {
        expect(await list(url)).toEqual([{ name: "Otto", greeting: "first" }]);
        await writeFile(join(cwd, ".env"), "GREETING=second\n");
        await until(async () => (await firstOf(url)).greeting === "second");
        await rm(join(cwd, ".env"));
        await until(async () => (await firstOf(url)).greeting === "none");
        await writeFile(join(cwd, "stoa.config.json"), '{ "prot": 1 }');
        await until(() => stderr().includes("prot"));
        const stale = await fetch(`${url}/api/author`);
        expect([stale.status, stale.headers.get("stoa-dev")]).toEqual([200, "stale"]);
        const lives = () => log().filter(({ msg }) => msg === "live").length;
        const before = lives();
        await writeFile(join(cwd, "stoa.config.json"), '{ "maxBodyBytes": 10 }');
        await until(() => lives() > before);
        const headers = { "Content-Type": "application/json" };
        const body = JSON.stringify({ name: "A name that is too long" });
        expect((await fetch(`${url}/api/author`, { method: "POST", headers, body })).status).toBe(413);
      });
    }));
});

describe("what is around it", () => {
  it("ends with the signal, and takes the database along", () =>
    inFolder(APP, async (cwd) => {
      await whileDeveloping([], { cwd }, async ({ url, kill, ended, log }) => {
        await list(url);
        kill("SIGINT");
        expect(await ended).toMatchObject({ code: 0 });
        expect(log().at(-1)).toMatchObject({ msg: "stopped" });
      });
      await until(() => processesOf(cwd).length === 0);
    }));

  it("starts an embedded database again that was killed", () =>
    inFolder(APP, async (cwd) => {
      await whileDeveloping([], { cwd }, async ({ url, log }) => {
        await list(url);
        const [pid] = readFileSync(join(cwd, ".stoa/db/postmaster.pid"), "utf8").split("\n");
        process.kill(Number(pid), "SIGKILL");
        await until(() => log().some(({ msg }) => msg === "live"));
        await until(async () => (await fetch(`${url}/api/author`)).status === 200);
        expect(await list(url)).toHaveLength(2);
      });
    }));

  it("waits for a database that is away, also for one that comes back empty", () =>
    inFolder(APP, async (cwd) => {
      const link = join(cwd, "socket");
      const env = { DATABASE_URL: `postgres://stoa@localhost/postgres?host=${encodeURIComponent(link)}` };
      await whileDeveloping([], { cwd, env }, async ({ url, log, stderr }) => {
        expect(stderr()).toContain("the database does not answer");
        expect((await fetch(`${url}/api/author`)).status).toBe(503);
        for (let round = 1; round <= 2; round++) {
          const server = await startThrowaway();
          symlinkSync(new URL(server.url).searchParams.get("host") ?? "", link);
          await until(async () => (await list(url)).length === 2);
          unlinkSync(link);
          await server.stop();
          await until(() => log().filter(({ msg }) => msg === "not live").length === round + 1);
          expect((await fetch(url, { headers: HTML })).status).toBe(503);
        }
      });
    }));

  it("shares the embedded database with another one, and takes it over", () =>
    inFolder(APP, async (cwd) => {
      await whileDeveloping([], { cwd }, async (first) => {
        await whileDeveloping([], { cwd }, async (second) => {
          const isBorrowed = ({ msg }: Record<string, unknown>) =>
            String(msg).includes("started by another command");
          await until(() => second.log().some(isBorrowed));
          first.kill("SIGTERM");
          expect(await first.ended).toMatchObject({ code: 0 });
          await until(async () => (await list(second.url)).length === 2);
        });
      });
    }));

  it("says that the port it was given is taken", () =>
    inFolder(APP, async (cwd) => {
      await withGate(async ({ url }) => {
        const { port } = new URL(url);
        const refused = await stoa(["dev", "--port", port], { cwd });
        expect(refused.code).toBe(2);
        expect(refused.stderr).toContain(`Port ${port} of 127.0.0.1 is in use`);
        expect(refused.stderr).toContain("--port");
      });
    }));

  it("refuses a folder that is not there", () =>
    inFolder({}, async (cwd) => {
      const refused = await stoa(["dev", "nowhere"], { cwd });
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("There is no folder nowhere.");
      await rm(join(cwd, ".stoa"), { recursive: true, force: true });
    }));
});
