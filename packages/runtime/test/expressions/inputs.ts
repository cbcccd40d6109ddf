// Some literals become inputs: the same values, yet as parameters of the statement.

import type { Parameter } from "@stoa/database";
import {
  compileExpression,
  type Expression,
  type LiteralExpression,
  type Value,
  type VariableExpression,
} from "@stoa/definition";
import type { Binding } from "../../src/sql/context.js";

export class Inputs {
  readonly values = new Map<string, Value>();
  readonly #literals = new Map<string, LiteralExpression>();
  #seen = 0;

  /** The expression with every third literal as an input. */
  replaceIn(expression: Expression): Expression {
    const replace = (part: Expression): Expression => this.replaceIn(part);
    switch (expression.kind) {
      case "literal":
        return this.#seen++ % 3 === 0 && expression.value !== null ? this.#input(expression) : expression;
      case "variable":
        return expression;
      case "array":
        return { ...expression, items: expression.items.map(replace) };
      case "struct": {
        const entries = expression.entries.map(({ name, value }) => ({ name, value: replace(value) }));
        return { ...expression, entries };
      }
      case "member":
        return { ...expression, on: replace(expression.on) };
      case "unary":
        return { ...expression, operand: replace(expression.operand) };
      case "binary":
        return { ...expression, left: replace(expression.left), right: replace(expression.right) };
      case "call":
        return { ...expression, arguments: expression.arguments.map(replace) };
      case "aggregate":
        return expression;
    }
  }

  #input(literal: LiteralExpression): VariableExpression {
    const name = `input${this.#literals.size}`;
    this.#literals.set(name, literal);
    this.values.set(name, compileExpression(literal)({}));
    return { kind: "variable", type: literal.type, variable: "input", name };
  }

  /** What a binding stands for, as PostgreSQL reads it. */
  parameterOf(binding: Binding): Parameter {
    if (binding.kind !== "input") throw new Error(`Nobody binds \`${binding.kind}\`.`);
    return this.#literals.get(binding.path[0] ?? "")?.value ?? null;
  }
}
