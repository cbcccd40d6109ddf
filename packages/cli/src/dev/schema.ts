// The database made to match the models. What only adds is done at once; what loses data is asked for.

import { applyPush, type Database, type PushPlan, planPush, type Step } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { Failure } from "../failure.js";
import { dataWouldBeLost, rowsInTheWay, type Trouble, workFailed } from "./trouble.js";

export type Answer = "yes" | "no" | "withdrawn";

export interface SchemaOptions {
  /** Absent where nobody can answer. */
  readonly ask?: (steps: readonly Step[]) => Promise<Answer>;
  readonly acceptDataLoss: boolean;
  readonly note: (message: string) => void;
}

export type SchemaResult =
  | { readonly kind: "ready"; readonly steps: readonly Step[] }
  | { readonly kind: "held"; readonly trouble: Trouble }
  /** There are newer sources, and the question was for the old ones. */
  | { readonly kind: "withdrawn" };

export async function pushSchema(
  database: Database,
  definition: Definition,
  options: SchemaOptions,
): Promise<SchemaResult> {
  for (;;) {
    const plan = await planPush(database, definition);
    for (const warning of plan.warnings) options.note(warning.message);
    const result = await apply(database, plan, options);
    if (result !== "changed") return result;
  }
}

/** "changed": someone else has changed the database meanwhile, and it has to be looked at again. */
async function apply(
  database: Database,
  plan: PushPlan,
  { ask, acceptDataLoss, note }: SchemaOptions,
): Promise<SchemaResult | "changed"> {
  let answer: Answer = "no";
  const confirm = async (steps: readonly Step[]): Promise<boolean> => {
    answer = (await ask?.(steps)) ?? "no";
    return answer === "yes";
  };
  const outcome = await applyPush(database, plan, {
    acceptDataLoss,
    onWait: () => note("another push is under way: waiting for it"),
    ...(ask ? { confirm } : {}),
  });
  switch (outcome.kind) {
    case "unchanged":
      return { kind: "ready", steps: [] };
    case "applied":
      return { kind: "ready", steps: outcome.steps };
    case "blocked":
      return { kind: "held", trouble: rowsInTheWay(outcome.obstacles) };
    case "declined":
      return answer === "no"
        ? { kind: "held", trouble: dataWouldBeLost(outcome.steps, true) }
        : { kind: "withdrawn" };
    case "refused":
      return { kind: "held", trouble: dataWouldBeLost(outcome.steps, false) };
    case "failed":
      return {
        kind: "held",
        trouble: workFailed(new Failure(outcome.message, { hint: "mend the models, or the database" })),
      };
    case "changed":
      return "changed";
  }
}

/** Whether what was held can be pushed now, because someone has seen to it. */
export async function canPush(database: Database, definition: Definition): Promise<boolean> {
  const plan = await planPush(database, definition);
  return plan.obstacles.length === 0 && plan.steps.every((step) => step.class !== "destructive");
}
