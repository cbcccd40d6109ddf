// `snapshot.json`: the catalog that a migration leads to and where every member lives, so that the next migration
// can be made without a database.

import { createHash } from "node:crypto";
import type { Definition } from "@stoa/definition";
import { type Catalog, canonicalCatalog, stableJson } from "../schema/catalog.js";
import { desiredCatalog } from "../schema/desired.js";
import { placementOf } from "../schema/renames.js";
import type { Snapshot } from "./migration.js";

const VERSION = 1;

export function snapshotOf(definition: Definition, parent: string | null): Snapshot {
  return {
    parent,
    catalog: canonicalCatalog(desiredCatalog(definition)),
    placement: placementOf(definition),
  };
}

export function printSnapshot({ parent, catalog, placement }: Snapshot): string {
  return `${JSON.stringify({ version: VERSION, parent, catalog, placement }, null, 2)}\n`;
}

export type SnapshotReading =
  | { readonly kind: "snapshot"; readonly snapshot: Snapshot }
  | { readonly kind: "unreadable"; readonly why: string };

export function readSnapshot(text: string): SnapshotReading {
  const value = parseJson(text);
  if (value === undefined) return { kind: "unreadable", why: "it is not JSON" };
  const { version, parent = null, catalog, placement } = value as Partial<Snapshot> & { version?: unknown };
  if (version !== VERSION) {
    return { kind: "unreadable", why: `its version is ${String(version)}, and only ${VERSION} is known` };
  }
  if (!Array.isArray(catalog?.tables) || typeof placement?.models !== "object") {
    return { kind: "unreadable", why: "it has no catalog or no placement" };
  }
  return { kind: "snapshot", snapshot: { parent, catalog, placement } };
}

function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Line ends do not count: version control may change them. */
export function checksumOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}

/** Equal catalogs have equal hashes. */
export function catalogHash(catalog: Catalog): string {
  return checksumOf(stableJson(canonicalCatalog(catalog)));
}
