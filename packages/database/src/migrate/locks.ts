// Which lock a statement takes on which table, and whether it goes through the rows while it has it: by the words it
// begins with, since people may have written it. For showing; nothing is decided by it.

export interface LockUse {
  /** As SQL. */
  readonly table: string;
  readonly lock: LockName;
  /** What others cannot do meanwhile. */
  readonly blocks: "reads and writes" | "writes" | "nobody";
  /** Held while rows are read or written; otherwise for a moment. */
  readonly isLong: boolean;
}

export type LockName =
  | "ACCESS EXCLUSIVE"
  | "SHARE ROW EXCLUSIVE"
  | "SHARE UPDATE EXCLUSIVE"
  | "SHARE"
  | "ROW EXCLUSIVE"
  | "ACCESS SHARE";

const PART = '(?:"(?:[^"]|"")+"|[A-Za-z_][\\w$]*)';
const TABLE = `(${PART}(?:\\.${PART})?)`;

interface Rule {
  readonly pattern: RegExp;
  readonly lock: LockName;
  readonly isLong: boolean;
}

function rule(pattern: string, lock: LockName, { isLong }: { readonly isLong: boolean }): Rule {
  return { pattern: new RegExp(`^${pattern.replaceAll(" ", "\\s+")}`, "i"), lock, isLong };
}

const LONG = { isLong: true };
const SHORT = { isLong: false };
const ALTER = `ALTER TABLE (?:ONLY )?${TABLE}`;
const INDEX = `(?:IF NOT EXISTS )?${PART} ON (?:ONLY )?${TABLE}`;

/** The first that fits. */
const RULES: readonly Rule[] = [
  rule(`${ALTER} VALIDATE CONSTRAINT`, "SHARE UPDATE EXCLUSIVE", LONG),
  rule(`${ALTER} ALTER COLUMN ${PART} TYPE`, "ACCESS EXCLUSIVE", LONG),
  rule(`${ALTER} ADD CONSTRAINT ${PART} FOREIGN KEY .* NOT VALID$`, "SHARE ROW EXCLUSIVE", SHORT),
  rule(`${ALTER} ADD CONSTRAINT ${PART} FOREIGN KEY`, "SHARE ROW EXCLUSIVE", LONG),
  rule(`${ALTER} ADD CONSTRAINT ${PART} (?:UNIQUE|PRIMARY KEY) \\(`, "ACCESS EXCLUSIVE", LONG),
  rule(ALTER, "ACCESS EXCLUSIVE", SHORT),
  rule(`CREATE (?:UNIQUE )?INDEX CONCURRENTLY ${INDEX}`, "SHARE UPDATE EXCLUSIVE", LONG),
  rule(`CREATE (?:UNIQUE )?INDEX ${INDEX}`, "SHARE", LONG),
  rule(`DROP TABLE (?:IF EXISTS )?${TABLE}`, "ACCESS EXCLUSIVE", SHORT),
  rule(`UPDATE (?:ONLY )?${TABLE}`, "ROW EXCLUSIVE", LONG),
  rule(`DELETE FROM (?:ONLY )?${TABLE}`, "ROW EXCLUSIVE", LONG),
  rule(`INSERT INTO ${TABLE}`, "ROW EXCLUSIVE", LONG),
  rule(`SELECT .*?FROM (?:\\(SELECT .*?FROM )?${TABLE}`, "ACCESS SHARE", LONG),
];

const REFERENCES = new RegExp(`\\bREFERENCES\\s+${TABLE}`, "gi");

export function locksOf(statement: string): LockUse[] {
  const text = statement.replace(/\s+/g, " ");
  const found = RULES.map(({ pattern, ...use }) => ({ ...use, table: pattern.exec(text)?.[1] }));
  const own = found.find(({ table }) => table !== undefined);
  const targets = [...text.matchAll(REFERENCES)].map(([, table = ""]) =>
    use(table, "SHARE ROW EXCLUSIVE", false),
  );
  const first = own?.table === undefined ? [] : [use(own.table, own.lock, own.isLong)];
  return [...first, ...targets.filter((target) => target.table !== own?.table)];
}

function use(table: string, lock: LockName, isLong: boolean): LockUse {
  return { table, lock, blocks: BLOCKS[lock], isLong };
}

/** `SHARE UPDATE EXCLUSIVE` and below let everybody read and write; rows that are written are locked on their own. */
const BLOCKS: Readonly<Record<LockName, LockUse["blocks"]>> = {
  "ACCESS EXCLUSIVE": "reads and writes",
  "SHARE ROW EXCLUSIVE": "writes",
  SHARE: "writes",
  "SHARE UPDATE EXCLUSIVE": "nobody",
  "ROW EXCLUSIVE": "nobody",
  "ACCESS SHARE": "nobody",
};

export type TableChange =
  | { readonly kind: "made"; readonly table: string }
  | { readonly kind: "renamed"; readonly from: string; readonly to: string };

const CREATE = new RegExp(`^CREATE\\s+TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${TABLE}`, "i");
const RENAME = new RegExp(`^ALTER\\s+TABLE\\s+((?:${PART}\\.)?)(${PART})\\s+RENAME\\s+TO\\s+(${PART})`, "i");

export function tableChangeOf(statement: string): TableChange | undefined {
  const made = CREATE.exec(statement)?.[1];
  if (made !== undefined) return { kind: "made", table: made };
  const [, schema = "", from, to] = RENAME.exec(statement) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return { kind: "renamed", from: `${schema}${from}`, to: `${schema}${to}` };
}
