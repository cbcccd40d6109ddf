// Rows for the sample programs: users and records of which the clauses of their rules say now this, now that.

import type { Setup } from "../conformance/notation.js";

export interface Sample {
  readonly name: string;
  readonly setup: readonly Setup[];
  /** Ids of users. */
  readonly users: readonly string[];
  /** What identifies records, by the model and the path that identifies them. */
  readonly identifiers: Readonly<Record<string, readonly string[]>>;
  /** Bodies that are valid, by the name of the endpoint; `{}` for all others. */
  readonly bodies: Readonly<Record<string, object>>;
}

function row(table: string, values: Readonly<Record<string, unknown>>): Setup {
  return { kind: "row", table, values };
}

const TIMES = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };

function user(id: number, name: string, isAdmin: boolean): Setup {
  const email = `${name}@example.org`;
  return row("user", { id, email, password: "none", display_name: name, is_admin: isAdmin });
}

function post(id: number, slug: string, status: string, author: number): Setup {
  const published = status === "published" ? { published_at: "2026-01-01T00:00:00Z" } : {};
  return row("post", { id, slug, status, title: slug, text: "t", author_id: author, ...published, ...TIMES });
}

function comment(id: number, post_id: number, author_id: number | null): Setup {
  return row("comment", { id, post_id, author_id, text: "t", is_approved: true, ...TIMES });
}

const BLOG: Sample = {
  name: "blog",
  setup: [
    ...[user(11, "ann", true), user(12, "bob", false), user(13, "cid", false)],
    ...[
      row("profile", { id: 41, handle: "ann", user_id: 11 }),
      row("profile", { id: 42, handle: "bob", user_id: 12 }),
    ],
    ...[row("role", { id: 51, name: "editor" }), row("membership", { id: 61, user_id: 13, role_id: 51 })],
    ...[post(21, "draft", "draft", 12), post(22, "live", "published", 12), post(23, "old", "archived", 11)],
    ...[comment(31, 22, 13), comment(32, 22, null), comment(33, 21, 11)],
  ],
  users: ["11", "12", "13"],
  identifiers: {
    "Post.slug": ["draft", "live", "old"],
    "Comment.id": ["31", "32", "33"],
    "User.profile.handle": ["ann", "bob"],
    "User.id": ["11", "12", "13"],
    "Membership.id": ["61"],
    "Role.id": ["51"],
  },
  bodies: {
    "people.profile.create": { handle: "new" },
    "Admin.user.update": { isAdmin: true },
  },
};

const STAFF = "0199a000-0000-7000-8000-000000000001";
const BUYER = "0199a000-0000-7000-8000-000000000002";

function order(id: number, status: string, customer_id: string): Setup {
  return row("order", { id, status, customer_id, ...TIMES });
}

const SHOP: Sample = {
  name: "shop",
  setup: [
    row("customer", { id: STAFF, subject: "s", email: "s@example.org", is_staff: true }),
    row("customer", { id: BUYER, subject: "b", email: "b@example.org", is_staff: false }),
    row("product", { id: 21, stock_keeping_unit: "abc", name: "p", price: "2.50", stock: 5 }),
    ...[order(31, "open", BUYER), order(32, "paid", BUYER), order(33, "open", STAFF)],
    row("item", { id: 41, quantity: 1, order_id: 31, product_id: 21 }),
  ],
  users: [STAFF, BUYER],
  identifiers: { "Order.id": ["31", "32", "33"], "Product.sku": ["abc"] },
  bodies: { "order.POST:one:pay": { expected: "2.50" } },
};

function person(id: number, login: string, others: Readonly<Record<string, unknown>> = {}): Setup {
  return row("person", { id, login, password: "none", external_id: login, rating: 0.5, ...others });
}

const BADGE = "0199a000-0000-7000-8000-000000000003";

const EVERYTHING: Sample = {
  name: "everything",
  setup: [
    row("badges", { id: BADGE, number: 7 }),
    ...[person(11, "ann", { badge_id: BADGE }), person(12, "bob")],
    row("task", {
      ...{ id: 21, title: "task", slug: "first", stage: "open", weight: 1, owner_id: 11 },
      ...{ key: "0199a000-0000-7000-8000-000000000004", created: "2026-01-01T00:00:00Z", ...TIMES },
    }),
  ],
  users: ["11", "12"],
  identifiers: { "Person.login": ["ann", "bob"], "Task.slug": ["first"] },
  bodies: {},
};

export const SAMPLES: readonly Sample[] = [BLOG, SHOP, EVERYTHING];
