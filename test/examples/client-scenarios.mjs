// @ts-nocheck What a client looks like is known only once it is generated; its types have tests of their own.
//
// What users of generated clients do, for each example. The same code runs in Node and in a browser, and gives back
// what it has seen, as JSON.

/** How a call ends: `ok`, or the code of the problem with the codes of its inputs. */
async function ending(call) {
  const { problem } = await call.result();
  if (problem === null) return "ok";
  const errors = (problem.errors ?? []).map(({ path, code }) => `${path} ${code}`);
  return [problem.code, ...errors].join(" ");
}

async function collect(iterable, pick) {
  const seen = [];
  for await (const each of iterable) seen.push(pick(each));
  return seen;
}

/** A `fetch` that loses the answers to the first requests, after the server has dealt with them. */
function losing(count, keys) {
  let left = count;
  return async (url, init) => {
    keys.push(new Headers(init.headers).get("Idempotency-Key"));
    const response = await fetch(url, init);
    if (left-- > 0) throw new TypeError("the line was cut");
    return response;
  };
}

async function aborted(call, controller) {
  controller.abort();
  try {
    await call;
    return "done";
  } catch (error) {
    return error.name;
  }
}

export async function bookstore({ createClient, ApiError }, baseUrl) {
  const client = createClient({ baseUrl });
  const seen = {};
  const page = await client.author.list({ page: 2, pageSize: 4 });
  seen.page = [page.page, page.totalPages, page.totalCount, page.data.length];
  seen.all = (await collect(client.author.list({ pageSize: 3 }), ({ slug }) => slug)).length;
  seen.pages = await collect(client.author.list({ pageSize: 4 }).pages(), ({ data }) => data.length);
  const ann = await client.author.create({ name: "Ann Lee", slug: "ann" });
  const book = await client.author("ann").books.create({ title: "One", price: "25.50" });
  const review = await client.book(book.id).reviews.create({ stars: 5, text: "Good" });
  seen.nested = [book.author_id === ann.id, review.book_id === book.id];
  seen.list = (await client.author("ann").books.list()).map(({ title }) => title);
  seen.get = (await client.book(book.id).get()).averageStars;
  seen.reprice = (await client.book(book.id).reprice({ newPrice: "19.90" })).price;
  const { etag } = await client.author("ann").get().answer();
  seen.unchanged = await client.author("ann").get({ ifNoneMatch: etag });
  seen.update = (await client.author("ann").update({ name: "Ann B" }, { ifMatch: etag })).name;
  seen.late = await ending(client.author("ann").update({ name: "Ann C" }, { ifMatch: etag }));
  seen.invalid = await ending(client.author.create({ name: "A", slug: "Ann!" }));
  seen.conflict = await ending(client.author.create({ name: "Ann", slug: "ann" }));
  seen.delete = (await client.author("ann").delete()) === undefined;
  seen.gone = await client
    .author("ann")
    .get()
    .catch((error) => [error instanceof ApiError, error.problem.code, error.problem.status]);
  const controller = new AbortController();
  seen.abort = await aborted(client.author.list({ signal: controller.signal }), controller);
  return seen;
}

export async function blog({ createClient }, baseUrl) {
  const nobody = createClient({ baseUrl });
  const ann = createClient({ baseUrl });
  const seen = {};
  seen.draft = await ending(nobody.post("soup-an-apology").get());
  const session = await ann.auth.login({ email: "ann@example.org", password: "correct horse" });
  seen.user = session.user.handle;
  seen.ownDraft = (await ann.post("soup-an-apology").get()).status;
  seen.create = (await ann.post.create({ title: "Night train to Lisbon", text: "Again." })).slug;
  seen.publish = (await ann.post(seen.create).publish()).status;
  seen.published = await collect(nobody.post.list({ pageSize: 1 }), ({ slug }) => slug);
  seen.tag = (await ann.post(seen.create).tagging.create({ tag_name: "travel" })).tag.name;
  seen.noTag = await ending(ann.post(seen.create).tagging.create({ tag_name: "none" }));
  // A token may come from a function, which may take its time.
  const bob = createClient({ baseUrl, token: async () => bobs.token });
  const bobs = await createClient({ baseUrl }).auth.login({
    email: "bob@example.org",
    password: "battery staple",
  });
  const comment = await bob.post(seen.create).comments.create({ text: "Nice" });
  seen.comment = comment.author.handle;
  seen.short = await ending(bob.post(seen.create).comments.create({ text: "N" }));
  seen.forbidden = await ending(bob.post(seen.create).update({ title: "Mine now" }));
  seen.changed = (await bob.post(seen.create).comments(comment.id).update({ text: "Very nice" })).text;
  seen.comments = await collect(nobody.post(seen.create).comments.list(), ({ text }) => text);
  seen.notDesk = await ending(bob.Desk.user.list());
  seen.nobody = await ending(nobody.tag.create({ name: "soup" }));
  await ann.auth.logout();
  seen.after = await ending(ann.auth.me());
  ann.$setToken(session.token);
  seen.dead = await ending(ann.post.list());
  return seen;
}

export async function todo({ createClient }, baseUrl) {
  const client = createClient({ baseUrl });
  const seen = {};
  seen.invalid = await ending(client.signUp.create({ name: "C", email: "cleo", password: "short" }));
  const person = { name: "Cleo Park", email: "cleo@example.org", password: "a long password" };
  const { id } = await client.signUp.create(person);
  seen.twice = await ending(client.signUp.create(person));
  seen.wrong = await ending(client.auth.login({ email: person.email, password: "another" }));
  await client.auth.login({ email: person.email, password: person.password });
  const { todos } = client.user(id);
  const first = await todos.create({ title: "First", dueOn: "2099-01-01" });
  const second = await todos.create({ title: "Second" });
  seen.blank = await ending(todos.create({ title: "  " }));
  seen.done = (await todos(first.id).update({ isDone: true })).isDone;
  seen.cleared = (await todos(second.id).update({ dueOn: null, title: "Third" })).title;
  seen.list = (await todos.list()).map(({ title, isDone }) => [title, isDone]);
  seen.clear = await todos.clearDone();
  seen.delete = (await todos(second.id).delete()) === undefined;
  seen.empty = await todos.list();
  seen.others = await ending(client.user(1).todos.list());
  return seen;
}

export async function shop({ createClient }, baseUrl) {
  const client = createClient({ baseUrl });
  const seen = {};
  seen.products = await collect(client.product.list({ pageSize: 2 }), ({ sku }) => sku);
  const { token } = await client.auth.login({ email: "ann@example.org", password: "correct horse" });
  seen.tooMany = await ending(client.product("POT-01").buy({ pieces: 50 }));
  seen.buy = (await client.product("POT-01").buy()).total;
  const line = await client.cart.create({ product_sku: "TEA-10", quantity: 2 });
  await client.cart(line.id).update({ quantity: 10 });
  seen.quote = await client.cart.quote();
  // The answers get lost twice; the order is placed once all the same.
  const keys = [];
  const shaky = createClient({ baseUrl, token, retries: 3, fetch: losing(2, keys) });
  const made = await shaky.cart.checkout().answer();
  seen.checkout = [made.status, made.headers.get("Idempotent-Replayed"), made.data.total];
  seen.keys = [keys.length, new Set(keys).size, typeof keys[0]];
  seen.empty = await ending(client.cart.checkout());
  const orders = await client.order.list();
  seen.orders = orders.totalCount;
  const { number } = made.data;
  seen.order = (await client.order(number).get()).lines.map(({ product, quantity }) => [
    product.sku,
    quantity,
  ]);
  seen.pay = (await client.order(number).pay()).status;
  seen.cancel = (await client.order(number).cancel()).status;
  seen.notStaff = await ending(client.Staff.order.sales());
  await client.auth.login({ email: "sam@example.org", password: "behind the counter" });
  seen.restock = (await client.Staff.product("CUP-04").restock({ pieces: 2 })).stock;
  seen.ean = await ending(client.Staff.product("CUP-04").update({ ean: "4006381333932" }));
  seen.sales = (await client.Staff.order.sales()).turnover;
  return seen;
}
