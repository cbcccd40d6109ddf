// Whether a response looks at tables that the request has just written, beyond the written record itself. The
// parts of one statement do not see each other's work, so such a response needs a statement of its own.

import {
  type Definition,
  type Expression,
  type Model,
  modelOfType,
  type Query,
  type Select,
  someExpression,
} from "@stoa/definition";

export function touches(
  select: Select,
  written: ReadonlySet<string>,
  { models }: Pick<Definition, "models">,
): boolean {
  const byName = new Map(models.map((model) => [model.name, model]));
  return new Touch(written, byName).select(select);
}

/** The same of an expression: whether it leads to records of written tables. */
export function expressionTouches(
  expression: Expression,
  written: ReadonlySet<string>,
  { models }: Pick<Definition, "models">,
): boolean {
  const byName = new Map(models.map((model) => [model.name, model]));
  return new Touch(written, byName).expression(expression);
}

/** The same of a query: whether it finds such records, or looks at some. */
export function queryTouches(
  query: Query,
  written: ReadonlySet<string>,
  { models }: Pick<Definition, "models">,
): boolean {
  const byName = new Map(models.map((model) => [model.name, model]));
  return new Touch(written, byName).query(query);
}

class Touch {
  readonly #written: ReadonlySet<string>;
  readonly #models: ReadonlyMap<string, Model>;
  readonly #seen = new Set<string>();

  constructor(written: ReadonlySet<string>, models: ReadonlyMap<string, Model>) {
    this.#written = written;
    this.#models = models;
  }

  select({ items, model }: Select): boolean {
    return items.some((item) => {
      if (item.kind === "value") return this.expression(item.value);
      if (item.kind === "nested") return this.expression(item.value) || this.select(item.select);
      return this.#member(model, item.hook);
    });
  }

  expression(expression: Expression): boolean {
    return someExpression(
      expression,
      (part) =>
        part.kind === "member" && (this.#reaches(part) || this.#member(modelOfType(part.on.type), part.name)),
    );
  }

  /** A path that leads to records of a written table. */
  #reaches(expression: Expression): boolean {
    const model = modelOfType(expression.type);
    return model !== undefined && this.#written.has(model);
  }

  /** What stands behind a member: its expression or its query. */
  #member(model: string | undefined, name: string): boolean {
    const key = `${model}.${name}`;
    if (model === undefined || this.#seen.has(key)) return false;
    this.#seen.add(key);
    const member = this.#models.get(model)?.members.find((each) => each.name === name);
    if (member?.kind === "computed") return this.expression(member.value);
    if (member?.kind === "query") return this.query(member.query);
    if (member?.kind !== "hook") return false;
    return member.hook.arguments.some(({ value }) => {
      if (value.kind === "expression") return this.expression(value.expression);
      return (value.query !== null && this.query(value.query)) || this.select(value.select);
    });
  }

  query({ from, model, filter, orderBy, result }: Query): boolean {
    if (this.#written.has(model)) return true;
    if (from.kind === "path" && this.expression(from.path)) return true;
    if (filter !== null && this.expression(filter)) return true;
    if (orderBy.some(({ value }) => this.expression(value))) return true;
    return result.kind === "aggregate" && result.value !== null && this.expression(result.value);
  }
}
