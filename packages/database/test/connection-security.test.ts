// Passwords and TLS, against a server of its own that lets nobody in without them.

import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConnectOptions, connect, type EmbeddedServer, startThrowaway } from "../src/index.js";
import { makeCertificate } from "./connection-certificate.js";

const PASSWORD = "p@ss/w:rd?é";
const folder = mkdtempSync(join(tmpdir(), "stoa-tls-"));
const certificatePath = join(folder, "server.crt");
let server: EmbeddedServer;
let port: number;

beforeAll(async () => {
  const { cert, key } = makeCertificate();
  const rules = `
    local all all trust
    hostssl all scram_user 127.0.0.1/32 scram-sha-256
    hostssl all md5_user 127.0.0.1/32 md5
    hostssl all plain_user 127.0.0.1/32 password
    hostnossl all open_user 127.0.0.1/32 scram-sha-256
  `;
  writeFileSync(certificatePath, cert);
  writeFileSync(join(folder, "server.key"), key, { mode: 0o600 });
  writeFileSync(join(folder, "hba.conf"), rules.replaceAll(/^ +/gm, ""));
  chmodSync(folder, 0o755);
  // The key must belong to the account that the server runs as.
  if (process.getuid?.() === 0) chownSync(join(folder, "server.key"), 65534, 65534);
  port = await findPort();
  server = await startThrowaway({
    settings: {
      listen_addresses: "127.0.0.1",
      port: String(port),
      ssl: "on",
      ssl_cert_file: certificatePath,
      ssl_key_file: join(folder, "server.key"),
      hba_file: join(folder, "hba.conf"),
    },
  });
  const admin = connect({ url: server.url });
  for (const user of ["scram_user", "plain_user", "open_user"]) {
    await admin.execute(`create role ${user} login password '${PASSWORD}'`);
  }
  await admin.execute(`set password_encryption = 'md5'; create role md5_user login password '${PASSWORD}'`);
  await admin.close();
});

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function addressOf(user: string, parameters: Record<string, string>, password = PASSWORD): string {
  const host = parameters.via ?? "localhost";
  const search = new URLSearchParams(parameters);
  search.delete("via");
  return `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/postgres?${search}`;
}

async function signIn(options: ConnectOptions): Promise<unknown> {
  const database = connect(options);
  try {
    const sql =
      "select current_user::text as user, (select ssl from pg_stat_ssl where pid = pg_backend_pid())";
    return (await database.query(sql))[0];
  } finally {
    await database.close();
  }
}

describe("a password", () => {
  test.each(["scram_user", "md5_user", "plain_user"])("of %s is accepted over TLS", async (user) => {
    expect(await signIn({ url: addressOf(user, { sslmode: "require" }) })).toEqual({ user, ssl: true });
  });

  test("is accepted by scram-sha-256 without TLS", async () => {
    const url = addressOf("open_user", { sslmode: "disable", via: "127.0.0.1" });
    expect(await signIn({ url })).toEqual({ user: "open_user", ssl: false });
  });

  test("can be given apart from the URL", async () => {
    const url = `postgres://localhost:${port}/postgres?sslmode=require`;
    expect(await signIn({ url, user: "scram_user", password: PASSWORD })).toMatchObject({
      user: "scram_user",
    });
  });

  test.each(["scram_user", "md5_user", "plain_user"])("of %s that is wrong is refused", async (user) => {
    const url = addressOf(user, { sslmode: "require" }, "guess");
    const failure = await signIn({ url }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "authentication" });
    expect(String(failure)).not.toContain("guess");
  });

  test("that is missing is asked for in words", async () => {
    const url = `postgres://scram_user@localhost:${port}/postgres?sslmode=require`;
    await expect(signIn({ url })).rejects.toMatchObject({
      kind: "authentication",
      message: /asks for a password/,
    });
  });

  test("lets no server in that cannot prove that it knows it", async () => {
    const fake = createServer((socket) => {
      const authentication = (kind: number, rest = "") => {
        const body = Buffer.from(rest);
        const head = Buffer.alloc(9);
        head.write("R");
        head.writeInt32BE(8 + body.length, 1);
        head.writeInt32BE(kind, 5);
        return Buffer.concat([head, body]);
      };
      socket.on("error", () => {});
      socket.once("data", () => {
        socket.write(authentication(10, "SCRAM-SHA-256\0\0"));
        // Says that all is well without having shown anything.
        socket.once("data", () =>
          socket.write(Buffer.concat([authentication(0), Buffer.from("5a0000000549", "hex")])),
        );
      });
    });
    await new Promise<void>((resolve) => fake.listen(0, "127.0.0.1", resolve));
    const address = fake.address() as { port: number };
    const url = `postgres://u:${encodeURIComponent(PASSWORD)}@127.0.0.1:${address.port}/d?sslmode=disable`;
    await expect(signIn({ url })).rejects.toMatchObject({
      kind: "authentication",
      message: /could not prove/,
    });
    fake.close();
  });
});

describe("TLS", () => {
  test("is verified against the given certificate", async () => {
    for (const sslmode of ["verify-ca", "verify-full"]) {
      const url = addressOf("scram_user", { sslmode, sslrootcert: certificatePath });
      expect(await signIn({ url })).toMatchObject({ ssl: true });
    }
  });

  test("with a certificate that nobody vouches for is refused when it is to be verified", async () => {
    for (const sslmode of ["verify-ca", "verify-full"]) {
      const failure = await signIn({ url: addressOf("scram_user", { sslmode }) }).catch(
        (error: unknown) => error,
      );
      expect(failure).toMatchObject({ kind: "unavailable", cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" } });
    }
  });

  test("with the name of another server is refused by verify-full and accepted by verify-ca", async () => {
    const elsewhere = { sslrootcert: certificatePath, via: "127.0.0.1" };
    const full = signIn({ url: addressOf("scram_user", { ...elsewhere, sslmode: "verify-full" }) });
    await expect(full).rejects.toMatchObject({ cause: { code: "ERR_TLS_CERT_ALTNAME_INVALID" } });
    const authority = addressOf("scram_user", { ...elsewhere, sslmode: "verify-ca" });
    expect(await signIn({ url: authority })).toMatchObject({ ssl: true });
  });

  test("is used when offered under prefer", async () => {
    expect(await signIn({ url: addressOf("scram_user", { sslmode: "prefer" }) })).toMatchObject({
      ssl: true,
    });
  });

  test("that is required and not offered is a failure, and under prefer is done without", async () => {
    const plain = await startThrowaway({
      settings: { listen_addresses: "127.0.0.1", port: String(await findPort()) },
    });
    const plainPort = Number(new URL(plain.url).searchParams.get("port"));
    const url = `postgres://stoa@127.0.0.1:${plainPort}/postgres`;
    await expect(signIn({ url: `${url}?sslmode=require` })).rejects.toThrow("does not offer TLS");
    // Past TLS it is the server that refuses: a throwaway server lets nobody in over TCP.
    await expect(signIn({ url: `${url}?sslmode=prefer` })).rejects.toMatchObject({ kind: "authentication" });
    await plain.stop();
  });

  test("works for cancelling", async () => {
    const database = connect({ url: addressOf("scram_user", { sslmode: "require" }) });
    const work = database.query("select pg_sleep(60)", [], { signal: AbortSignal.timeout(100) });
    await expect(work).rejects.toMatchObject({ kind: "cancelled" });
    await database.close();
  });
});
