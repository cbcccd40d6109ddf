// Where endpoints stand.

import type { Definition, Endpoint, Entrypoint } from "@stoa/definition";

/** An endpoint and the entrypoints that lead to it; the last is its own. */
export interface Place {
  readonly entrypoints: readonly Entrypoint[];
  readonly endpoint: Endpoint;
  /** Whether the request says which state of the record it is about (`If-Match`): such requests have plans of their own. */
  readonly isConditional?: boolean;
}

export function placesOf({ apis }: Definition): Place[] {
  return apis.flatMap((api) => api.entrypoints.flatMap((entrypoint) => placesBelow(entrypoint, [])));
}

function placesBelow(entrypoint: Entrypoint, above: readonly Entrypoint[]): Place[] {
  const entrypoints = [...above, entrypoint];
  const own = entrypoint.endpoints.map((endpoint): Place => ({ entrypoints, endpoint }));
  return [...own, ...entrypoint.entrypoints.flatMap((each) => placesBelow(each, entrypoints))];
}
