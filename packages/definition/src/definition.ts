// The application definition: all that the runtime, the generators and the migrator know of a program.
// Plain JSON. Lists that come from several files are sorted by name; lists inside a declaration keep the
// order of the source.

import type { AggregateName, Expression } from "./expression.js";
import type { Type, ValueType } from "./types.js";

export const DEFINITION_VERSION = 1;

export interface Definition {
  readonly version: typeof DEFINITION_VERSION;
  /** Names of the source files; a `Place` points into this list. */
  readonly sources: readonly string[];
  readonly enums: readonly Enum[];
  readonly models: readonly Model[];
  readonly validators: readonly Validator[];
  readonly auth: Auth | null;
  readonly apis: readonly Api[];
  readonly populators: readonly Populator[];
  readonly runtimes: readonly Runtime[];
  readonly generators: readonly Generator[];
}

/** Index of the source file, then line and column of the start and of the end, from 1. */
export type Place = readonly [file: number, line: number, column: number, endLine: number, endColumn: number];

interface Documented {
  readonly doc: string | null;
  readonly at: Place;
}

export interface Enum extends Documented {
  readonly name: string;
  readonly values: readonly EnumValue[];
}

export interface EnumValue {
  readonly name: string;
  readonly doc: string | null;
}

// ---------------------------------------------------------------- models

export interface Model extends Documented {
  readonly name: string;
  readonly was: string | null;
  readonly timestamps: boolean;
  readonly members: readonly Member[];
  readonly table: Table;
}

export type Member =
  | IdMember
  | FieldMember
  | KeyMember
  | ReferenceMember
  | RelationMember
  | ComputedMember
  | QueryMember
  | HookMember;

export interface IdMember {
  readonly kind: "id";
  readonly name: "id";
  readonly type: ValueType;
  readonly column: string;
}

export interface FieldMember extends Documented {
  readonly kind: "field";
  readonly name: string;
  readonly type: ValueType;
  readonly column: string;
  readonly unique: boolean;
  readonly secret: boolean;
  readonly default: Expression | null;
  readonly validate: Rule | null;
  /** Written by the system alone: `createdAt` and `updatedAt`. */
  readonly maintained: boolean;
  readonly was: string | null;
}

/** The field `<reference>_id` that a reference brings along. */
export interface KeyMember {
  readonly kind: "key";
  readonly name: string;
  readonly reference: string;
  readonly type: ValueType;
  readonly column: string;
  readonly unique: boolean;
}

export interface ReferenceMember extends Documented {
  readonly kind: "reference";
  readonly name: string;
  readonly to: string;
  /** Name of its key member. */
  readonly key: string;
  readonly column: string;
  readonly unique: boolean;
  readonly nullable: boolean;
  readonly onDelete: "cascade" | "set null" | "restrict";
  readonly was: string | null;
}

export interface RelationMember extends Documented {
  readonly kind: "relation";
  readonly name: string;
  readonly from: string;
  readonly through: string;
  /** A single record that may be missing, since the reference is unique; otherwise a collection. */
  readonly single: boolean;
}

export interface ComputedMember extends Documented {
  readonly kind: "computed";
  readonly name: string;
  readonly type: Type;
  readonly value: Expression;
}

export interface QueryMember extends Documented {
  readonly kind: "query";
  readonly name: string;
  readonly type: Type;
  readonly query: Query;
}

export interface HookMember extends Documented {
  readonly kind: "hook";
  readonly name: string;
  readonly hook: Hook;
}

/** A query over records. `this` in its expressions is the queried record, `owner` the record it belongs to. */
export interface Query {
  /** A collection or record reached from `owner` or from an alias; or all records of a model. */
  readonly from: QuerySource;
  readonly model: string;
  readonly filter: Expression | null;
  readonly orderBy: readonly OrderTerm[];
  readonly limit: number | null;
  readonly offset: number | null;
  readonly result: QueryResult;
}

export type QuerySource =
  | { readonly kind: "model"; readonly model: string }
  | { readonly kind: "path"; readonly path: Expression };

/** `first` may be missing, `one` must exist. */
export type QueryResult =
  | { readonly kind: "many" }
  | { readonly kind: "first" }
  | { readonly kind: "one" }
  | { readonly kind: "aggregate"; readonly function: AggregateName; readonly value: Expression | null };

export interface OrderTerm {
  readonly value: Expression;
  readonly descending: boolean;
}

export interface Hook {
  readonly arguments: readonly HookArgument[];
  readonly code: HookCode;
}

export interface HookArgument {
  readonly name: string;
  readonly value:
    | { readonly kind: "expression"; readonly expression: Expression }
    | { readonly kind: "query"; readonly query: Query | null; readonly select: Select };
}

export type HookCode =
  | { readonly kind: "inline"; readonly code: string }
  /** `runtime` is null for a module relative to the source file's folder. */
  | {
      readonly kind: "source";
      readonly function: string;
      readonly module: string;
      readonly runtime: string | null;
      readonly folder: string;
    };

// ---------------------------------------------------------------- tables

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: Constraint;
  readonly uniques: readonly UniqueConstraint[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly EnumCheck[];
  readonly indexes: readonly Index[];
}

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** `identity` and `uuid` are made by the system; other defaults are in the member. */
  readonly generated: "identity" | "uuid" | null;
  /** Name before `was`, as a column. */
  readonly was: string | null;
}

export type ColumnType =
  | {
      readonly kind:
        | "text"
        | "bigint"
        | "double precision"
        | "boolean"
        | "date"
        | "timestamptz"
        | "uuid"
        | "jsonb";
    }
  | { readonly kind: "numeric"; readonly precision?: number; readonly scale?: number };

export interface Constraint {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface UniqueConstraint extends Constraint {
  /** The members to blame when it is violated. */
  readonly members: readonly string[];
}

export interface ForeignKey extends Constraint {
  readonly member: string;
  readonly table: string;
  readonly targetColumns: readonly string[];
  readonly onDelete: "cascade" | "set null" | "restrict";
}

export interface EnumCheck extends Constraint {
  readonly member: string;
  readonly values: readonly string[];
}

export interface Index {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly descending: boolean }[];
  readonly reason: "foreign key" | "declared";
}

// ---------------------------------------------------------------- validation

/** A condition on a value: validators joined by `and`, `or`, `not`. */
export type Rule =
  | { readonly kind: "and" | "or"; readonly rules: readonly Rule[] }
  | { readonly kind: "not"; readonly rule: Rule }
  | {
      readonly kind: "validator";
      readonly validator: string;
      /** The value under test; null where the rule stands on a member or input, whose value it is. */
      readonly value: Expression | null;
      readonly arguments: readonly Expression[];
    }
  | { readonly kind: "condition"; readonly condition: Expression };

export interface Validator extends Documented {
  readonly name: string;
  /** The first is the value under test. */
  readonly arguments: readonly ValidatorArgument[];
  readonly assert: Expression | { readonly kind: "hook"; readonly hook: Hook };
  readonly error: { readonly code: string; readonly message: string | null };
}

export interface ValidatorArgument {
  readonly name: string;
  readonly type: ValueType;
}

// ---------------------------------------------------------------- auth

export interface Auth extends Documented {
  readonly model: string;
  readonly password: { readonly identify: string; readonly secret: string } | null;
  readonly jwt: Jwt | null;
}

export interface Jwt {
  readonly issuer: string;
  readonly audience: string;
  readonly jwks: string;
  readonly subject: string;
}

// ---------------------------------------------------------------- api

export interface Api extends Documented {
  readonly name: string | null;
  /** `/api` or `/api/<name>`. */
  readonly prefix: string;
  readonly entrypoints: readonly Entrypoint[];
}

export interface Entrypoint extends Documented {
  /** The model, or the member of the parent's model. */
  readonly resource: string;
  readonly model: string;
  readonly segment: string;
  /** Given in the source, or made up (then it begins with `$`). */
  readonly alias: string;
  readonly target: EntrypointTarget;
  /** How one record is found; null for a single-record entrypoint. */
  readonly identify: Identify | null;
  readonly authorize: readonly AuthorizeRule[];
  readonly endpoints: readonly Endpoint[];
  readonly entrypoints: readonly Entrypoint[];
}

/** `single`: one record without identifier in its path; `nullable`: it may be missing. */
export type EntrypointTarget =
  | { readonly kind: "model" }
  | {
      readonly kind: "member";
      readonly member: string;
      readonly single: boolean;
      readonly nullable: boolean;
    };

export interface Identify {
  /** From the record to the identifying value: `["slug"]`, `["profile", "handle"]`. */
  readonly path: readonly string[];
  readonly type: ValueType;
  readonly parameter: string;
}

export interface AuthorizeRule {
  readonly condition: Expression;
  readonly at: Place;
}

export type EndpointKind = "create" | "list" | "get" | "update" | "delete" | "custom";
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Endpoint extends Documented {
  readonly kind: EndpointKind;
  /** Stable and unique in the program: `Author.books.create`. */
  readonly name: string;
  readonly method: Method;
  /** With parameters in braces: `/api/author/{author_slug}/books`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Works on one record of its entrypoint, whose alias is bound; otherwise on the collection. */
  readonly cardinality: "one" | "many";
  /** Its own rules; those of its entrypoints must hold as well. */
  readonly authorize: readonly AuthorizeRule[];
  /** What is sent back; null for delete and custom. */
  readonly response: Select | null;
  readonly list: ListOptions | null;
  readonly request: RequestSchema | null;
  readonly actions: readonly Action[];
}

export interface Parameter {
  readonly name: string;
  readonly type: ValueType;
}

export interface ListOptions {
  readonly filter: Expression | null;
  readonly orderBy: readonly OrderTerm[];
  readonly pagination: { readonly pageSize: number; readonly max: number } | null;
}

export interface Select {
  readonly model: string;
  readonly items: readonly SelectItem[];
}

export type SelectItem =
  | { readonly kind: "value"; readonly name: string; readonly value: Expression; readonly doc: string | null }
  /** A related record, or with `many` a collection of them. */
  | {
      readonly kind: "nested";
      readonly name: string;
      readonly value: Expression;
      readonly many: boolean;
      readonly nullable: boolean;
      readonly select: Select;
      readonly doc: string | null;
    }
  | { readonly kind: "hook"; readonly name: string; readonly hook: string; readonly doc: string | null };

// ---------------------------------------------------------------- requests and actions

export interface RequestSchema {
  /** In the body, or in the query string of GET and DELETE. */
  readonly in: "body" | "query";
  readonly fields: readonly RequestField[];
}

export type RequestField =
  | {
      readonly kind: "value";
      readonly name: string;
      readonly type: ValueType;
      readonly required: boolean;
      readonly default: Expression | null;
      readonly validate: readonly Rule[];
      readonly doc: string | null;
      readonly source: RequestSource;
    }
  /** The inputs of an action that is not the primary one, under its alias. */
  | {
      readonly kind: "object";
      readonly name: string;
      readonly required: boolean;
      readonly fields: readonly RequestField[];
    };

/** What a request field is: a member of the written record, a record found by a unique path, or an extra input. */
export type RequestSource =
  | { readonly kind: "member"; readonly model: string; readonly member: string }
  | {
      readonly kind: "lookup";
      readonly model: string;
      readonly reference: string;
      readonly path: readonly string[];
    }
  | { readonly kind: "extra" };

export type Action =
  | CreateAction
  | UpdateAction
  | DeleteAction
  | QueryAction
  | ValidateAction
  | ExecuteAction
  | RespondAction;

/** Where the values of a written record come from. `field` is the path of the request field. */
export type Assignment =
  | { readonly kind: "input"; readonly member: string; readonly field: readonly string[] }
  | {
      readonly kind: "lookup";
      readonly member: string;
      readonly field: readonly string[];
      readonly path: readonly string[];
    }
  | { readonly kind: "set"; readonly member: string; readonly value: Expression; readonly at: Place }
  | { readonly kind: "hook"; readonly member: string; readonly hook: Hook; readonly at: Place }
  /** The reference to the parent, from the context. */
  | { readonly kind: "parent"; readonly member: string; readonly value: Expression };

export interface CreateAction {
  readonly kind: "create";
  readonly primary: boolean;
  readonly alias: string;
  readonly model: string;
  readonly assignments: readonly Assignment[];
  /** A nullable single relationship: the reference that points to the new record. */
  readonly link: { readonly record: Expression; readonly reference: string } | null;
  readonly at: Place;
}

export interface UpdateAction {
  readonly kind: "update";
  readonly primary: boolean;
  readonly alias: string;
  readonly model: string;
  readonly target: Expression;
  readonly assignments: readonly Assignment[];
  readonly at: Place;
}

export interface DeleteAction {
  readonly kind: "delete";
  readonly primary: boolean;
  readonly model: string;
  /** A record or a collection. */
  readonly target: Expression;
  readonly at: Place;
}

export interface QueryAction {
  readonly kind: "query";
  readonly alias: string | null;
  readonly query: Query;
  readonly operation:
    | { readonly kind: "select"; readonly select: Select | null }
    | { readonly kind: "update"; readonly assignments: readonly Assignment[] }
    | { readonly kind: "delete" };
  readonly at: Place;
}

export interface ValidateAction {
  readonly kind: "validate";
  readonly key: readonly string[];
  readonly rule: Rule;
  readonly at: Place;
}

export interface ExecuteAction {
  readonly kind: "execute";
  readonly alias: string | null;
  readonly responds: boolean;
  readonly hook: Hook;
  readonly at: Place;
}

export interface RespondAction {
  readonly kind: "respond";
  readonly body: Expression;
  readonly status: Expression | null;
  readonly headers: readonly { readonly name: string; readonly value: Expression }[];
  readonly at: Place;
}

// ---------------------------------------------------------------- populators, runtimes, generators

export interface Populator extends Documented {
  readonly name: string;
  readonly populates: readonly Populate[];
}

export interface Populate extends Documented {
  readonly model: string;
  /** The reference to the parent record that a nested populate sets. */
  readonly parent: { readonly reference: string; readonly alias: string } | null;
  readonly alias: string;
  readonly repeat: Repeat | null;
  readonly assignments: readonly Assignment[];
  readonly populates: readonly Populate[];
}

/** `current` runs from `start` to `end`, both included; `repeat 5` is 1 to 5. */
export interface Repeat {
  readonly iterator: string | null;
  readonly start: Expression;
  readonly end: Expression;
}

export interface Runtime extends Documented {
  readonly name: string;
  readonly default: boolean;
  readonly path: string;
}

export type Generator =
  | { readonly kind: "client"; readonly target: "ts" | "js"; readonly output: string }
  | { readonly kind: "openapi"; readonly output: string }
  | { readonly kind: "apidocs"; readonly basePath: string | null };
