// The code of the blog's hooks. `stoa build` writes their types to `.stoa/build/hooks.d.ts`.

import type { PostCreateSetSlug, PostExcerpt } from "./.stoa/build/hooks.js";

const EXCERPT_LENGTH = 120;

/** The first words of a text, for lists. */
export const excerpt: PostExcerpt = ({ text }) => {
  if (text.length <= EXCERPT_LENGTH) return text;
  const cut = text.slice(0, EXCERPT_LENGTH + 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 1))} …`;
};

/** `Crème brûlée!` → `creme-brulee`, and `creme-brulee-2` if there is one already. */
export const slugify: PostCreateSetSlug = async ({ title }, { db }) => {
  const base = asciiOf(title) || "post";
  // Of two posts with the same title, the second waits here until the first is written.
  await db.sql`select pg_advisory_xact_lock(hashtext(${base}))`;
  const taken = await db.sql<{ slug: string }>`select slug from post where starts_with(slug, ${base})`;
  const slugs = new Set(taken.map(({ slug }) => slug));
  if (!slugs.has(base)) return base;
  let number = 2;
  while (slugs.has(`${base}-${number}`)) number++;
  return `${base}-${number}`;
};

function asciiOf(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}
