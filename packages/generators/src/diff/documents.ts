// The words: what people read of an endpoint, and what else is in the documents.

import type { Definition } from "@stoa/definition";
import { writeOpenApi } from "../openapi/openapi.js";
import type { Finding } from "./change.js";
import type { Comparison } from "./comparison.js";
import * as say from "./endpoint-messages.js";

export function compareWords({ before, after }: Comparison): Finding[] {
  const [old, now] = [before.operation.endpoint.doc, after.operation.endpoint.doc];
  return old === now
    ? []
    : [say.described(now === null ? "is no longer described" : "is described in other words")];
}

/** Where nothing else has changed: descriptions of properties, examples, names of objects. */
export function compareDocuments(before: Definition, after: Definition): Finding[] {
  if (writeOpenApi(before) === writeOpenApi(after)) return [];
  return [say.described("descriptions, examples, names of objects or the order of properties have changed")];
}
