// One request, from its route to its answer. The route is found by the caller, who may want to pass on what is
// not ours; the rest of the story is here, and `LiveCall` tells how the answer travels.

import type { Outcome, Reply, Route } from "../exchange.js";
import type { LiveCall } from "./live-call.js";
import { methodNotAllowed, notFound } from "./problem.js";
import type { Found } from "./router.js";

export function handle(call: LiveCall, found: Found): void {
  if (found.kind === "miss") {
    call.send(refuse(call.method, found.allow));
    return;
  }
  // A request may be given up before it is begun.
  if (call.isOver) return;
  call.begin(found);
  void run(found.route, call);
}

/** HEAD runs as the GET it stands for; the answer leaves its body behind when it is written. */
async function run(route: Route, call: LiveCall): Promise<void> {
  try {
    call.send(await route.handle(call));
  } catch (error) {
    call.fail(error);
  }
}

function refuse(method: string, allow: string | null): Outcome {
  if (allow === null) return notFound();
  return method === "OPTIONS" ? listMethods(allow) : methodNotAllowed(allow);
}

function listMethods(allow: string): Reply {
  return { kind: "reply", status: 204, headers: { Allow: allow }, body: { kind: "none" } };
}
