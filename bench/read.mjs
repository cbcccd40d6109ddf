// Reading: Stoa beside a service that was written by hand with Fastify and `postgres`, over the same tables.
//
//   node bench/read.mjs [--seconds 2] [--rounds 7] [--connections 32] [--pool 10] [--only get]

import { AUTHORS, ENTRIES, NOTES, PAGE_SIZE } from "./library.mjs";
import { compare, get } from "./serving.mjs";

/** The bar, as a part of the throughput by hand. */
const BAR = 0.95;

/** @param {number} count @param {(number: number) => string} path */
const many = (count, path) => Array.from({ length: count }, (_, index) => get(path(index + 1)));

const one = many(AUTHORS, (number) => `/api/author/author-${number}`);
const pages = many(NOTES / PAGE_SIZE, (number) => `/api/note?page=${number}`);
// The first pages only: how far the rows are from the start is not what is measured here.
const largePages = many(5, (number) => `/api/entry?page=${number}`);
const nested = many(AUTHORS, (number) => `/api/nested/author/author-${number}`);

const cases = [
  { name: "get by slug", bar: BAR, status: 200, requests: one },
  { name: `page of ${PAGE_SIZE} and count`, bar: BAR, status: 200, requests: pages },
  { name: "author, books, reviews", bar: BAR, status: 200, requests: nested },
  { name: `page out of ${ENTRIES / 1000}k`, bar: null, status: 200, requests: largePages },
];

const isMet = await compare(cases, async (assertAlike) => {
  for (const request of [one, pages, nested, largePages].flatMap((all) => all.slice(0, 5))) {
    await assertAlike(request);
  }
  for (const path of ["/api/note?page=2&pageSize=3", "/api/note?page=1000", "/api/author/nobody"]) {
    await assertAlike(get(path));
  }
});
process.exitCode = isMet ? 0 : 1;
