// Which endpoint someone means: by its name, or by a method and a path as a client would write it.

import { findNearest } from "@stoa/definition";
import type { Place } from "../plan/place.js";

export type FoundPlace =
  | { readonly kind: "found"; readonly place: Place }
  | { readonly kind: "unknown"; readonly nearest: string | null }
  /** A path alone that several methods have. */
  | { readonly kind: "several"; readonly places: readonly Place[] };

/** `author.books.list`, `GET /api/author/ann/books`, `GET /api/author/{author_slug}/books`, or the path alone. */
export function findPlace(places: readonly Place[], text: string): FoundPlace {
  const { method, path } = readRoute(text);
  if (path === undefined) return findByName(places, text.trim());
  const fitting = places.filter(({ endpoint }) => method === undefined || endpoint.method === method);
  const matches = bestMatches(fitting, path);
  const [first] = matches;
  if (first === undefined) return { kind: "unknown", nearest: nearestRoute(fitting, path) };
  return matches.length === 1 ? { kind: "found", place: first } : { kind: "several", places: matches };
}

function readRoute(text: string): { readonly method?: string; readonly path?: string } {
  const match = /^(?:([a-z]+)\s+)?(\/\S*)$/i.exec(text.trim());
  const [, method, path] = match ?? [];
  return { ...(method ? { method: method.toUpperCase() } : {}), ...(path ? { path } : {}) };
}

function findByName(places: readonly Place[], name: string): FoundPlace {
  const same = (place: Place) => place.endpoint.name.toLowerCase() === name.toLowerCase();
  const place = places.find(({ endpoint }) => endpoint.name === name) ?? places.find(same);
  if (place !== undefined) return { kind: "found", place };
  const names = places.map(({ endpoint }) => endpoint.name);
  return { kind: "unknown", nearest: findNearest(name, names) };
}

/** As the server routes: a literal segment is a better match than a parameter, from the left. */
function bestMatches(places: readonly Place[], path: string): Place[] {
  const wanted = segmentsOf(path);
  let matches = places.filter(({ endpoint }) => segmentsOf(endpoint.path).length === wanted.length);
  for (const [index, segment] of wanted.entries()) {
    const at = (place: Place) => segmentsOf(place.endpoint.path)[index] ?? "";
    const literal = matches.filter((place) => at(place) === segment);
    matches = literal.length > 0 ? literal : matches.filter((place) => at(place).startsWith("{"));
  }
  return matches;
}

function segmentsOf(path: string): string[] {
  return path
    .replace(/[?#].*$/, "")
    .split("/")
    .filter((segment) => segment !== "");
}

function nearestRoute(places: readonly Place[], path: string): string | null {
  const routes = new Map(places.map(({ endpoint }) => [endpoint.path, endpoint]));
  const nearest = routes.get(findNearest(path, routes.keys()) ?? "");
  return nearest === undefined ? null : `${nearest.method} ${nearest.path}`;
}
