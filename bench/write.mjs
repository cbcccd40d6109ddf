// Writing: Stoa beside a service that was written by hand with Fastify and `postgres`, into the same tables.
//
//   node bench/write.mjs [--seconds 2] [--rounds 7] [--connections 32] [--pool 10] [--only create]

import { AUTHORS, BOOKS } from "./library.mjs";
import { compare, write } from "./serving.mjs";

/** The bar, as a part of the throughput by hand. */
const BAR = 0.9;

const book = {
  title: "A book with a title",
  slug: "new-{n}",
  pages: 320,
  price: "19.95",
  genre: "essay",
  author_id: 7,
};
const authors = Array.from({ length: AUTHORS }, (_, index) => index + 1);
const created = authors.map((author) => write("POST", "/api/book", { ...book, author_id: author }));
const updated = authors.flatMap((author) =>
  Array.from({ length: BOOKS }, (_, index) =>
    write("PATCH", `/api/book/book-${author}-${index + 1}`, { title: "Renamed to {n}", price: "20.50" }),
  ),
);

const cases = [
  {
    name: "create",
    bar: BAR,
    status: 201,
    requests: created,
    before: "delete from book where slug like 'new-%'; vacuum analyze book",
  },
  { name: "update", bar: BAR, status: 200, requests: updated, before: "vacuum analyze book" },
];

const isMet = await compare(cases, async (assertAlike) => {
  for (const request of [...created.slice(0, 1), ...updated.slice(0, 3)]) await assertAlike(request);
  const wrong = [
    ...[
      { title: "A" },
      { slug: "No slug" },
      { pages: 0 },
      { price: "1.234" },
      { price: "0" },
      { genre: "none" },
    ],
    ...[{ author_id: 1_000_000 }, { slug: "book-1-1" }, { title: null }, { colour: "red" }],
  ];
  for (const each of wrong) await assertAlike(write("POST", "/api/book", { ...book, ...each }));
});
process.exitCode = isMet ? 0 : 1;
