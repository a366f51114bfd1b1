import type { ClickHouseClient } from '@clickhouse/client'
import { forgetItemsOfEvents } from '../kept-items/index.ts'
import type { Clock } from '../lib/clock.ts'
import { BY_HASH, BY_NAME, type NamesSql } from '../lib/names-sql.ts'
import { hexOfUuid, rowsOf } from '../search/index.ts'
import type { BlobFreeing } from '../storage/blobs/freeing.ts'
import {
  countRows,
  deleteRowsOfTable,
  erasedHashes,
  erasedParams,
  ofErasedPerson,
  type ErasedPerson,
  type Ledger,
  type PersonalData,
} from '../storage/index.ts'
import { uuid } from '../storage/telemetry/tab-separated.ts'
import { forgetEvents, standingOf, type ForgottenEvent, type NewestOfIssue } from './ledger/forget-events.ts'
import { LIMITS } from './limits.ts'
import type { IssuesChanged } from './services.ts'

/** Whoever an event names by its key or by its address. */
const ownBy = ({ isKey, isEmail }: NamesSql): string =>
  ofErasedPerson(`${isKey('user_key')} OR ${isEmail('lowerUTF8(user_email)')}`)
const OWN = ownBy(BY_NAME)

interface ErasedEvent extends ForgottenEvent {
  readonly storedIssueId: number
  /** When it happened. */
  readonly at: number
}

interface ErasingParts {
  readonly client: ClickHouseClient
  readonly ledger: Ledger
  readonly freeing: BlobFreeing
  readonly clock: Clock
  /** Told of the issues that have fewer events now. */
  readonly changed: (change: IssuesChanged) => void
}

/**
 * Errors of a person, with the files that came with them. Telemetry is last: as long as a row is there, an interrupted
 * erasure finds it again. Issues stay, with what the team wrote.
 */
export const createPersonalErrors = (parts: ErasingParts): PersonalData => ({
  what: 'errors',
  count: (person, seconds) =>
    countRows(parts.client, { sql: OWN, parameters: erasedParams(person) }, { table: 'events', seconds }),
  erase: async (person, signal) => {
    const { client, clock, freeing, ledger, changed } = parts
    const touched = new Map<number, Set<number>>()
    const newestOf = readNewest(client, person)
    await freeing.after(async () => {
      let after: ErasedEvent | null = null
      for (;;) {
        signal.throwIfAborted()
        const events: readonly ErasedEvent[] = await someEvents(client, person, after)
        if (events.length === 0) break
        await forget(parts, { person, newestOf }, events)
        for (const { projectId, storedIssueId } of events) {
          const issues = touched.get(projectId) ?? new Set()
          touched.set(projectId, issues.add(storedIssueId))
        }
        after = events.at(-1) ?? null
      }
      if (after !== null) {
        await deleteRowsOfTable(client, 'events', { sql: ownBy(BY_HASH), parameters: erasedHashes(person) }, signal)
      }
    })
    for (const [projectId, storedIds] of touched) {
      const standing = await standingOf(ledger, [...storedIds])
      const issueIds = [...new Set([...storedIds].map((id) => standing.get(id) ?? id))]
      changed({ organizationId: person.organizationId, projectId, issueIds, opened: [], at: clock.now() })
    }
  },
})

/**
 * In the order of the table, so that a step begins where the one before ended, and none looks at what was looked at already.
 * Said so that the engine sees by it which blocks are behind it.
 */
const BEHIND = `AND (project_id > {project:UInt64} OR (project_id = {project:UInt64} AND (issue_id > {issue:UInt64}
  OR (issue_id = {issue:UInt64} AND timestamp >= fromUnixTimestamp64Milli({at:Int64})
    AND (timestamp, event_id) > (fromUnixTimestamp64Milli({at:Int64}), {event:UUID})))))`

const someEvents = (
  client: ClickHouseClient,
  person: ErasedPerson,
  after: ErasedEvent | null,
): Promise<readonly ErasedEvent[]> =>
  rowsOf(client)(
    `SELECT project_id AS projectId, ${hexOfUuid('event_id')} AS eventId, issue_id AS storedIssueId,
      toUnixTimestamp64Milli(timestamp) AS at
    FROM events WHERE ${OWN} ${after === null ? '' : BEHIND}
    ORDER BY project_id, issue_id, timestamp, event_id LIMIT {limit:UInt32}`,
    {
      ...erasedParams(person),
      limit: LIMITS.ERASED_EVENTS_PER_STEP,
      ...(after !== null && {
        project: after.projectId,
        issue: after.storedIssueId,
        at: after.at,
        event: uuid(after.eventId),
      }),
    },
  )

type NewestOf = (projectId: number, storedIds: readonly number[]) => Promise<readonly NewestOfIssue[]>

/** Asked once for each issue: none of its events goes before all are walked, and what comes meanwhile is newer. */
const readNewest = (client: ClickHouseClient, person: ErasedPerson): NewestOf => {
  const known = new Map<number, NewestOfIssue | null>()
  return async (projectId, storedIds) => {
    const issues = storedIds.filter((id) => !known.has(id))
    if (issues.length > 0) {
      const found = await rowsOf(client)<NewestOfIssue>(
        `SELECT issue_id AS storedIssueId, toUnixTimestamp64Milli(max(timestamp)) AS any,
          if(countIf(NOT (${OWN})) = 0, NULL, toUnixTimestamp64Milli(maxIf(timestamp, NOT (${OWN})))) AS staying
        FROM events WHERE organization_id = {organization:UInt32} AND project_id = {project:UInt64}
          AND issue_id IN {issues:Array(UInt64)} GROUP BY issue_id`,
        { ...erasedParams(person), project: projectId, issues },
      )
      for (const id of issues) known.set(id, null)
      for (const one of found) known.set(one.storedIssueId, one)
    }
    return storedIds.flatMap((id) => known.get(id) ?? [])
  }
}

const forget = async (
  { client, clock, ledger }: ErasingParts,
  { person, newestOf }: { readonly person: ErasedPerson; readonly newestOf: NewestOf },
  events: readonly ErasedEvent[],
): Promise<void> => {
  const { organizationId } = person
  for (const [projectId, own] of Map.groupBy(events, (event) => event.projectId)) {
    const eventIds = own.map(({ eventId }) => eventId)
    await forgetItemsOfEvents({ client, ledger }, { organizationId, projectId, eventIds })
    const standing = await standingOf(ledger, [...new Set(own.map(({ storedIssueId }) => storedIssueId))])
    const newest = await newestOf(projectId, [...standing.keys()])
    await forgetEvents(ledger, { events: own, standing, newest, now: clock.now() })
  }
}
