// Names that a definition uses and does not declare. The compiler never writes such a one; an edit by hand can.

import { MAX_PROBLEMS } from "./check.js";
import type { Definition } from "./definition.js";
import { partsOf } from "./parts.js";
import { type Position, ROOT, step } from "./position.js";
import { type ReadProblem, unknownName } from "./problems.js";
import { isScalar, type ShapeNode, shapeFor, type Target } from "./shape.js";
import { definitionShape } from "./shapes.js";
import { BUILT_IN_VALIDATORS } from "./validators.js";

/** For a definition that fits its shape, whose depth is therefore limited. */
export function checkReferences(definition: Definition): readonly ReadProblem[] {
  const search: Search = { declared: collectNames(definition), problems: [] };
  searchInside({ value: definition, shape: definitionShape, at: ROOT }, search);
  return search.problems;
}

type Names = Readonly<Record<Target, ReadonlySet<string>>>;

interface Search {
  readonly declared: Names;
  readonly problems: ReadProblem[];
}

interface Found {
  readonly value: unknown;
  readonly shape: ShapeNode;
  readonly at: Position;
}

function collectNames({ enums, models, validators, runtimes }: Definition): Names {
  return {
    enum: new Set(enums.map((item) => item.name)),
    model: new Set(models.map((item) => item.name)),
    table: new Set(models.map((item) => item.table.name)),
    validator: new Set([...BUILT_IN_VALIDATORS, ...validators.map((item) => item.name)]),
    runtime: new Set(runtimes.map((item) => item.name)),
  };
}

function searchInside({ value, shape, at }: Found, search: Search): void {
  for (const part of partsOf(value, shapeFor(value, shape))) {
    const body = shapeFor(part.value, part.shape);
    if (search.problems.length >= MAX_PROBLEMS) return;
    if (body.kind === "text" && body.names !== null) {
      const known = search.declared[body.names];
      const name = String(part.value);
      if (known.has(name)) continue;
      search.problems.push(unknownName({ at: step(at, part.key), target: body.names, name, known }));
    } else if (!isScalar(body)) {
      searchInside({ value: part.value, shape: body, at: step(at, part.key) }, search);
    }
  }
}
