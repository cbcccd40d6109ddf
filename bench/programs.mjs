// The programs that are measured: a small one as people write it, and large ones of any number of models.
// Everything is made from numbers alone, so that every run measures the same text.

/** Lines that each model of a large program adds, with its entrypoint. */
export const LINES_PER_MODEL = 20;

const MODELS_PER_FILE = 20;

export const SMALL_PROGRAM = `/// People who write books.
model Author {
  field name { type string, validate { minLength(2) } }
  field slug { type string, unique, validate { matches("^[a-z0-9-]+$") } }
  relation books { from Book, through author }
  computed bookCount { count(books) }
  query bestsellers { from books, filter { price > 20 }, order by { price desc }, limit 3 }
}

model Book {
  field title { type string, validate { minLength(1) and maxLength(200) } }
  field price { type decimal(10, 2), default "9.90" }
  reference author { to Author, on delete cascade }
  timestamps
}

api {
  entrypoint Author as author {
    identify { through slug }
    response { id, name, slug, bookCount, bestsellers { title, price } }
    list endpoint { paginable }
    create endpoint {}
    update endpoint {}

    entrypoint books as book {
      list endpoint { filter { price > 5 } }
      create endpoint {}
    }
  }
}
`;

/**
 * A program of so many models, twenty a file, each with its entrypoint: file names → texts. Every model is the
 * owner of the next, and the last one that of the first, across all files.
 * @param {number} models
 * @returns {Map<string, string>}
 */
export function largeProgram(models) {
  const files = new Map();
  for (let first = 0; first < models; first += MODELS_PER_FILE) {
    const part = String(first / MODELS_PER_FILE).padStart(3, "0");
    const items = Array.from({ length: Math.min(MODELS_PER_FILE, models - first) }, (_, at) => ({
      name: nameOf(first + at),
      owner: nameOf((first + at + models - 1) % models),
      part: nameOf((first + at + 1) % models),
      status: `Status${part}`,
      kind: KINDS[(first + at) % KINDS.length] ?? KINDS[0],
    }));
    const status = `/// Where an item stands.\nenum Status${part} { draft, open, closed }\n`;
    const api = `api Part${part} {\n${items.map(entrypoint).join("")}}\n`;
    files.set(`part${part}.stoa`, `${status}\n${items.map(model).join("")}${api}`);
  }
  return files;
}

/**
 * The same program in one file.
 * @param {number} models
 * @returns {Map<string, string>}
 */
export function largeFile(models) {
  return new Map([["all.stoa", [...largeProgram(models).values()].join("\n")]]);
}

/** @param {number} number */
function nameOf(number) {
  return `Item${String(number).padStart(4, "0")}`;
}

/**
 * Four kinds of models take turns, with a list, an update, a nested entrypoint and a custom endpoint. Together
 * they are as dense as the examples: about six tokens a line, blank lines and comments counted.
 */
const KINDS = [
  {
    fields: `field price { type decimal(10, 2), default "9.90" }
  field status { type Status, default "draft" }`,
    member: "computed total { price * 2 + coalesce(sum(parts.stock), 0) }",
    entrypoint: `    response { *, total, owner { id, title } }

    list endpoint {
      paginable { pageSize 20 }
      filter { status is not "closed" and (price > 10 or owner is null) }
      order by { title, price desc }
    }`,
  },
  {
    fields: "field stock { type integer, default 0, validate { min(0) } }\n",
    member: "computed isSoldOut { stock <= 0 }",
    entrypoint: `    update endpoint {
      action {
        update {
          input { title, stock { optional } }
          set owner null
        }
      }
    }`,
  },
  {
    fields: 'field slug { type string, unique, validate { matches("^[a-z0-9-]+$") } }\n',
    member: "query open { from parts, filter { closedAt is null }, order by { title }, limit 3 }",
    entrypoint: `    identify { through slug }
    get endpoint { response { *, open { title, closedAt } } }
    create endpoint {}
    delete endpoint {}

    entrypoint parts {
      list endpoint { paginable }
    }`,
  },
  {
    fields: "field closedAt { type datetime, nullable }\n",
    member: "computed isLarge { count(parts) > 10 }",
    entrypoint: `    response { *, partCount: count(parts) }

    POST one "close" {
      action {
        update item { set closedAt now() }
        respond { body { id: item.id, large: item.isLarge } }
      }
    }`,
  },
];

/** @typedef {{ name: string, owner: string, part: string, status: string, kind: typeof KINDS[number] }} Item */

/** @param {Item} item */
function model({ name, owner, part, status, kind }) {
  return `/// What is sold under the name of ${name}.
model ${name} {
  field title { type string, validate { minLength(2) and maxLength(80) } }
  ${kind.fields.replace("Status", status)}
  reference owner { to ${owner}, nullable, on delete set null }
  relation parts { from ${part}, through owner }
  ${kind.member}
}

`;
}

/** @param {Item} item */
function entrypoint({ name, kind }) {
  return `  entrypoint ${name} as item {\n${kind.entrypoint}\n  }\n`;
}
