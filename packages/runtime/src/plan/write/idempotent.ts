// Requests with an Idempotency-Key: the key is claimed by the first statement of the transaction that does the work,
// and the answer is stored by the last. So there is either both, the work and its answer, or neither.

import { qualifyName, SYSTEM_SCHEMA } from "@stoa/database";

const TABLE = qualifyName(SYSTEM_SCHEMA, "idempotent_request");
const LIFETIME = "interval '24 hours'";

/** What the error of a claim says where the key has an answer already. */
export const KNOWN = "stoa:known";

/**
 * Key and hash of the request. Whoever comes second waits here until the first is done. If that was undone, the key
 * is free; otherwise this fails, and all statements behind it are skipped. The error is calculated from something
 * that the planner does not know, or else it would be raised in any case.
 */
export const CLAIM = `with claimed as (insert into ${TABLE} as old (key, request) values ($1, $2) \
on conflict (key) do update set request = excluded.request, answer = null, created_at = now() \
where old.created_at <= now() - ${LIFETIME} returning 1) \
select case when exists (select from claimed) then 'k' \
else ('${KNOWN}' || left(current_setting('server_version'), 0))::int::text end`;

/** Key and answer. */
export const STORE = `update ${TABLE} set answer = $2 where key = $1`;

/** The hash of the request and the answer that were stored for a key. */
export const RECALL = `select json_build_array(request, answer)::text from ${TABLE} \
where key = $1 and created_at > now() - ${LIFETIME}`;

export const CLEANED_AT_ONCE = 500;

/** Some of those that are of no use any more; what another process is about to remove is left to it. */
export const CLEAN = `with gone as (delete from ${TABLE} where key in (select key from ${TABLE} \
where created_at <= now() - ${LIFETIME} order by created_at limit ${CLEANED_AT_ONCE} for update skip locked) \
returning 1) select count(*)::text from gone`;
