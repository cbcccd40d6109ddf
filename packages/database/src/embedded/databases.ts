// Databases of a server that is ours: made as copies of another, and dropped.

import { connect } from "../connection/connect.js";

/** Makes a database, a copy of the template where one is given, and gives its address. */
export async function createDatabase(
  serverUrl: string,
  name: string,
  template = "template0",
): Promise<string> {
  await administer(serverUrl, `create database ${quote(name)} template ${quote(template)}`);
  const url = new URL(serverUrl);
  url.pathname = `/${encodeURIComponent(name)}`;
  return url.href;
}

/** Drops a database, and ends whoever is connected to it. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await administer(serverUrl, `drop database if exists ${quote(name)} with (force)`);
}

async function administer(url: string, sql: string): Promise<void> {
  const database = connect({ url, poolSize: 1 });
  try {
    await database.execute(sql);
  } finally {
    await database.close();
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
