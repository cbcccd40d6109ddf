// The one query that reads a schema, and the shape of its answer: one JSON text, so that neither the number of
// round trips nor the driver's idea of types depends on what is in the database.

export interface CatalogRows {
  readonly exists: boolean;
  readonly recorded: boolean;
  readonly tables: readonly string[];
  readonly columns: readonly ColumnRow[];
  readonly constraints: readonly ConstraintRow[];
  readonly indexes: readonly IndexRow[];
  readonly relations: readonly RelationRow[];
}

export interface ColumnRow {
  readonly table: string;
  /** Constraints and indexes name their columns by number. */
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly collation: string | null;
  readonly notNull: boolean;
  readonly identity: string;
  readonly generated: string;
  readonly default: string | null;
}

export interface ConstraintRow {
  readonly table: string;
  readonly name: string;
  readonly kind: "p" | "u" | "f" | "c";
  readonly columns: readonly number[] | null;
  readonly definition: string;
  readonly target: string | null;
  readonly isNear: boolean;
  readonly targetColumns: readonly number[] | null;
  /** One letter: a no action, r restrict, c cascade, n set null, d set default. */
  readonly onDelete: string;
}

export interface IndexRow {
  readonly table: string;
  readonly name: string;
  readonly valid: boolean;
  readonly definition: string;
  /** Texts of numbers with spaces between; 0 for an expression. The first bit of an option is the direction. */
  readonly columns: string;
  readonly options: string;
}

/** A name that is taken, and by what. */
export interface RelationRow {
  readonly name: string;
  readonly kind: string;
}

const TABLES = `
  SELECT c.oid, c.relname FROM pg_class c
  WHERE c.relnamespace = (SELECT oid FROM space) AND c.relkind = 'r' AND NOT c.relispartition`;

const COLUMNS = `
  SELECT json_build_object(
    'table', t.relname, 'number', a.attnum, 'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
    'collation', CASE WHEN a.attcollation <> y.typcollation THEN l.collname END,
    'notNull', a.attnotnull, 'identity', a.attidentity, 'generated', a.attgenerated,
    'default', pg_get_expr(d.adbin, d.adrelid)) AS entry
  FROM tables t
  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type y ON y.oid = a.atttypid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  LEFT JOIN pg_collation l ON l.oid = a.attcollation
  ORDER BY t.relname, a.attnum`;

const CONSTRAINTS = `
  SELECT json_build_object(
    'table', t.relname, 'name', o.conname, 'kind', o.contype, 'definition', pg_get_constraintdef(o.oid),
    'columns', o.conkey, 'target', f.relname, 'isNear', f.relnamespace = (SELECT oid FROM space),
    'targetColumns', o.confkey, 'onDelete', o.confdeltype) AS entry
  FROM tables t
  JOIN pg_constraint o ON o.conrelid = t.oid AND o.contype IN ('p', 'u', 'f', 'c')
  LEFT JOIN pg_class f ON f.oid = o.confrelid
  ORDER BY t.relname, o.conname`;

const INDEXES = `
  SELECT json_build_object(
    'table', t.relname, 'name', c.relname, 'valid', i.indisvalid, 'definition', pg_get_indexdef(c.oid),
    'columns', i.indkey::text, 'options', i.indoption::text) AS entry
  FROM tables t
  JOIN pg_index i ON i.indrelid = t.oid
  JOIN pg_class c ON c.oid = i.indexrelid
  WHERE NOT EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = c.oid AND o.contype IN ('p', 'u', 'x'))
  ORDER BY t.relname, c.relname`;

/** A table is also a type, so types are in its way as well. */
const RELATIONS = `
  SELECT json_build_object('name', c.relname, 'kind', c.relkind) AS entry
  FROM pg_class c WHERE c.relnamespace = (SELECT oid FROM space)
  UNION ALL
  SELECT json_build_object('name', y.typname, 'kind', 'type')
  FROM pg_type y WHERE y.typnamespace = (SELECT oid FROM space) AND y.typtype IN ('d', 'e', 'r')`;

const asList = (query: string) => `(SELECT coalesce(json_agg(entry), '[]'::json) FROM (${query}) AS rows)`;

/** Takes the name of the schema; gives one row with the text of `CatalogRows`. */
export const CATALOG_QUERY = `
WITH space AS (SELECT oid FROM pg_namespace WHERE nspname = $1),
tables AS MATERIALIZED (${TABLES})
SELECT json_build_object(
  'exists', EXISTS (SELECT FROM space),
  'recorded', to_regclass('_stoa.pushed') IS NOT NULL,
  'tables', (SELECT coalesce(json_agg(relname ORDER BY relname), '[]'::json) FROM tables),
  'columns', ${asList(COLUMNS)},
  'constraints', ${asList(CONSTRAINTS)},
  'indexes', ${asList(INDEXES)},
  'relations', ${asList(RELATIONS)})::text AS catalog`;
