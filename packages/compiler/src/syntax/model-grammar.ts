// Models and their members.

import { defineBlock, type Property } from "./block.js";
import { parseBracedExpression } from "./expression.js";
import { parseNameList } from "./name-list.js";
import {
  blockOf,
  bracedOf,
  dbname,
  expressionOf,
  flag,
  item,
  namedBlockOf,
  nameOf,
  typeProperty,
  was,
} from "./properties.js";
import { hookBlock, modelQueryBlock, parseDirection } from "./query-grammar.js";
import type {
  ComputedNode,
  FieldProperty,
  ModelIndexNode,
  ModelItem,
  ModelUniqueNode,
  NameProperty,
  OnDelete,
  OnDeleteNode,
  ReferenceProperty,
  TypeProperty,
} from "./tree.js";

const fieldBlock = defineBlock<FieldProperty>("a field", {
  type: typeProperty,
  unique: flag("unique"),
  nullable: flag("nullable"),
  default: expressionOf("default"),
  validate: bracedOf("validate"),
  secret: flag("secret"),
  index: flag("index"),
  dbname,
  was,
});

const onDelete: Property<OnDeleteNode> = {
  second: "delete",
  parse: (parser, keyword) => {
    parser.expectWord("delete");
    const word = parser.expectOneOf(["cascade", "set", "restrict"]);
    if (word === "set" && !parser.accept("null")) parser.expectWord("null");
    const effect: OnDelete | undefined = word === "set" ? "set null" : word;
    return { kind: "on", effect, ...item(parser, keyword) };
  },
};

const referenceBlock = defineBlock<ReferenceProperty>(
  "a reference",
  {
    to: nameOf("to", "the model it points to", { leads: true }),
    unique: flag("unique"),
    nullable: flag("nullable"),
    on: onDelete,
    dbname,
    was,
  },
  {
    elsewhere: {
      type: "a field",
      default: "a field",
      index: "a field (every reference has an index already)",
    },
  },
);

const relationBlock = defineBlock<NameProperty<"from"> | NameProperty<"through">>(
  "a relation",
  {
    from: nameOf("from", "the model on the other side", { leads: true }),
    through: nameOf("through", "the reference on the other side"),
  },
  { elsewhere: { to: "a reference", unique: "the reference on the other side", nullable: "a reference" } },
);

const idBlock = defineBlock<TypeProperty>("an id", { type: typeProperty });

const computed: Property<ComputedNode> = {
  many: true,
  parse: (parser, keyword) => {
    const name = parser.name("the computed's name");
    const value = parseBracedExpression(parser);
    return { kind: "computed", name, value, ...item(parser, keyword) };
  },
};

const unique: Property<ModelUniqueNode> = {
  many: true,
  parse: (parser, keyword) => {
    const list = parseNameList(parser, "a field or reference", () => undefined);
    return { kind: "unique", members: list.names.map((listed) => listed.name), ...item(parser, keyword) };
  },
};

const index: Property<ModelIndexNode> = {
  many: true,
  parse: (parser, keyword) => {
    const list = parseNameList(parser, "a field or reference", parseDirection);
    const members = list.names.map((listed) => ({ name: listed.name, descending: listed.extra }));
    return { kind: "index", members, ...item(parser, keyword) };
  },
};

export const modelBlock = defineBlock<ModelItem>(
  "a model",
  {
    id: blockOf("id", () => idBlock),
    field: namedBlockOf("field", "the field's name", () => fieldBlock),
    reference: namedBlockOf("reference", "the reference's name", () => referenceBlock),
    relation: namedBlockOf("relation", "the relation's name", () => relationBlock),
    computed,
    query: namedBlockOf("query", "the query's name", () => modelQueryBlock),
    hook: namedBlockOf("hook", "the hook's name", () => hookBlock),
    unique,
    index,
    timestamps: flag("timestamps"),
    dbname,
    was,
  },
  { style: "lines", elsewhere: { enum: "the top level of a file", validate: "a field" } },
);
