// The syntax tree: what was written, in the order it was written. Nothing is resolved here; a name is
// text with a place. A name that is missing in the source is the empty text (see `isMissing`).

import type { AggregateName, BinaryOperator } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";

export interface Name {
  readonly text: string;
  readonly span: Span;
}

export function isMissing(name: Name): boolean {
  return name.text === "";
}

/** A quoted text of the source, with its escapes resolved. */
export interface Text {
  readonly value: string;
  readonly span: Span;
}

/** A path of names, `a.b.c`; never empty, though its only name may be missing. */
export interface Path {
  readonly names: readonly Name[];
  readonly span: Span;
}

/** What every node of a block has. */
interface Item {
  readonly span: Span;
  readonly doc: string | undefined;
}

export interface Block<Node> {
  readonly items: readonly Node[];
  readonly span: Span;
  /** Something inside could not be read: names that seem to be missing may have stood there. */
  readonly damaged: boolean;
}

export interface SourceFile {
  readonly file: string;
  readonly declarations: readonly Declaration[];
  readonly damaged: boolean;
}

export type Declaration =
  | ModelNode
  | EnumNode
  | ValidatorNode
  | ApiNode
  | PopulatorNode
  | AuthNode
  | RuntimeNode
  | GeneratorNode;

// ---------------------------------------------------------------- models

export interface ModelNode extends Item {
  readonly kind: "model";
  readonly name: Name;
  readonly body: Block<ModelItem>;
}

export type ModelItem =
  | IdNode
  | FieldNode
  | ReferenceNode
  | RelationNode
  | ComputedNode
  | QueryNode
  | ModelHookNode
  | ModelUniqueNode
  | ModelIndexNode
  | FlagNode<"timestamps">
  | DbnameNode
  | WasNode;

export interface FlagNode<Kind extends string> extends Item {
  readonly kind: Kind;
}

export interface IdNode extends Item {
  readonly kind: "id";
  readonly body: Block<TypeProperty>;
}

export interface FieldNode extends Item {
  readonly kind: "field";
  readonly name: Name;
  readonly body: Block<FieldProperty>;
}

export type FieldProperty =
  | TypeProperty
  | FlagNode<"unique">
  | FlagNode<"nullable">
  | FlagNode<"secret">
  | FlagNode<"index">
  | ExpressionProperty<"default">
  | ExpressionProperty<"validate">
  | DbnameNode
  | WasNode;

export interface TypeProperty extends Item {
  readonly kind: "type";
  readonly type: TypeNode;
}

export interface TypeNode {
  readonly name: Name;
  /** `decimal(10, 2)`. */
  readonly arguments: readonly Expr[];
  readonly span: Span;
}

export interface ExpressionProperty<Kind extends string> extends Item {
  readonly kind: Kind;
  readonly value: Expr;
}

export interface DbnameNode extends Item {
  readonly kind: "dbname";
  readonly value: Text;
}

export interface WasNode extends Item {
  readonly kind: "was";
  readonly name: Name;
}

export interface ReferenceNode extends Item {
  readonly kind: "reference";
  readonly name: Name;
  readonly body: Block<ReferenceProperty>;
}

export type ReferenceProperty =
  | NameProperty<"to">
  | FlagNode<"unique">
  | FlagNode<"nullable">
  | OnDeleteNode
  | DbnameNode
  | WasNode;

export interface NameProperty<Kind extends string> extends Item {
  readonly kind: Kind;
  readonly name: Name;
}

export type OnDelete = "cascade" | "set null" | "restrict";

export interface OnDeleteNode extends Item {
  readonly kind: "on";
  readonly effect: OnDelete | undefined;
}

export interface RelationNode extends Item {
  readonly kind: "relation";
  readonly name: Name;
  readonly body: Block<NameProperty<"from"> | NameProperty<"through">>;
}

export interface ComputedNode extends Item {
  readonly kind: "computed";
  readonly name: Name;
  readonly value: Expr;
}

export interface QueryNode extends Item {
  readonly kind: "query";
  readonly name: Name;
  readonly body: Block<QueryProperty>;
}

/** Properties of every kind of query; which of them a place allows is decided by its block table. */
export type QueryProperty =
  | FromNode
  | ExpressionProperty<"filter">
  | OrderByNode
  | ExpressionProperty<"limit">
  | ExpressionProperty<"offset">
  | FlagNode<"first">
  | FlagNode<"one">
  | AggregateNode
  | SelectProperty<"select">
  | QueryUpdateNode
  | FlagNode<"delete">;

export interface FromNode extends Item {
  readonly kind: "from";
  readonly path: Path;
  readonly alias: Name | undefined;
}

export interface OrderByNode extends Item {
  readonly kind: "order";
  readonly terms: readonly OrderTerm[];
}

export interface OrderTerm {
  readonly value: Expr;
  readonly descending: boolean;
  readonly span: Span;
}

export interface AggregateNode extends Item {
  readonly kind: "aggregate";
  readonly function: AggregateName;
  readonly value: Expr | undefined;
}

export interface QueryUpdateNode extends Item {
  readonly kind: "update";
  readonly body: Block<SetNode>;
}

export interface HookBody {
  readonly body: Block<HookProperty>;
  readonly span: Span;
}

export interface ModelHookNode extends Item {
  readonly kind: "hook";
  readonly name: Name;
  readonly body: Block<HookProperty>;
}

export type HookProperty = HookArgNode | HookSourceNode | HookInlineNode;

export interface HookArgNode extends Item {
  readonly kind: "arg";
  readonly name: Name;
  readonly value: Expr | HookQuery;
}

export interface HookQuery {
  readonly kind: "query";
  readonly body: Block<QueryProperty>;
  readonly span: Span;
}

export interface HookSourceNode extends Item {
  readonly kind: "source";
  readonly function: Name;
  readonly module: Text;
}

export interface HookInlineNode extends Item {
  readonly kind: "inline";
  readonly code: Text;
}

export interface ModelUniqueNode extends Item {
  readonly kind: "unique";
  readonly members: readonly Name[];
}

export interface ModelIndexNode extends Item {
  readonly kind: "index";
  readonly members: readonly { readonly name: Name; readonly descending: boolean }[];
}

// ---------------------------------------------------------------- enum, validator, auth, runtime, generator

export interface EnumNode extends Item {
  readonly kind: "enum";
  readonly name: Name;
  readonly values: readonly EnumValue[];
  readonly damaged: boolean;
}

export interface EnumValue extends Item {
  readonly name: Name;
}

export interface ValidatorNode extends Item {
  readonly kind: "validator";
  readonly name: Name;
  readonly body: Block<ValidatorProperty>;
}

export type ValidatorProperty = ValidatorArgNode | AssertNode | ValidatorErrorNode;

export interface ValidatorArgNode extends Item {
  readonly kind: "arg";
  readonly name: Name;
  readonly body: Block<TypeProperty | FlagNode<"nullable">>;
}

export interface AssertNode extends Item {
  readonly kind: "assert";
  readonly value: Expr | HookValue;
}

export interface HookValue {
  readonly kind: "hook";
  readonly hook: HookBody;
  readonly span: Span;
}

export interface ValidatorErrorNode extends Item {
  readonly kind: "error";
  readonly body: Block<TextProperty<"code"> | TextProperty<"message">>;
}

export interface TextProperty<Kind extends string> extends Item {
  readonly kind: Kind;
  readonly value: Text;
}

export interface AuthNode extends Item {
  readonly kind: "auth";
  readonly body: Block<AuthProperty>;
}

export type AuthProperty = NameProperty<"model"> | PasswordNode | JwtNode;

export interface PasswordNode extends Item {
  readonly kind: "password";
  readonly body: Block<NameProperty<"identify"> | NameProperty<"secret">>;
}

export interface JwtNode extends Item {
  readonly kind: "jwt";
  readonly body: Block<JwtProperty>;
}

export type JwtProperty =
  | TextProperty<"issuer">
  | TextProperty<"audience">
  | TextProperty<"jwks">
  | NameProperty<"subject">;

export interface RuntimeNode extends Item {
  readonly kind: "runtime";
  readonly name: Name;
  readonly body: Block<FlagNode<"default"> | TextProperty<"source">>;
}

export interface GeneratorNode extends Item {
  readonly kind: "generator";
  readonly target: "client" | "openapi" | "apidocs" | undefined;
  readonly body: Block<GeneratorProperty>;
}

export type GeneratorProperty = NameProperty<"target"> | TextProperty<"output"> | TextProperty<"basePath">;

// ---------------------------------------------------------------- api

export interface ApiNode extends Item {
  readonly kind: "api";
  readonly name: Name | undefined;
  readonly body: Block<EntrypointNode>;
}

export interface EntrypointNode extends Item {
  readonly kind: "entrypoint";
  readonly resource: Name;
  readonly alias: Name | undefined;
  readonly body: Block<EntrypointProperty>;
}

export type EntrypointProperty =
  | TextProperty<"path">
  | IdentifyNode
  | SelectProperty<"response">
  | ExpressionProperty<"authorize">
  | EndpointNode
  | EntrypointNode;

export interface IdentifyNode extends Item {
  readonly kind: "identify";
  readonly body: Block<PathProperty<"through">>;
}

export interface PathProperty<Kind extends string> extends Item {
  readonly kind: Kind;
  readonly path: Path;
}

export interface SelectProperty<Kind extends string> extends Item {
  readonly kind: Kind;
  readonly select: Select;
}

export interface Select {
  readonly items: readonly SelectItem[];
  readonly span: Span;
  readonly damaged: boolean;
}

export type SelectItem =
  | {
      readonly kind: "member";
      readonly name: Name;
      readonly select: Select | undefined;
      readonly span: Span;
      readonly doc: string | undefined;
    }
  | {
      readonly kind: "value";
      readonly name: Name;
      readonly value: Expr;
      readonly span: Span;
      readonly doc: string | undefined;
    }
  | { readonly kind: "all"; readonly span: Span; readonly doc: string | undefined };

export type EndpointKind = "create" | "list" | "get" | "update" | "delete" | "custom";

export interface EndpointNode extends Item {
  readonly kind: "endpoint";
  readonly endpoint: EndpointKind;
  readonly alias: Name | undefined;
  /** The words `create endpoint`, or the short form of a custom endpoint. */
  readonly heading: Span;
  readonly body: Block<EndpointProperty>;
}

export type EndpointProperty =
  | SelectProperty<"response">
  | ExpressionProperty<"authorize">
  | ExpressionProperty<"filter">
  | PaginableNode
  | OrderByNode
  | ExtraInputsNode
  | ActionsNode
  | NameProperty<"method">
  | NameProperty<"cardinality">
  | TextProperty<"path">
  | RouteNode;

/** The short form of a custom endpoint: `POST one "publish"`. */
export interface RouteNode extends Item {
  readonly kind: "route";
  readonly method: Name;
  readonly cardinality: Name;
  readonly path: Text;
}

export interface PaginableNode extends Item {
  readonly kind: "paginable";
  readonly body: Block<ExpressionProperty<"pageSize"> | ExpressionProperty<"max">> | undefined;
}

export interface ExtraInputsNode extends Item {
  readonly kind: "extra";
  readonly body: Block<ExtraInputNode>;
}

export interface ExtraInputNode extends Item {
  readonly kind: "field";
  readonly name: Name;
  readonly body: Block<ExtraInputProperty>;
}

export type ExtraInputProperty =
  | TypeProperty
  | FlagNode<"nullable">
  | ExpressionProperty<"default">
  | ExpressionProperty<"validate">;

// ---------------------------------------------------------------- actions

export interface ActionsNode extends Item {
  readonly kind: "action";
  readonly body: Block<ActionNode>;
}

export type ActionNode = WriteNode | DeleteNode | QueryActionNode | ValidateNode | ExecuteNode | RespondNode;

export interface WriteNode extends Item {
  readonly kind: "create" | "update";
  readonly target: Path | undefined;
  readonly alias: Name | undefined;
  readonly heading: Span;
  readonly body: Block<WriteProperty>;
}

export type WriteProperty = InputNode | InputAllNode | ReferenceInputNode | SetNode | DenyNode;

export interface InputNode extends Item {
  readonly kind: "input";
  readonly fields: readonly InputField[];
}

export interface InputField {
  readonly name: Name;
  readonly body: Block<InputProperty> | undefined;
  readonly span: Span;
  readonly doc: string | undefined;
}

export type InputProperty =
  | FlagNode<"required">
  | FlagNode<"optional">
  | ExpressionProperty<"default">
  | ExpressionProperty<"validate">;

export interface InputAllNode extends Item {
  readonly kind: "input-all";
}

export interface ReferenceInputNode extends Item {
  readonly kind: "reference";
  readonly name: Name;
  readonly body: Block<PathProperty<"through">>;
}

export interface SetNode extends Item {
  readonly kind: "set";
  readonly member: Name;
  readonly value: Expr | HookValue;
}

export interface DenyNode extends Item {
  readonly kind: "deny";
  readonly names: readonly Name[];
}

export interface DeleteNode extends Item {
  readonly kind: "delete";
  readonly target: Path | undefined;
  readonly heading: Span;
}

export interface QueryActionNode extends Item {
  readonly kind: "query";
  readonly alias: Name | undefined;
  readonly heading: Span;
  readonly body: Block<QueryProperty>;
}

export interface ValidateNode extends Item {
  readonly kind: "validate";
  readonly key: Text;
  readonly value: Expr;
}

export interface ExecuteNode extends Item {
  readonly kind: "execute";
  readonly alias: Name | undefined;
  readonly heading: Span;
  readonly body: Block<FlagNode<"responds"> | ExecuteHookNode>;
}

export interface ExecuteHookNode extends Item {
  readonly kind: "hook";
  readonly hook: HookBody;
}

export interface RespondNode extends Item {
  readonly kind: "respond";
  readonly heading: Span;
  readonly body: Block<RespondProperty>;
}

export type RespondProperty = ExpressionProperty<"body"> | ExpressionProperty<"httpStatus"> | HttpHeadersNode;

export interface HttpHeadersNode extends Item {
  readonly kind: "httpHeaders";
  readonly headers: readonly { readonly name: Text; readonly value: Expr }[];
}

// ---------------------------------------------------------------- populators

export interface PopulatorNode extends Item {
  readonly kind: "populator";
  readonly name: Name;
  readonly body: Block<PopulateNode>;
}

export interface PopulateNode extends Item {
  readonly kind: "populate";
  readonly target: Name;
  readonly alias: Name | undefined;
  readonly heading: Span;
  readonly body: Block<PopulateProperty>;
}

export type PopulateProperty = RepeatNode | SetNode | PopulateNode;

export interface RepeatNode extends Item {
  readonly kind: "repeat";
  readonly iterator: Name | undefined;
  readonly range: Expr | Block<ExpressionProperty<"start"> | ExpressionProperty<"end">>;
}

// ---------------------------------------------------------------- expressions

export type Expr =
  | StringExpr
  | { readonly kind: "integer"; readonly value: number; readonly text: string; readonly span: Span }
  | { readonly kind: "float"; readonly value: number; readonly text: string; readonly span: Span }
  | { readonly kind: "boolean"; readonly value: boolean; readonly span: Span }
  | { readonly kind: "null"; readonly span: Span }
  | { readonly kind: "name"; readonly name: Name; readonly span: Span }
  | { readonly kind: "auth"; readonly span: Span }
  | { readonly kind: "member"; readonly on: Expr; readonly name: Name; readonly span: Span }
  | CallExpr
  | { readonly kind: "unary"; readonly operator: "not" | "-"; readonly operand: Expr; readonly span: Span }
  | BinaryExpr
  | { readonly kind: "array"; readonly items: readonly Expr[]; readonly span: Span }
  | { readonly kind: "struct"; readonly entries: readonly StructEntry[]; readonly span: Span }
  /** Nothing readable stands here; the parser has said so. */
  | { readonly kind: "missing"; readonly span: Span };

export interface StringExpr {
  readonly kind: "string";
  readonly value: string;
  readonly span: Span;
}

export interface CallExpr {
  readonly kind: "call";
  readonly callee: Name;
  readonly arguments: readonly Expr[];
  readonly span: Span;
}

export interface BinaryExpr {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly depth: number;
  readonly left: Expr;
  readonly right: Expr;
  readonly span: Span;
}

export interface StructEntry {
  readonly name: Name;
  readonly value: Expr;
}

type Kinded = { readonly kind: string };
type OfKind<Node, Kind> = Extract<Node, { readonly kind: Kind }>;

/** The first item of a kind, where a block has at most one of it. Asked too often for `find` to be fast enough. */
export function itemOf<Node extends Kinded, Kind extends Node["kind"]>(block: Block<Node>, kind: Kind) {
  for (let index = 0; index < block.items.length; index++) {
    if (block.items[index]?.kind === kind) return block.items[index] as OfKind<Node, Kind>;
  }
  return undefined;
}

/** All items of a kind, in source order. */
export function itemsOf<Node extends Kinded, Kind extends Node["kind"]>(block: Block<Node>, kind: Kind) {
  return block.items.filter((item): item is OfKind<Node, Kind> => item.kind === kind);
}
