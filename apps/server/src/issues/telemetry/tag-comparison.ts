import type { EventView } from '../events.view.ts'
import { NARROW_EVENTS, type Query, narrowScopeSql, scopeSql } from './event-scope.ts'

const OWN = 'events.issue_id IN {own:Array(UInt64)}'

/**
 * Chooses whole runs of neighbouring rows, evenly from one end of each part to the other: rows stand in the order of
 * project, issue and time, so each issue and each time has its share. Single rows from everywhere would be a little more
 * even, and read all tags there are. Parts begin at different runs, so that the small ones of the last minutes weigh no
 * more than the others.
 */
const CHOSEN = `(intDiv(_part_offset, {run:UInt32}) + cityHash64(_part)) % if(${OWN}, {everyOwn:UInt32}, {everyOther:UInt32}) = 0`

/**
 * The events of the issues against the others of their projects. Both sides are counted first, in narrow rows; the wide
 * maps of tags are then taken apart for a bounded number of events only, however many there are.
 */
export const compareTags =
  (query: Query): EventView['compareTags'] =>
  async (scope, { keys, values: most, sample, run }) => {
    const all = { ...scope, issueIds: null }
    const narrow = narrowScopeSql(all)
    const own = scope.issueIds
    const [counts] = await query<{ own: number; others: number }>(
      `SELECT countIf(${OWN}) AS own, countIf(NOT (${OWN})) AS others FROM ${NARROW_EVENTS} WHERE ${narrow.where}`,
      { ...narrow.params, own },
    )
    const nothing = { events: counts?.own ?? 0, otherEvents: counts?.others ?? 0, values: [] }
    if (nothing.events === 0 || nothing.otherEvents === 0) return nothing
    const every = (count: number): number => Math.max(1, Math.ceil(count / sample))
    const chosen = { own, run, everyOwn: every(nothing.events), everyOther: every(nothing.otherEvents) }

    const { where, params } = scopeSql(all)
    // With a tag without a name that every event has: the events are counted by the same look at the same parts.
    const rows = await query<{ key: string; value: string; count: number; otherCount: number }>(
      `SELECT key, value, countIf(${OWN}) AS count, countIf(NOT (${OWN})) AS otherCount
FROM events
ARRAY JOIN arrayPushBack(mapKeys(events.tags), '') AS key, arrayPushBack(mapValues(events.tags), 'any') AS value
WHERE ${where}
  AND ${CHOSEN}
  AND key IN {keys:Array(String)} AND value != ''
GROUP BY key, value
HAVING count > 0 OR key = ''
ORDER BY key, count DESC, value
LIMIT {most:UInt32} BY key`,
      { ...params, ...chosen, keys: ['', ...keys], most },
    )
    const [events, ...values] = rows
    return { events: events?.count ?? 0, otherEvents: events?.otherCount ?? 0, values }
  }
