// Random expressions as they stand in a source, of a wanted kind of value. Every part is an expression of its own,
// so that a failure can be narrowed down to its smallest part.

import { type Kind, Paths } from "./paths.js";
import type { Random } from "./random.js";
import type { BaseModel } from "./schema.js";
import {
  randomDate,
  randomDatetime,
  randomDecimalText,
  randomFloat,
  randomInteger,
  randomText,
  randomUuid,
} from "./values.js";

export interface Node {
  readonly text: string;
  readonly kind: Kind;
  /** The expressions in it. */
  readonly parts: readonly Node[];
  /** A sum of floats, whose last digits depend on their order. */
  readonly isRough?: boolean;
}

export const KINDS: readonly Kind[] = [
  ...["string", "enum", "integer", "float", "decimal", "boolean"],
  ...["date", "datetime", "uuid", "json"],
] as Kind[];
/** Some have more to tell than others. */
const WHOLES: readonly Kind[] = [
  ...["boolean", "boolean", "boolean", "boolean", "string", "string", "integer", "integer", "float", "float"],
  ...["decimal", "decimal", "json", "date", "datetime", "uuid"],
] as Kind[];
const ORDERED: readonly Kind[] = ["string", "integer", "float", "decimal", "date", "datetime"];
const NUMBERS: readonly Kind[] = ["integer", "float", "decimal"];

type Make = (depth: number) => Node;

export class Generator {
  readonly #random: Random;
  readonly #paths: Paths;
  readonly #makers: Readonly<Record<Kind, readonly Make[]>>;

  constructor(random: Random, base: BaseModel) {
    this.#random = random;
    this.#paths = new Paths(random, base);
    this.#makers = this.#allMakers();
  }

  /** A whole expression. */
  expression(): Node {
    const random = this.#random;
    if (random.chance(0.01)) return this.#roughSum();
    return this.of(random.pick(WHOLES), random.pick([1, 2, 2, 3, 3, 4]));
  }

  of(kind: Kind, depth: number): Node {
    const random = this.#random;
    const makers = this.#makers[kind];
    if (depth <= 0 || makers.length === 0 || random.chance(0.1)) return this.#leaf(kind);
    return random.pick(makers)(depth - 1);
  }

  #leaf(kind: Kind): Node {
    const isLiteral = this.#random.chance(0.2) && LITERALS.has(kind);
    const path = isLiteral ? undefined : this.#paths.value(kind);
    return { kind, text: path ?? (LITERALS.has(kind) ? this.#literal(kind) : ownMember(kind)), parts: [] };
  }

  /** A literal; of most kinds it is one only beside a value of its kind. */
  #literal(kind: Kind): string {
    const random = this.#random;
    switch (kind) {
      case "string":
        return quoted(randomText(random));
      case "enum":
        return quoted("low");
      case "integer":
        return signed(String(randomInteger(random)));
      case "float":
        return signed(plainFloat(randomFloat(random)));
      case "decimal":
        return plainDecimal(randomDecimalText(random));
      case "boolean":
        return String(random.chance(0.5));
      case "date":
        return quoted(randomDate(random));
      case "datetime":
        return quoted(randomDatetime(random));
      case "uuid":
        return quoted(randomUuid(random));
      case "json":
        return random.pick(['"a"', '"low"', '"1.50"', '"2026-11-14"', '""']);
    }
  }

  /** Something to hold beside a value of a kind: another one, or a literal that takes its kind. */
  #beside(kind: Kind, depth: number): Node {
    if (this.#random.chance(0.3)) return { kind, text: this.#literal(kind), parts: [] };
    const other = this.#random.chance(0.25) ? this.#mixed(kind) : kind;
    return this.of(other, depth);
  }

  /** A kind that mixes with another one. */
  #mixed(kind: Kind): Kind {
    switch (kind) {
      case "integer":
        return this.#random.pick(["integer", "float", "decimal"]);
      case "float":
      case "decimal":
        return "integer";
      case "json":
        return this.#random.pick(KINDS);
      default:
        return kind;
    }
  }

  #call(kind: Kind, name: string, parts: readonly Node[]): Node {
    return { kind, text: `${name}(${parts.map(({ text }) => text).join(", ")})`, parts };
  }

  #infix(kind: Kind, operator: string, [left, right]: readonly [Node, Node]): Node {
    return { kind, text: `(${left.text}) ${operator} (${right.text})`, parts: [left, right] };
  }

  #allMakers(): Readonly<Record<Kind, readonly Make[]>> {
    return {
      string: this.#stringMakers(),
      enum: [],
      integer: this.#integerMakers(),
      float: this.#floatMakers(),
      decimal: this.#decimalMakers(),
      boolean: this.#booleanMakers(),
      date: [this.#coalesce("date"), this.#extreme("date"), () => this.#call("date", "today", [])],
      datetime: [
        this.#coalesce("datetime"),
        this.#extreme("datetime"),
        () => this.#call("datetime", "now", []),
      ],
      uuid: [this.#coalesce("uuid")],
      json: [this.#coalesce("json"), ...Array<Make>(3).fill((depth) => this.#jsonPath(depth))],
    };
  }

  #text(depth: number): Node {
    return this.of(this.#random.chance(0.15) ? "enum" : "string", depth);
  }

  #stringMakers(): Make[] {
    const text = (depth: number) => this.#text(depth);
    const call =
      (name: string, ...parts: readonly Make[]): Make =>
      (depth) =>
        this.#call(
          "string",
          name,
          parts.map((part) => part(depth)),
        );
    const position: Make = (depth) => this.#small(depth);
    return [
      ...["lower", "upper", "trim"].map((name) => call(name, text)),
      call("concat", text, text),
      call("concat", text, text, text),
      call("substring", text, position),
      call("substring", text, position, position),
      call("replace", text, text, text),
      (depth) => this.#infix("string", "+", [text(depth), text(depth)]),
      (depth) => this.#stringify(depth),
      (depth) => this.#stringify(depth),
      this.#coalesce("string"),
      this.#extreme("string"),
    ];
  }

  #stringify(depth: number): Node {
    if (this.#random.chance(0.1)) {
      const [a, b] = [this.of(this.#random.pick(KINDS), depth), this.of(this.#random.pick(KINDS), depth)];
      return { kind: "string", text: `stringify({ bb: ${a.text}, a: ${b.text}, c: null })`, parts: [a, b] };
    }
    return this.#call("string", "stringify", [this.of(this.#random.pick(KINDS), depth)]);
  }

  /** Mostly a number that is a place in a text. */
  #small(depth: number): Node {
    if (this.#random.chance(0.4)) return this.of("integer", depth);
    return { kind: "integer", text: signed(String(this.#random.integer(-3, 6))), parts: [] };
  }

  #numericMakers(kind: "integer" | "float" | "decimal"): Make[] {
    const number: Make = (depth) => this.of(kind, depth);
    const sums = ["+", "-", "*"].map(
      (operator): Make =>
        (depth) =>
          this.#infix(kind, operator, this.#operands(kind, depth)),
    );
    return [
      ...sums,
      (depth) => {
        const operand = number(depth);
        return { kind, text: `-(${operand.text})`, parts: [operand] };
      },
      ...["abs", "round", "floor", "ceil"].map(
        (name): Make =>
          (depth) =>
            this.#call(kind, name, [number(depth)]),
      ),
      (depth) => this.#call(kind, "round", [number(depth), this.#small(depth)]),
      this.#coalesce(kind),
      this.#extreme(kind),
      () => ({ kind, text: `sum(${this.#paths.values(kind, true)})`, parts: [] }),
    ];
  }

  /** Two numbers that give one of the kind; one of them may be an integer. */
  #operands(kind: "integer" | "float" | "decimal", depth: number): [Node, Node] {
    const own = this.of(kind, depth);
    const isLiteral = this.#random.chance(0.2);
    const other = isLiteral
      ? { kind, text: this.#literal(kind), parts: [] }
      : this.of(this.#random.chance(0.3) ? "integer" : kind, depth);
    return this.#random.chance(0.5) ? [own, other] : [other, own];
  }

  #integerMakers(): Make[] {
    return [
      ...this.#numericMakers("integer"),
      (depth) => this.#infix("integer", "%", this.#operands("integer", depth)),
      (depth) => this.#call("integer", "length", [this.#text(depth)]),
      () => ({ kind: "integer", text: `count(${this.#collection()})`, parts: [] }),
    ];
  }

  #floatMakers(): Make[] {
    const quotient = (kind: "integer" | "float"): Make => {
      return (depth) => this.#infix("float", "/", this.#operands(kind, depth));
    };
    const mean = (kind: "integer" | "float"): Make => {
      return () => ({ kind: "float", text: `avg(${this.#paths.values(kind, true)})`, parts: [] });
    };
    return [
      ...this.#numericMakers("float"),
      ...[quotient("float"), quotient("float"), quotient("integer"), mean("integer"), mean("float")],
    ];
  }

  #decimalMakers(): Make[] {
    return [
      ...this.#numericMakers("decimal"),
      (depth) => this.#infix("decimal", "/", this.#operands("decimal", depth)),
      () => ({ kind: "decimal", text: `avg(${this.#paths.values("decimal")})`, parts: [] }),
    ];
  }

  #roughSum(): Node {
    const name = this.#random.pick(["sum", "avg"]);
    return { kind: "float", text: `${name}(${this.#paths.values("float")})`, parts: [], isRough: true };
  }

  #coalesce(kind: Kind): Make {
    return (depth) => {
      const parts = this.#random.many(this.#random.integer(1, 2), () => this.of(kind, depth));
      const last = this.#random.chance(0.2) ? { kind, text: "null", parts: [] } : this.#last(kind, depth);
      const { text } = this.#call(kind, "coalesce", [...parts, last]);
      return { kind, text, parts: last.text === "null" ? parts : [...parts, last] };
    };
  }

  #last(kind: Kind, depth: number): Node {
    const mixed = kind === "integer" ? kind : this.#mixed(kind);
    return this.#random.chance(0.3) ? { kind, text: this.#literal(kind), parts: [] } : this.of(mixed, depth);
  }

  #extreme(kind: Kind): Make {
    return () => {
      const name = this.#random.pick(["min", "max"]);
      return { kind, text: `${name}(${this.#paths.values(kind)})`, parts: [] };
    };
  }

  #collection(): string {
    return this.#random.chance(0.5)
      ? this.#paths.records().path
      : this.#paths.values(this.#random.pick(KINDS));
  }

  #jsonPath(depth: number): Node {
    const on = this.of("json", depth);
    const key = this.#random.pick(["a", "a", "b", "b", "key", "length"]);
    const isPath = /^[\w.@]+$/.test(on.text);
    return { kind: "json", text: `${isPath ? on.text : `(${on.text})`}.${key}`, parts: [on] };
  }

  #booleanMakers(): Make[] {
    const logic = ["and", "or"].map(
      (operator): Make =>
        (depth) =>
          this.#infix("boolean", operator, [this.of("boolean", depth), this.of("boolean", depth)]),
    );
    const search = ["contains", "startsWith", "endsWith"].map(
      (name): Make =>
        (depth) =>
          this.#call("boolean", name, [this.#text(depth), this.#text(depth)]),
    );
    const not: Make = (depth) => {
      const operand = this.of("boolean", depth);
      return { kind: "boolean", text: `not (${operand.text})`, parts: [operand] };
    };
    return [
      ...logic,
      ...search,
      ...[not, not],
      ...Array<Make>(5).fill((depth) => this.#identity(depth)),
      ...Array<Make>(4).fill((depth) => this.#order(depth)),
      ...Array<Make>(4).fill((depth) => this.#inList(depth)),
      ...Array<Make>(4).fill(() => this.#inCollection()),
      () => this.#recordTest(),
      ...Array<Make>(3).fill((depth) => this.#narrowing(depth)),
      () => this.#plain(`exists(${this.#collection()})`),
      this.#coalesce("boolean"),
    ];
  }

  #identity(depth: number): Node {
    const random = this.#random;
    const operator = random.pick(["is", "is not"]);
    const left = this.of(random.pick(KINDS), depth);
    if (random.chance(0.2)) {
      const text = random.chance(0.9) ? `(${left.text}) ${operator} null` : `null ${operator} (${left.text})`;
      return { kind: "boolean", text, parts: [left] };
    }
    const right = this.#other(left, depth);
    const pair: [Node, Node] = random.chance(0.5) ? [left, right] : [right, left];
    return this.#bare(operator, pair);
  }

  /** An enum value compares with any text that is no literal, and JSON with an object. */
  #other({ kind }: Node, depth: number): Node {
    const { text, parts }: Node = this.#random.chance(0.15) ? this.#odd(kind) : this.#beside(kind, depth);
    return { kind, text, parts };
  }

  #odd(kind: Kind): Node {
    const parts: Node[] = [];
    if (kind === "enum") return { kind: "string", text: this.#paths.value("string") ?? "name", parts };
    if (kind !== "json") return { kind, text: this.#literal(kind), parts };
    const text = this.#random.pick([
      "1",
      "1.5",
      "true",
      "{ a: 1 }",
      "{ b: null, a: size }",
      "{ a: made, b: exact }",
    ]);
    return { kind, text, parts };
  }

  /** Without parentheses around literals, which would still be literals; yet so they are read more easily. */
  #bare(operator: string, [left, right]: readonly [Node, Node]): Node {
    const [a, b] = [left, right].map(({ text, parts }) =>
      parts.length > 0 || text.includes(" ") ? `(${text})` : text,
    );
    const parts = [left, right].filter(({ text }) => !/^["\d{-]|^true/.test(text));
    return { kind: "boolean", text: `${a} ${operator} ${b}`, parts };
  }

  #order(depth: number): Node {
    const left = this.of(this.#random.pick(ORDERED), depth);
    const kind = this.#random.chance(0.2) && NUMBERS.includes(left.kind) ? this.#mixed(left.kind) : left.kind;
    const isLiteral = kind === left.kind && this.#random.chance(0.3);
    const right = isLiteral ? { kind, text: this.#literal(kind), parts: [] } : this.of(kind, depth);
    return this.#bare(this.#random.pick(["<", "<=", ">", ">="]), [left, right]);
  }

  #inList(depth: number): Node {
    const random = this.#random;
    const needle = this.of(random.pick(KINDS), depth);
    // Literals take the kind of the needle, not of one another.
    const isLiterals = random.chance(0.5);
    const items = random.many(random.integer(0, 4), (index) => {
      // Beside JSON everything is JSON, so that others may follow.
      if (index === 0 && needle.kind === "json" && !isLiterals) return this.of("json", depth - 1);
      return random.chance(0.15) ? undefined : this.#item(needle.kind, depth, isLiterals);
    });
    const list = items.map((item) => item?.text ?? "null").join(", ");
    const parts = [
      needle,
      ...items.filter((item) => item !== undefined && !/^["\d{-]|^true/.test(item.text)),
    ];
    const text = `(${needle.text}) ${random.pick(["in", "not in"])} [${list}]`;
    return { kind: "boolean", text, parts: parts as Node[] };
  }

  #item(kind: Kind, depth: number, isLiteral: boolean): Node {
    if (isLiteral) return { kind, text: this.#literal(kind), parts: [] };
    const isMixed = kind !== "integer" && this.#random.chance(0.1);
    return this.of(isMixed ? this.#mixed(kind) : kind, depth - 1);
  }

  #inCollection(): Node {
    const random = this.#random;
    const operator = random.pick(["in", "not in"]);
    if (random.chance(0.3)) {
      const { path, model } = this.#paths.records();
      const needle = this.#paths.recordOf(model);
      if (needle) return { kind: "boolean", text: `${needle} ${operator} ${path}`, parts: [] };
    }
    const kind = random.pick(KINDS);
    const needle = random.chance(0.3) ? { kind, text: this.#literal(kind), parts: [] } : this.of(kind, 1);
    const values = this.#paths.values(needle.kind);
    return { kind: "boolean", text: `(${needle.text}) ${operator} ${values}`, parts: [needle] };
  }

  /** What the left side shows about a value counts on the right side, and yet not where the left one is null. */
  #narrowing(depth: number): Node {
    const random = this.#random;
    const kind = random.pick(ORDERED);
    const value: Node = { kind, text: this.#paths.value(kind) ?? ownMember(kind), parts: [] };
    const left = random.chance(0.7)
      ? this.#bare(random.pick(["<", ">=", "is", "is not"]), [value, this.of(kind, depth - 1)])
      : this.#plain(`${value.text} in ${this.#paths.values(kind)}`);
    const right = random.chance(0.7)
      ? this.#bare(random.pick(["is", "is not"]), [value, this.of(kind, depth - 1)])
      : this.#plain(`${value.text} ${random.pick(["in", "not in"])} ${this.#paths.values(kind)}`);
    const joined = this.#infix("boolean", random.pick(["and", "or"]), [left, right]);
    if (random.chance(0.5)) return joined;
    return { kind: "boolean", text: `not (${joined.text})`, parts: [joined] };
  }

  #plain(text: string): Node {
    return { kind: "boolean", text, parts: [] };
  }

  #recordTest(): Node {
    const random = this.#random;
    const { path, model } = this.#paths.record(random.integer(1, 2));
    const other = this.#paths.recordOf(model);
    const operator = random.pick(["is", "is not"]);
    if (other && random.chance(0.4)) {
      const further = this.#paths.recordOf(model) ?? "null";
      const test = random.pick(["in", "not in"]);
      return { kind: "boolean", text: `${path} ${test} [${other}, ${further}]`, parts: [] };
    }
    return { kind: "boolean", text: `${path} ${operator} ${other ?? "null"}`, parts: [] };
  }
}

/** Kinds whose literals need nothing beside them. */
const LITERALS: ReadonlySet<Kind> = new Set<Kind>(["string", "integer", "float", "boolean"]);

/** A member that every base model has. */
function ownMember(kind: Kind): string {
  const names: Partial<Record<Kind, string>> = {
    enum: "grade",
    integer: "size",
    float: "ratio",
    boolean: "isOn",
    decimal: "price",
    date: "day",
    datetime: "made",
    uuid: "code",
    json: "meta",
  };
  return names[kind] ?? "name";
}

function quoted(text: string): string {
  const escaped = [...text].map((point) => {
    if (/[a-zA-Z0-9 ,.%_]/.test(point)) return point;
    return `\\u{${(point.codePointAt(0) ?? 0).toString(16)}}`;
  });
  return `"${escaped.join("")}"`;
}

function signed(text: string): string {
  return text.startsWith("-") ? `-${text.slice(1)}` : text;
}

/** With a point, since an integer has fewer digits. */
function plainDecimal(text: string): string {
  return text.includes(".") || text.length < 15 ? text : `${text}.0`;
}

/** Without an exponent, which the language does not have; with a point, so that it is a float. */
function plainFloat(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-6 || size >= 1e21)) return value < 0 ? "-0.5" : "2.25";
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
