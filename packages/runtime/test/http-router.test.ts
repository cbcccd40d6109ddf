import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRouter } from "../src/http/router.js";
import { route } from "./http-notation.js";

const ROUTES = [
  "GET /api/author",
  "POST /api/author",
  "GET /api/author/{slug}",
  "PATCH /api/author/{slug}",
  "DELETE /api/author/{slug}",
  "POST /api/author/x",
  "GET /api/author/top",
  "GET /api/author/{slug}/books",
  "POST /api/author/x/books",
  "GET /api/author/{slug}/books/{id}",
  "PUT /api/author/{slug}/books/{id}/cover",
  "GET /api/caf%C3%A9",
  "GET /api/a%2Fb/{id}",
  "GET /api/node/{id}/children/{id}",
];
const router = createRouter(ROUTES.map((text) => route(text)));

/** `GET /path?query` → the route found with its parameters, or the methods of the path, or nothing. */
function find(request: string): string {
  const space = request.indexOf(" ");
  const found = router.find(request.slice(0, space), request.slice(space + 1));
  if (found.kind === "miss") return found.allow === null ? "404" : `405 ${found.allow}`;
  const query = found.query === null ? [] : [`?${found.query}`];
  return [found.route.name, ...found.parameters.map((value) => JSON.stringify(value)), ...query].join(" ");
}

const AUTHOR_METHODS = "GET, HEAD, PATCH, DELETE, OPTIONS";
const CASES: readonly [request: string, found: string][] = [
  ["GET /api/author", "GET /api/author"],
  ["HEAD /api/author", "GET /api/author"],
  ["POST /api/author", "POST /api/author"],
  ["GET /api/author/", "GET /api/author"],
  ["GET /api/author/?page=2", "GET /api/author ?page=2"],
  ["GET /api/author?", "GET /api/author ?"],
  ["GET /api/author?a=/x?y", "GET /api/author ?a=/x?y"],
  ["GET /api/author?a=%ZZ", "GET /api/author ?a=%ZZ"],
  ["GET /api/author//", "404"],
  ["GET /api//author", "404"],
  ["GET //api/author", "404"],
  ["GET /", "404"],
  ["GET //", "404"],
  ["GET /api", "404"],
  ["GET /API/author", "404"],
  ["GET /api/authors", "404"],
  ["GET /api/author/jane", 'GET /api/author/{slug} "jane"'],
  ["GET /api/author/jane/", 'GET /api/author/{slug} "jane"'],
  ["GET /api/author/jane//", "404"],
  ["GET /api/author//books", "404"],
  ["PUT /api/author", "405 GET, HEAD, POST, OPTIONS"],
  ["OPTIONS /api/author", "405 GET, HEAD, POST, OPTIONS"],
  ["PUT /api/author/jane", `405 ${AUTHOR_METHODS}`],
  ["get /api/author", "405 GET, HEAD, POST, OPTIONS"],
  ["constructor /api/author", "405 GET, HEAD, POST, OPTIONS"],
  // A literal wins over a parameter, but only for the methods that it has.
  ["POST /api/author/x", "POST /api/author/x"],
  ["GET /api/author/x", 'GET /api/author/{slug} "x"'],
  ["OPTIONS /api/author/x", "405 GET, HEAD, POST, PATCH, DELETE, OPTIONS"],
  ["GET /api/author/top", "GET /api/author/top"],
  ["PATCH /api/author/top", 'PATCH /api/author/{slug} "top"'],
  ["GET /api/author/x/books", 'GET /api/author/{slug}/books "x"'],
  ["POST /api/author/x/books", "POST /api/author/x/books"],
  ["POST /api/author/y/books", "405 GET, HEAD, OPTIONS"],
  ["GET /api/author/x/books/1", 'GET /api/author/{slug}/books/{id} "x" "1"'],
  ["GET /api/author/top/books/1", 'GET /api/author/{slug}/books/{id} "top" "1"'],
  ["PUT /api/author/jane/books/1/cover", 'PUT /api/author/{slug}/books/{id}/cover "jane" "1"'],
  ["GET /api/author/jane/books/1/cover", "405 PUT, OPTIONS"],
  ["GET /api/author/jane/books/1/cover/x", "404"],
  ["GET /api/node/1/children/2", 'GET /api/node/{id}/children/{id} "1" "2"'],
  // Percent-encoding.
  ["GET /api/%61uthor", "GET /api/author"],
  ["GET /%61pi/author/j%C3%A9r%C3%B4me", 'GET /api/author/{slug} "jérôme"'],
  ["GET /api/author/a%2Fb", 'GET /api/author/{slug} "a/b"'],
  ["GET /api/author/a%2Fbooks", 'GET /api/author/{slug} "a/books"'],
  ["GET /api/author%2Fjane", "404"],
  ["GET /api/author/a%20b+c", 'GET /api/author/{slug} "a b+c"'],
  ["GET /api/author/%25", 'GET /api/author/{slug} "%"'],
  ["GET /api/author/%2541", 'GET /api/author/{slug} "%41"'],
  ["GET /api/author/%3Fx", 'GET /api/author/{slug} "?x"'],
  ["GET /api/caf%c3%a9", "GET /api/caf%C3%A9"],
  ["GET /api/a%2fb/7", 'GET /api/a%2Fb/{id} "7"'],
  ["GET /api/author/%ZZ", "404"],
  ["GET /api/author/%", "404"],
  ["GET /api/author/%4", "404"],
  ["GET /api/author/%FF", "404"],
  ["GET /api/author/%C0%AF", "404"],
  ["GET /api/author/%ED%A0%80", "404"],
  ["GET /api/author/%00", "404"],
  ["GET /api/author/a%00b", "404"],
  ["PUT /api/author/%ZZ", "404"],
  ["GET /api/author/.", 'GET /api/author/{slug} "."'],
  ["GET /api/author/..", 'GET /api/author/{slug} ".."'],
  ["GET /api/author/%2e%2e", 'GET /api/author/{slug} ".."'],
  ["GET /api/author/__proto__", 'GET /api/author/{slug} "__proto__"'],
  ["GET /api/__proto__", "404"],
  ["GET /api/author/{slug}", 'GET /api/author/{slug} "{slug}"'],
  // What curl sends for jérôme: bytes, which Node gives as one character each.
  ["GET /api/author/j\u00c3\u00a9r?q=\u00c3\u00a9", 'GET /api/author/{slug} "jér" ?q=%c3%a9'],
  ["GET /api/author/\u00e9", "404"],
  ["GET /api/author/\u20ac", 'GET /api/author/{slug} "€"'],
  // Other forms of a request target.
  ["GET http://example.com/api/author?x", "GET /api/author ?x"],
  ["GET HTTPS://user:secret@example.com:80/api/author/jane", 'GET /api/author/{slug} "jane"'],
  ["GET http://example.com", "404"],
  ["GET http://example.com?x=/api/author", "404"],
  ["GET ftp://example.com/api/author", "404"],
  ["OPTIONS *", "405 GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"],
  ["GET *", "404"],
  ["GET example.com:80", "404"],
  ["GET ", "404"],
  ["GET ?x", "404"],
];

describe("the router", () => {
  test.each(CASES)("%s", (request, found) => {
    expect(find(request)).toBe(found);
  });

  test("two routes for one method and path are a bug of whoever made them", () => {
    const twice = [route("GET /api/a/{x}"), route("GET /api/a/{y}")];
    expect(() => createRouter(twice)).toThrow("Two routes for GET /api/a/{y}");
  });

  test("every identifier comes back as it was encoded", () => {
    const identifier = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("\0"));
    fc.assert(
      fc.property(identifier, identifier, (slug, id) => {
        const target = `/api/author/${encodeURIComponent(slug)}/books/${encodeURIComponent(id)}`;
        expect(router.find("GET", target)).toMatchObject({ kind: "match", parameters: [slug, id] });
      }),
    );
  });

  test("no request target makes it throw, and no match has an empty parameter", () => {
    const piece = fc.constantFrom(
      "/",
      "//",
      "api",
      "author",
      "x",
      "books",
      "%",
      "%2F",
      "%zz",
      "?",
      "é",
      ".",
      "*",
    );
    const target = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }).map((parts) => parts.join("")),
      fc
        .array(fc.oneof(piece, fc.string()), { maxLength: 8 })
        .map((parts) => `/api/author/${parts.join("")}`),
    );
    fc.assert(
      fc.property(fc.constantFrom("GET", "HEAD", "POST", "OPTIONS", "BREW"), target, (method, text) => {
        const found = router.find(method, text);
        if (found.kind === "match") expect(found.parameters.every((value) => value !== "")).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  test("a slash at the end never changes what is found", () => {
    const segment = fc.constantFrom("api", "author", "x", "books", "top", "%41", "cover", "7");
    fc.assert(
      fc.property(
        fc.constantFrom("GET", "POST", "PUT", "OPTIONS"),
        fc.array(segment, { minLength: 1 }),
        (method, parts) => {
          const path = `/${parts.join("/")}`;
          expect(router.find(method, `${path}/`)).toEqual(router.find(method, path));
        },
      ),
    );
  });

  test("a path with thousands of segments is refused at once", () => {
    expect(find(`GET /api/author${"/x".repeat(8000)}`)).toBe("404");
    expect(find(`GET ${"/".repeat(16_000)}`)).toBe("404");
  });
});
