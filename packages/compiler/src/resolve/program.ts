// The resolved program: declarations by name, members with their types and targets. Expressions are still
// syntax; phase 3 gives them types. What could not be resolved is `undefined` and has been reported.

import type { Type, ValueType } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import type {
  ApiNode,
  AuthNode,
  ComputedNode,
  EnumNode,
  FieldNode,
  GeneratorNode,
  ModelHookNode,
  ModelNode,
  OnDelete,
  PopulatorNode,
  QueryNode,
  ReferenceNode,
  RelationNode,
  RuntimeNode,
  ValidatorNode,
} from "../syntax/tree.js";

export interface Program {
  readonly models: ReadonlyMap<string, Model>;
  readonly enums: ReadonlyMap<string, EnumDeclaration>;
  readonly validators: ReadonlyMap<string, ValidatorDeclaration>;
  readonly apis: readonly ApiNode[];
  readonly populators: readonly PopulatorNode[];
  readonly runtimes: readonly RuntimeNode[];
  readonly generators: readonly GeneratorNode[];
  readonly auths: readonly AuthNode[];
  /** Some declaration could not be read: a name that seems unknown may be declared in it. */
  readonly damaged: boolean;
}

export interface EnumDeclaration {
  readonly name: string;
  readonly node: EnumNode;
  readonly values: ReadonlySet<string>;
}

export interface ValidatorDeclaration {
  readonly name: string;
  readonly node: ValidatorNode;
  readonly arguments: readonly ValidatorArgument[];
}

export interface ValidatorArgument {
  readonly name: string;
  readonly type: ValueType | undefined;
  readonly span: Span;
}

export interface Model {
  readonly name: string;
  readonly node: ModelNode;
  readonly members: ReadonlyMap<string, Member>;
  /** Some member could not be read. */
  readonly damaged: boolean;
}

export type Member =
  | IdMember
  | FieldMember
  | KeyMember
  | ReferenceMember
  | RelationMember
  | { readonly kind: "computed"; readonly name: string; readonly span: Span; readonly node: ComputedNode }
  | { readonly kind: "query"; readonly name: string; readonly span: Span; readonly node: QueryNode }
  | { readonly kind: "hook"; readonly name: string; readonly span: Span; readonly node: ModelHookNode };

export interface IdMember {
  readonly kind: "id";
  readonly name: "id";
  readonly type: ValueType;
  readonly span: Span;
}

export interface FieldMember {
  readonly kind: "field";
  readonly name: string;
  readonly span: Span;
  readonly type: ValueType | undefined;
  readonly unique: boolean;
  readonly secret: boolean;
  readonly hasDefault: boolean;
  /** Written by the system alone (`timestamps`); such a field has no node. */
  readonly node: FieldNode | undefined;
}

export interface KeyMember {
  readonly kind: "key";
  readonly name: string;
  readonly span: Span;
  readonly reference: ReferenceMember;
}

export interface ReferenceMember {
  readonly kind: "reference";
  readonly name: string;
  readonly span: Span;
  readonly to: string | undefined;
  readonly unique: boolean;
  readonly nullable: boolean;
  readonly onDelete: OnDelete;
  readonly node: ReferenceNode;
}

export interface RelationMember {
  readonly kind: "relation";
  readonly name: string;
  readonly span: Span;
  readonly from: string | undefined;
  readonly through: ReferenceMember | undefined;
  readonly node: RelationNode;
}

export const BROKEN: Type = { kind: "any", nullable: false };
