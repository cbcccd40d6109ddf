// Shapes describe at run time what the types of the definition say at compile time. TypeScript holds the two
// together: a `Shape<T>` that leaves out a key, a variant or a null of T does not compile. The reader, the
// writer and the JSON Schema are all made from shapes, so that none of them can forget what another knows.

export type Shape<T> = ShapeNode & Typed<T>;
type Scalar<T> = ScalarShape & Typed<T>;

/** A shape without the type it stands for, as those see it who walk over shapes. */
export type ShapeNode =
  | ScalarShape
  | { readonly kind: "nullable"; readonly of: ShapeNode }
  | ListShape
  | TupleShape
  | ObjectShape
  | UnionShape
  | NamedShape;

export type ScalarShape =
  | TextShape
  | IntegerShape
  | { readonly kind: "number" }
  | { readonly kind: "boolean" }
  | { readonly kind: "null" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "either"; readonly alternatives: readonly ScalarShape[] };

/** What a text can name. */
export type Target = "model" | "enum" | "validator" | "runtime" | "table";

export interface TextShape {
  readonly kind: "text";
  /** The text is the name of one of these, which must exist. */
  readonly names: Target | null;
}

export interface IntegerShape {
  readonly kind: "integer";
  readonly minimum: number | null;
}

export interface ListShape {
  readonly kind: "list";
  readonly of: ShapeNode;
}

export interface TupleShape {
  readonly kind: "tuple";
  readonly items: readonly { readonly name: string; readonly shape: ShapeNode }[];
}

export interface ObjectShape {
  readonly kind: "object";
  readonly fields: ReadonlyMap<string, Field>;
}

export interface Field {
  readonly shape: ShapeNode;
  readonly optional: boolean;
}

/** Objects told apart by their `kind`; a variant may itself be such a union. */
export interface UnionShape {
  readonly kind: "union";
  readonly variants: readonly ShapeNode[];
}

/** The body is looked up late, because types refer to each other in circles. */
export interface NamedShape {
  readonly kind: "named";
  readonly name: string;
  readonly description: string;
  readonly body: () => ShapeNode;
}

// ---------------------------------------------------------------- the bond between shapes and types

declare const type: unique symbol;

/** Exists for the type checker alone. A function from T to T, so that a wider T fits no better than a narrower. */
interface Typed<T> {
  readonly [type]?: ((value: T) => T) | undefined;
}

type TypeOf<S> = S extends { readonly [type]?: ((value: never) => infer T) | undefined } ? T : never;

/** A key that may be absent. */
interface OptionalKey<T> extends Typed<T> {
  readonly kind: "optional";
  readonly of: ShapeNode;
}

/** One entry for every key of T, the optional ones too, and nothing else. A union has no keys of its own. */
type Keys<T> = [Single<T>] extends [never] ? never : KeysOf<T>;

type KeysOf<T> = {
  readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K>
    ? OptionalKey<Exclude<T[K], undefined>>
    : Shape<T[K]>;
};

type Single<T, All = T> = T extends unknown ? ([All] extends [T] ? T : never) : never;

type TupleKeys<T extends readonly unknown[]> = {
  readonly [K in keyof T]: readonly [name: string, Shape<T[K]>];
};

// ---------------------------------------------------------------- the vocabulary

export const text: Scalar<string> = { kind: "text", names: null };
export const number: Scalar<number> = { kind: "number" };
export const boolean: Scalar<boolean> = { kind: "boolean" };
export const nothing: Scalar<null> = { kind: "null" };

export function nameOf(names: Target): Scalar<string> {
  return { kind: "text", names };
}

/** A whole number of at least `minimum`. */
export function integer(minimum: number | null = null): Scalar<number> {
  return { kind: "integer", minimum };
}

export function literal<const T extends string | number | boolean>(value: T): Scalar<T> {
  return { kind: "literal", value };
}

/** One of several texts. */
export function choice<const Values extends readonly string[]>(...values: Values): Scalar<Values[number]> {
  return { kind: "choice", values };
}

export function nullable<T>(of: Shape<T>): Shape<T | null> {
  return { kind: "nullable", of };
}

export function list<T>(of: Shape<T>): Shape<readonly T[]> {
  return { kind: "list", of };
}

/** A list of fixed length; the names of its items are for documentation. */
export function tuple<T extends readonly unknown[] = never>(...items: NoInfer<TupleKeys<T>>): Shape<T> {
  return { kind: "tuple", items: items.map(([name, shape]) => ({ name, shape })) };
}

/** T is given, or taken from where the shape stands; never from the keys. */
export function object<T extends object = never>(keys: NoInfer<Keys<T>>): Shape<T> {
  const entries: [string, ShapeNode | OptionalKey<unknown>][] = Object.entries(keys);
  return { kind: "object", fields: new Map(entries.map(([name, key]) => [name, toField(key)])) };
}

function toField(key: ShapeNode | OptionalKey<unknown>): Field {
  return key.kind === "optional" ? { shape: key.of, optional: true } : { shape: key, optional: false };
}

export function optional<T>(of: Shape<T>): OptionalKey<T> {
  return { kind: "optional", of };
}

export function union<const Variants extends readonly ShapeNode[]>(
  ...variants: Variants
): Shape<TypeOf<Variants[number]>> {
  return { kind: "union", variants };
}

export function either<const Alternatives extends readonly ScalarShape[]>(
  ...alternatives: Alternatives
): Scalar<TypeOf<Alternatives[number]>> {
  return { kind: "either", alternatives };
}

export function named<T>(name: string, description: string, make: () => Shape<T>): Shape<T> {
  let made: Shape<T> | undefined;
  const body = () => {
    made ??= make();
    return made;
  };
  return { kind: "named", name, description, body };
}

// ---------------------------------------------------------------- looking into shapes

/** The variants of a union by their `kind`. */
export function casesOf(shape: UnionShape): ReadonlyMap<string, ObjectShape> {
  const known = casesByUnion.get(shape);
  if (known !== undefined) return known;
  const cases = new Map(shape.variants.flatMap(casesOfVariant));
  casesByUnion.set(shape, cases);
  return cases;
}

const casesByUnion = new WeakMap<UnionShape, ReadonlyMap<string, ObjectShape>>();

function casesOfVariant(variant: ShapeNode): [string, ObjectShape][] {
  const shape = shapeFor(undefined, variant);
  if (shape.kind === "union") return [...casesOf(shape)];
  if (shape.kind === "object") return kindsOf(shape).map((kind) => [kind, shape]);
  throw new Error(`a union is made of objects, not of ${shape.kind}`);
}

function kindsOf(shape: ObjectShape): readonly string[] {
  const kind = shape.fields.get("kind")?.shape;
  if (kind?.kind === "choice") return kind.values;
  if (kind?.kind === "literal" && typeof kind.value === "string") return [kind.value];
  throw new Error("a variant of a union has a kind that is one text or a choice of texts");
}

/** A shape that is neither a name nor a choice between null and another. */
export type PlainShape = ScalarShape | ListShape | TupleShape | ObjectShape | UnionShape;

/** The shape that decides over a value: behind names, and past null unless the value is null. */
export function shapeFor(value: unknown, shape: ShapeNode): PlainShape {
  if (shape.kind === "named") return shapeFor(value, shape.body());
  if (shape.kind === "nullable") return value === null ? nothing : shapeFor(value, shape.of);
  return shape;
}

export function isScalar(shape: ShapeNode): shape is ScalarShape {
  return !COMPOUND_KINDS.has(shape.kind);
}

const COMPOUND_KINDS: ReadonlySet<ShapeNode["kind"]> = new Set<Exclude<ShapeNode, ScalarShape>["kind"]>([
  "nullable",
  "list",
  "tuple",
  "object",
  "union",
  "named",
]);
