// The top level of a file, and the small declarations.

import { apiBlock } from "./api-grammar.js";
import { parseBlock } from "./block.js";
import { defineBlock, type Property } from "./block-table.js";
import { modelBlock } from "./model-grammar.js";
import { parseNameList } from "./name-list.js";
import { populatorBlock } from "./populator-grammar.js";
import { blockOf, flag, namedBlockOf, nameOf, textOf, typeProperty } from "./properties.js";
import { assert } from "./query-grammar.js";
import type {
  ApiNode,
  AuthProperty,
  Declaration,
  EnumNode,
  FlagNode,
  GeneratorNode,
  GeneratorProperty,
  JwtProperty,
  NameProperty,
  TextProperty,
  TypeProperty,
  ValidatorProperty,
} from "./tree.js";

const enumDeclaration: Property<EnumNode> = {
  many: true,
  parse: (parser, keyword) => {
    const name = parser.declaredName("the enum's name", keyword.text);
    const list = parseNameList(parser, "a value", () => undefined);
    const values = list.names.map((listed) => ({
      name: listed.name,
      doc: listed.doc,
      span: listed.name.span,
    }));
    return {
      kind: "enum",
      name,
      values,
      damaged: list.damaged,
      span: parser.spanFrom(keyword),
      doc: keyword.doc?.text,
    };
  },
};

const argBlock = defineBlock<TypeProperty | FlagNode<"nullable">>(
  "an argument",
  { type: typeProperty, nullable: flag("nullable") },
  { example: "type string" },
);

const errorBlock = defineBlock<TextProperty<"code"> | TextProperty<"message">>("an error", {
  code: textOf("code", "the error code in quotes"),
  message: textOf("message", "the message in quotes"),
});

const validatorBlock = defineBlock<ValidatorProperty>(
  "a validator",
  {
    arg: namedBlockOf("arg", "the argument's name", () => argBlock),
    assert,
    error: blockOf("error", () => errorBlock),
  },
  { style: "lines" },
);

const api: Property<ApiNode> = {
  many: true,
  parse: (parser, keyword) => {
    const name = parser.atOpener() ? undefined : parser.name("the api's name or `{`");
    const body = parseBlock(parser, apiBlock);
    return { kind: "api", name, body, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

const passwordBlock = defineBlock<NameProperty<"identify"> | NameProperty<"secret">>("the password", {
  identify: nameOf("identify", "a unique field"),
  secret: nameOf("secret", "a secret field"),
});

const jwtBlock = defineBlock<JwtProperty>("the jwt", {
  issuer: textOf("issuer", "the issuer in quotes"),
  audience: textOf("audience", "the audience in quotes"),
  jwks: textOf("jwks", "the key set's URL or file in quotes"),
  subject: nameOf("subject", "a unique field"),
});

const authBlock = defineBlock<AuthProperty>(
  "the auth block",
  {
    model: nameOf("model", "the model of users"),
    password: blockOf("password", () => passwordBlock),
    jwt: blockOf("jwt", () => jwtBlock),
  },
  { style: "lines" },
);

const source: Property<TextProperty<"source">> = {
  parse: (parser, keyword) => {
    parser.expectWord("path");
    const value = parser.text("the folder in quotes");
    return { kind: "source", value, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

const runtimeBlock = defineBlock<FlagNode<"default"> | TextProperty<"source">>(
  "a runtime",
  { default: flag("default"), source },
  { style: "lines" },
);

const GENERATORS = ["client", "openapi", "apidocs"] as const;

const generatorProperties = {
  target: nameOf("target", "`ts` or `js`"),
  output: textOf("output", "the output in quotes"),
  basePath: textOf("basePath", "the base path in quotes"),
};

/** Each kind of generator has its own properties; a misspelt kind gets them all. */
const generatorBlocks = {
  client: defineBlock<GeneratorProperty>("a client generator", {
    target: generatorProperties.target,
    output: generatorProperties.output,
  }),
  openapi: defineBlock<GeneratorProperty>("an OpenAPI generator", { output: generatorProperties.output }),
  apidocs: defineBlock<GeneratorProperty>("an API docs generator", {
    basePath: generatorProperties.basePath,
  }),
  unknown: defineBlock<GeneratorProperty>("a generator", generatorProperties),
};

const generator: Property<GeneratorNode> = {
  many: true,
  parse: (parser, keyword) => {
    const target = parser.expectOneOf(GENERATORS);
    const body = parseBlock(parser, generatorBlocks[target ?? "unknown"]);
    return { kind: "generator", target, body, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

export const programBlock = defineBlock<Declaration>(
  "a file",
  {
    model: namedBlockOf("model", "the model's name", () => modelBlock),
    enum: enumDeclaration,
    validator: namedBlockOf("validator", "the validator's name", () => validatorBlock),
    api,
    populator: namedBlockOf("populator", "the populator's name", () => populatorBlock),
    auth: { many: true, ...blockOf("auth", () => authBlock) },
    runtime: namedBlockOf("runtime", "the runtime's name", () => runtimeBlock),
    generator,
  },
  {
    style: "lines",
    synonyms: {
      table: "model",
      class: "model",
      entity: "model",
      interface: "model",
      schema: "model",
      type: "model",
    },
    advice: {
      import: "all files of a project are one program: nothing has to be imported",
      include: "all files of a project are one program: nothing has to be included",
      create: "a table is declared with `model Book { … }`, and created by `stoa db push`",
    },
    elsewhere: { entrypoint: "an api", field: "a model", reference: "a model", relation: "a model" },
  },
);
