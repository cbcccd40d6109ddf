// A small definition, written by hand: books and their authors.

import type { Definition, Model } from "../src/definition.js";
import type { ValueType } from "../src/types.js";

const integer: ValueType = { kind: "integer", nullable: false };
const string: ValueType = { kind: "string", nullable: false };

const author: Model = {
  name: "Author",
  doc: "Who writes.",
  at: [0, 1, 1, 3, 2],
  was: null,
  timestamps: false,
  members: [
    { kind: "id", name: "id", type: integer, column: "id" },
    {
      kind: "field",
      name: "name",
      doc: null,
      at: [0, 2, 3, 2, 30],
      type: string,
      column: "name",
      unique: true,
      secret: false,
      default: null,
      validate: {
        kind: "validator",
        validator: "minLength",
        value: null,
        arguments: [{ kind: "literal", type: integer, value: 2 }],
      },
      maintained: false,
      was: null,
    },
    {
      kind: "relation",
      name: "books",
      doc: null,
      at: [0, 2, 3, 2, 30],
      from: "Book",
      through: "author",
      single: false,
    },
  ],
  table: {
    name: "author",
    columns: [
      { name: "id", type: { kind: "bigint" }, nullable: false, generated: "identity", was: null },
      { name: "name", type: { kind: "text" }, nullable: false, generated: null, was: null },
    ],
    primaryKey: { name: "author_pkey", columns: ["id"] },
    uniques: [{ name: "author_name_key", columns: ["name"], members: ["name"] }],
    foreignKeys: [],
    checks: [],
    indexes: [],
  },
};

const book: Model = {
  name: "Book",
  doc: null,
  at: [0, 5, 1, 8, 2],
  was: null,
  timestamps: false,
  members: [
    { kind: "id", name: "id", type: integer, column: "id" },
    {
      kind: "reference",
      name: "author",
      doc: null,
      at: [0, 6, 3, 6, 33],
      to: "Author",
      key: "author_id",
      column: "author_id",
      unique: false,
      nullable: false,
      onDelete: "restrict",
      was: null,
    },
    {
      kind: "key",
      name: "author_id",
      reference: "author",
      type: integer,
      column: "author_id",
      unique: false,
    },
    {
      kind: "field",
      name: "genre",
      doc: null,
      at: [0, 7, 3, 7, 33],
      type: { kind: "enum", enum: "Genre", nullable: true },
      column: "genre",
      unique: false,
      secret: false,
      default: null,
      validate: null,
      maintained: false,
      was: null,
    },
  ],
  table: {
    name: "book",
    columns: [
      { name: "id", type: { kind: "bigint" }, nullable: false, generated: "identity", was: null },
      { name: "author_id", type: { kind: "bigint" }, nullable: false, generated: null, was: null },
      { name: "genre", type: { kind: "text" }, nullable: true, generated: null, was: null },
    ],
    primaryKey: { name: "book_pkey", columns: ["id"] },
    uniques: [],
    foreignKeys: [
      {
        name: "book_author_id_fkey",
        columns: ["author_id"],
        member: "author",
        table: "author",
        targetColumns: ["id"],
        onDelete: "restrict",
      },
    ],
    checks: [{ name: "book_genre_check", columns: ["genre"], member: "genre", values: ["poetry", "prose"] }],
    indexes: [
      {
        name: "book_author_id_idx",
        columns: [{ name: "author_id", descending: false }],
        reason: "foreign key",
      },
    ],
  },
};

export const library: Definition = {
  version: 1,
  sources: ["library.stoa"],
  enums: [
    {
      name: "Genre",
      doc: null,
      at: [0, 10, 1, 10, 30],
      values: [
        { name: "poetry", doc: null },
        { name: "prose", doc: null },
      ],
    },
  ],
  models: [author, book],
  validators: [],
  auth: null,
  apis: [],
  populators: [],
  runtimes: [],
  generators: [{ kind: "apidocs", basePath: null }],
};
