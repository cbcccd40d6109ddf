// The program that the benches of reading and writing serve, and its rows.

/** How many rows the tables of pages have: few, so that the count does not drown all else, and many. */
export const NOTES = 1000;
export const ENTRIES = 100_000;
export const AUTHORS = 200;
export const BOOKS = 10;
const REVIEWS = 5;

export const PAGE_SIZE = 20;

const LISTED = `
  field title { type string }
  field text { type string }
  field rank { type integer, index }
  field price { type decimal(10, 2) }
  field isOpen { type boolean }
  field day { type date }`;

export const PROGRAM = `
enum Genre { novel, poetry, essay }

model Author {
  field name { type string }
  field slug { type string, unique }
  field country { type string }
  field bornOn { type date }
  field isActive { type boolean }
  relation books { from Book, through author }
}
model Book {
  field title { type string, validate { minLength(2) and maxLength(200) } }
  field slug { type string, unique, validate { matches("^[a-z0-9-]+$") and maxLength(80) } }
  field pages { type integer, validate { min(1) and max(10000) } }
  field price { type decimal(10, 2), validate { min("0.01") and max("99999.99") } }
  field genre { type Genre }
  reference author { to Author, on delete cascade }
  relation reviews { from Review, through book }
}
model Review {
  field stars { type integer }
  field text { type string }
  reference book { to Book, on delete cascade }
}
model Note {${LISTED}
}
model Entry {${LISTED}
}

api {
  entrypoint Author {
    identify { through slug }
    get endpoint { response { id, name, slug, country, bornOn, isActive } }
  }
  entrypoint Note {
    list endpoint { paginable { pageSize ${PAGE_SIZE} }, order by { rank }, response { * } }
  }
  entrypoint Entry {
    list endpoint { paginable { pageSize ${PAGE_SIZE} }, order by { rank }, response { * } }
  }
  entrypoint Book {
    identify { through slug }
    response { id, title, slug, pages, price, genre, author { slug } }
    create endpoint {}
    update endpoint {}
  }
}
api Nested {
  entrypoint Author {
    identify { through slug }
    get endpoint { response { id, name, slug, books { id, title, price, reviewCount: count(reviews) } } }
  }
}`;

/** What fills the tables. The database makes the rows itself; who would measure populators looks elsewhere. */
export const ROWS = [
  `insert into author (name, slug, country, born_on, is_active)
   select 'Author ' || i, 'author-' || i, 'Country ' || i % 50, date '1950-01-01' + i, i % 3 > 0
   from generate_series(1, ${AUTHORS}) i`,
  `insert into book (title, slug, pages, price, genre, author_id)
   select 'Book ' || i || ' of ' || author.id, 'book-' || author.id || '-' || i, 100 + i, 10 + i * 0.25,
     (array['novel', 'poetry', 'essay'])[1 + i % 3], author.id
   from author, generate_series(1, ${BOOKS}) i`,
  `insert into review (stars, text, book_id)
   select 1 + i % 5, 'A review with some words in it', book.id from book, generate_series(1, ${REVIEWS}) i`,
  ...[`note:${NOTES}`, `entry:${ENTRIES}`].map((each) => {
    const [table, count] = each.split(":");
    return `insert into ${table} (title, text, rank, price, is_open, day)
      select 'Title ' || i, 'Text of the row with the number ' || i, i, i * 0.01, i % 2 = 0, date '2020-01-01' + i % 2000
      from generate_series(1, ${count}) i`;
  }),
  "vacuum analyze",
];
