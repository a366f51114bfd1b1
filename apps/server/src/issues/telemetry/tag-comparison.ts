import type { EventView } from '../events.view.ts'
import { NARROW_EVENTS, type Query, narrowScopeSql, scopeSql } from './event-scope.ts'

const OWN = 'events.issue_id IN {own:Array(UInt64)}'

/** Chooses evenly: over time, issues and users, and the same events whenever it is asked. */
const CHOSEN = `cityHash64(events.event_id) % if(${OWN}, {everyOwn:UInt32}, {everyOther:UInt32}) = 0`

/**
 * The events of the issues against the others of their projects. Both sides are counted first, in narrow rows; the wide
 * maps of tags are then taken apart for a bounded number of events only, however many there are.
 */
export const compareTags =
  (query: Query): EventView['compareTags'] =>
  async (scope, { keys, values, sample }) => {
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
    const chosen = { own, everyOwn: every(nothing.events), everyOther: every(nothing.otherEvents) }

    const inIssues = scopeSql(scope)
    const pairs = await query<{ key: string; value: string }>(
      `SELECT key, value FROM (
  SELECT key, value, count() AS count
  FROM events ARRAY JOIN mapKeys(events.tags) AS key, mapValues(events.tags) AS value
  WHERE ${inIssues.where}
    AND ${CHOSEN}
    AND key IN {keys:Array(String)} AND value != ''
  GROUP BY key, value
)
ORDER BY key, count DESC, value
LIMIT {values:UInt32} BY key`,
      { ...inIssues.params, ...chosen, keys, values },
    )
    if (pairs.length === 0) return nothing

    const { where, params } = scopeSql(all)
    const rows = await query<{ isOwn: number; events: number; counts: number[] }>(
      `SELECT ${OWN} AS isOwn, count() AS events,
  sumForEach(arrayMap((key, value) -> events.tags[key] = value, {pairKeys:Array(String)}, {pairValues:Array(String)})) AS counts
FROM events
WHERE ${where}
  AND ${CHOSEN}
GROUP BY isOwn`,
      { ...params, ...chosen, pairKeys: pairs.map(({ key }) => key), pairValues: pairs.map(({ value }) => value) },
    )
    const [here, others] = [1, 0].map((isOwn) => rows.find((row) => row.isOwn === isOwn))
    return {
      events: here?.events ?? 0,
      otherEvents: others?.events ?? 0,
      values: pairs.map((pair, index) => ({
        ...pair,
        count: here?.counts[index] ?? 0,
        otherCount: others?.counts[index] ?? 0,
      })),
    }
  }
