// Models and their members.

import type { DiagnosticDetails } from "../diagnostics/diagnostic.js";
import { typeCalled } from "../foreign-types.js";
import { defineBlock, type Property } from "./block-table.js";
import { parseBracedExpression } from "./expression.js";
import { parseNameList } from "./name-list.js";
import type { Parser } from "./parser.js";
import {
  blockOf,
  bracedOf,
  dbname,
  expressionOf,
  flag,
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

const NOT_NULL = "every field has a value, unless it is `nullable`";

const fieldBlock = defineBlock<FieldProperty>(
  "a field",
  {
    type: typeProperty,
    unique: flag("unique"),
    nullable: flag("nullable"),
    default: expressionOf("default"),
    validate: bracedOf("validate"),
    secret: flag("secret"),
    index: flag("index"),
    dbname,
    was,
  },
  {
    example: "type string",
    synonyms: { optional: "nullable", null: "nullable" },
    advice: {
      required: NOT_NULL,
      not: NOT_NULL,
      notnull: NOT_NULL,
      primary: "every model has an `id` that identifies its records; for another key, write `unique`",
    },
  },
);

const onDelete: Property<OnDeleteNode> = {
  second: "delete",
  parse: (parser, keyword) => {
    parser.expectWord("delete");
    const word = parser.expectOneOf(["cascade", "set", "restrict"]);
    if (word === "set" && !parser.accept("null")) parser.expectWord("null");
    const effect: OnDelete | undefined = word === "set" ? "set null" : word;
    return { kind: "on", effect, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
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
    example: "to Author",
    synonyms: { model: "to", optional: "nullable" },
    advice: {
      ondelete: "write `on delete cascade`",
      required: "every reference has a record, unless it is `nullable`",
    },
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
  {
    example: "from Book, through author",
    elsewhere: { to: "a reference", unique: "the reference on the other side", nullable: "a reference" },
  },
);

const idBlock = defineBlock<TypeProperty>("an id", { type: typeProperty });

const computed: Property<ComputedNode> = {
  many: true,
  parse: (parser, keyword) => {
    const name = parser.declaredName("the computed's name", keyword.text);
    const value = parseBracedExpression(parser);
    return { kind: "computed", name, value, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

const unique: Property<ModelUniqueNode> = {
  many: true,
  parse: (parser, keyword) => {
    const list = parseNameList(parser, "a field or reference", () => undefined);
    return {
      kind: "unique",
      members: list.names.map((listed) => listed.name),
      span: parser.spanFrom(keyword),
      doc: keyword.doc?.text,
    };
  },
};

const index: Property<ModelIndexNode> = {
  many: true,
  parse: (parser, keyword) => {
    const list = parseNameList(parser, "a field or reference", parseDirection);
    const members = list.names.map((listed) => ({ name: listed.name, descending: listed.extra }));
    return { kind: "index", members, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
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
  {
    style: "lines",
    synonyms: {
      column: "field",
      property: "field",
      attribute: "field",
      belongsto: "reference",
      belongs_to: "reference",
      hasmany: "relation",
      has_many: "relation",
      hasone: "relation",
      has_one: "relation",
    },
    elsewhere: { enum: "the top level of a file", validate: "a field" },
    explain: explainField,
  },
);

/** `title: string`, `title String`, `string title`: fields as other languages write them. */
function explainField(parser: Parser): DiagnosticDetails | undefined {
  const words = fieldWords(parser);
  if (!words) return undefined;
  const [name, type] = words;
  return { hint: `a field is written \`field ${name} { type ${type} }\``, cause: "foreign field" };
}

function fieldWords(parser: Parser): readonly [name: string, type: string] | undefined {
  const first = parser.token.text;
  const signs = [parser.peek().text, parser.peek(2).text];
  const distance = signs[0] === "?" && signs[1] === ":" ? 3 : signs[0] === ":" || signs[0] === "?" ? 2 : 1;
  const second = parser.peek(distance);
  if (second.kind !== "word" || second.firstOnLine) return undefined;
  const type = typeCalled(second.text);
  return typeCalled(first) && !type ? [second.text, typeCalled(first) ?? ""] : [first, type ?? second.text];
}
