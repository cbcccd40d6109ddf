// Random paths: to a value, a record or a collection, through single relationships and many.

import type { Member, Type } from "@stoa/definition";
import type { Random } from "./random.js";
import { modelNamed } from "./schema.js";

export type Kind =
  | "string"
  | "enum"
  | "integer"
  | "float"
  | "decimal"
  | "boolean"
  | "date"
  | "datetime"
  | "uuid"
  | "json";

interface End {
  readonly name: string;
  readonly type: Type;
}

interface Step {
  readonly name: string;
  readonly model: string;
}

/** What a path can do at a record of a model. */
interface Members {
  readonly values: readonly End[];
  readonly singles: readonly Step[];
  readonly manys: readonly Step[];
}

/** Sums of other floats depend on the order of the addends. */
const EXACT_FLOATS: ReadonlySet<string> = new Set(["weight", "halfWeight", "weightSum"]);

const known = new Map<string, Members>();

function membersOf(model: string): Members {
  const found = known.get(model);
  if (found) return found;
  const { members } = modelNamed(model);
  const result: Members = {
    values: members.flatMap(endOf),
    singles: members.flatMap((member) => stepOf(member, false)),
    manys: members.flatMap((member) => stepOf(member, true)),
  };
  known.set(model, result);
  return result;
}

function endOf(member: Member): End[] {
  if (member.kind === "field" && member.secret) return [];
  if (member.kind === "reference" || member.kind === "relation" || member.kind === "hook") return [];
  return isStep(member.type) ? [] : [{ name: member.name, type: member.type }];
}

function isStep({ kind }: Type): boolean {
  return kind === "record" || kind === "collection";
}

function stepOf(member: Member, isMany: boolean): Step[] {
  const { name } = member;
  switch (member.kind) {
    case "reference":
      return isMany ? [] : [{ name, model: member.to }];
    case "relation":
      return isMany === member.single ? [] : [{ name, model: member.from }];
    case "query":
      if (!isStep(member.type) || (member.type.kind === "collection") !== isMany) return [];
      return [{ name, model: member.query.model }];
    default:
      return [];
  }
}

/** A path that has got to a record, or to many. */
export interface Place {
  readonly path: string;
  readonly model: string;
}

export class Paths {
  readonly #random: Random;
  readonly #base: string;

  constructor(random: Random, base: string) {
    this.#random = random;
    this.#base = base;
  }

  /** A single record: the current one, the user, one in a single relationship, or a choice of two. */
  record(steps = this.#random.pick([0, 0, 0, 1, 1, 2])): Place {
    const random = this.#random;
    let place: Place = random.chance(0.08)
      ? { path: "@auth", model: "Shop" }
      : { path: "", model: this.#base };
    for (let left = steps; left > 0; left--) {
      const step = random.pick(membersOf(place.model).singles);
      place = { path: join(place.path, step.name), model: step.model };
    }
    if (place.path === "" || !random.chance(0.05)) return place;
    const other = this.recordOf(place.model);
    return other ? { path: `coalesce(${place.path}, ${other})`, model: place.model } : place;
  }

  /** A named record of a model, if one is met. */
  recordOf(model: string): string | undefined {
    for (let tries = 0; tries < 20; tries++) {
      const place = this.record(this.#random.integer(0, 2));
      if (place.model === model && place.path !== "") return place.path;
    }
    return undefined;
  }

  value(kind: Kind): string | undefined {
    for (let tries = 0; tries < 5; tries++) {
      const place = this.record();
      const ends = membersOf(place.model).values.filter(({ type }) => type.kind === kind);
      if (ends.length > 0) return join(place.path, this.#random.pick(ends).name);
    }
    return undefined;
  }

  records(): Place {
    const random = this.#random;
    for (;;) {
      const start = this.record(random.pick([0, 0, 1]));
      const { manys } = membersOf(start.model);
      if (manys.length === 0) continue;
      const step = random.pick(manys);
      return this.#further({ path: join(start.path, step.name), model: step.model });
    }
  }

  /** Further steps from many records. */
  #further(start: Place): Place {
    const random = this.#random;
    let place = start;
    for (let left = random.pick([0, 0, 1, 2]); left > 0; left--) {
      const { singles, manys } = membersOf(place.model);
      const steps = random.chance(0.5) && manys.length > 0 ? manys : singles;
      const step = random.pick(steps);
      place = { path: join(place.path, step.name), model: step.model };
    }
    return place;
  }

  values(kind: Kind, isExact = false): string {
    for (;;) {
      const { path, model } = this.records();
      const ends = membersOf(model).values.filter(
        ({ type, name }) => type.kind === kind && (!isExact || kind !== "float" || EXACT_FLOATS.has(name)),
      );
      if (ends.length > 0) return join(path, this.#random.pick(ends).name);
    }
  }
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
