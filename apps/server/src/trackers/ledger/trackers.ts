import type { TrackerKindName } from '@firsthand/contract'
import type { Selectable } from 'kysely'
import { seal, unseal } from '../../lib/sealed.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import type { Rest } from '../rest.ts'
import type { SealedTracker, TrackerRecord } from '../tracker.ts'
import type { TrackerTable } from './schema.ts'

interface StoreParts {
  readonly ledger: Ledger
  readonly key: Uint8Array
}

export type Trackers = ReturnType<typeof createTrackers>

/** So that nobody who can write rows moves one to where its token would be sent to somebody else. */
const placeOf = (organizationId: number): string => `tracker of ${organizationId}`

const sealFor = (key: Uint8Array, organizationId: number, sealed: SealedTracker): string =>
  seal(key, placeOf(organizationId), JSON.stringify(sealed))

const living = ({ db }: Ledger) =>
  db
    .selectFrom('trackers')
    .leftJoin('users', 'users.id', 'trackers.created_by')
    .selectAll('trackers')
    .select(['users.name as maker_name', 'users.email as maker_email'])
    .select(({ selectFrom }) =>
      selectFrom('tickets')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('tickets.tracker_id', '=', 'trackers.id')
        .where('tickets.deleted_at', 'is', null)
        .as('tickets'),
    )
    .where('trackers.deleted_at', 'is', null)

const toRecord = (
  key: Uint8Array,
  row: Selectable<TrackerTable> & {
    readonly maker_name: string | null
    readonly maker_email: string | null
    readonly tickets: number | null
  },
): TrackerRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  kind: row.kind,
  name: row.name,
  settings: JSON.parse(row.settings) as Record<string, unknown>,
  sealed: JSON.parse(unseal(key, placeOf(row.organization_id), row.sealed)) as SealedTracker,
  version: row.version,
  hookKey: row.hook_key,
  lastHeardAt: row.last_heard_at,
  lastError: row.last_error,
  quietUntil: row.quiet_until,
  failures: row.failures,
  tickets: row.tickets ?? 0,
  createdAt: row.created_at,
  createdBy:
    row.created_by === null ? null : { id: row.created_by, name: row.maker_name ?? '', email: row.maker_email ?? '' },
})

const isFull = async (transaction: LedgerTransaction, organizationId: number): Promise<boolean> => {
  const { count } = await transaction
    .selectFrom('trackers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count >= LIMITS.TRACKERS_PER_ORGANIZATION
}

interface NewTracker {
  readonly organizationId: number
  readonly kind: TrackerKindName
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly sealed: SealedTracker
  readonly hookKey: string
  readonly createdBy: number
}

const add =
  ({ ledger, key }: StoreParts) =>
  (tracker: NewTracker, now: number): Promise<Result<number, 'too_many'>> =>
    ledger.transaction(async (transaction) => {
      const { organizationId } = tracker
      if (await isFull(transaction, organizationId)) return err('too_many')
      const { id } = await transaction
        .insertInto('trackers')
        .values({
          organization_id: organizationId,
          kind: tracker.kind,
          name: tracker.name,
          settings: JSON.stringify(tracker.settings),
          sealed: sealFor(key, organizationId, tracker.sealed),
          hook_key: tracker.hookKey,
          last_heard_at: null,
          last_error: null,
          quiet_until: null,
          created_by: tracker.createdBy,
          created_at: now,
          deleted_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return ok(id)
    })

interface TrackerChange {
  readonly name?: string
  readonly settings?: Readonly<Record<string, unknown>>
  readonly sealed?: SealedTracker
  /** The settings lead to another place than before. */
  readonly isElsewhere?: boolean
}

/** Tickets of a tracker that are in its place, or are being made there; those that were taken off may be put back. */
const countPlaced = async (transaction: LedgerTransaction, trackerId: number): Promise<number> => {
  const { count } = await transaction
    .selectFrom('tickets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tracker_id', '=', trackerId)
    .where(({ eb, or }) => or([eb('remote_id', '!=', ''), eb('taken_until', 'is not', null)]))
    .executeTakeFirstOrThrow()
  return count
}

/** Why nothing was changed: somebody else changed it since that version, or it is gone; or so many tickets keep it where it is. */
type Unchanged = { readonly why: 'changed_meanwhile' } | { readonly why: 'placed'; readonly tickets: number }

const change =
  ({ ledger, key }: StoreParts) =>
  (
    { organizationId, id, version }: Pick<TrackerRecord, 'organizationId' | 'id' | 'version'>,
    { name, settings, sealed, isElsewhere = false }: TrackerChange,
  ): Promise<Result<null, Unchanged>> =>
    ledger.transaction(async (transaction) => {
      const placed = isElsewhere ? await countPlaced(transaction, id) : 0
      if (placed > 0) return err({ why: 'placed', tickets: placed })
      // What did not answer, or counted our calls, may be another one now.
      const isAnother = settings !== undefined || sealed !== undefined
      const { numUpdatedRows } = await transaction
        .updateTable('trackers')
        .set({
          version: version + 1,
          ...(isAnother ? { last_error: null, quiet_until: null, failures: 0 } : {}),
          ...(name === undefined ? {} : { name }),
          ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
          ...(sealed === undefined ? {} : { sealed: sealFor(key, organizationId, sealed) }),
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('version', '=', version)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n ? ok(null) : err({ why: 'changed_meanwhile' })
    })

const remove =
  ({ db }: Ledger) =>
  async (organizationId: number, id: number, now: number): Promise<void> => {
    await db
      .updateTable('trackers')
      .set({ deleted_at: now })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .execute()
  }

/** One that was not deleted stays as it is. `gone`: it is none any more, or never was one. */
const restore =
  (ledger: Ledger) =>
  (organizationId: number, id: number): Promise<Result<null, 'gone' | 'too_many'>> =>
    ledger.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom('trackers')
        .select('deleted_at')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return err('gone')
      if (row.deleted_at === null) return ok(null)
      if (await isFull(transaction, organizationId)) return err('too_many')
      await transaction.updateTable('trackers').set({ deleted_at: null }).where('id', '=', id).execute()
      return ok(null)
    })

/** As it was when it was called. */
type CalledTracker = Pick<TrackerRecord, 'id' | 'version'>

/** Connections of organisations, with their secrets opened: nothing of it leaves the server but by `tracker-json.ts`. */
export const createTrackers = (parts: StoreParts) => {
  const { ledger, key } = parts
  const ofCalled = ({ id, version }: CalledTracker) =>
    ledger.db.updateTable('trackers').where('id', '=', id).where('version', '=', version)
  return {
    find: async (organizationId: number, id: number): Promise<TrackerRecord | null> => {
      const row = await living(ledger)
        .where('trackers.organization_id', '=', organizationId)
        .where('trackers.id', '=', id)
        .executeTakeFirst()
      return row === undefined ? null : toRecord(key, row)
    },
    /** Of whatever organisation: whoever sends a webhook names none. */
    byHookKey: async (hookKey: string): Promise<TrackerRecord | null> => {
      const row = await living(ledger).where('trackers.hook_key', '=', hookKey).executeTakeFirst()
      return row === undefined ? null : toRecord(key, row)
    },
    list: async (organizationId: number): Promise<readonly TrackerRecord[]> => {
      const rows = await living(ledger)
        .where('trackers.organization_id', '=', organizationId)
        .orderBy('trackers.id')
        .limit(LIMITS.TRACKERS_PER_ORGANIZATION)
        .execute()
      return rows.map((row) => toRecord(key, row))
    },
    add: add(parts),
    change: change(parts),
    remove: remove(ledger),
    restore: restore(ledger),
    /** @param error null when it was reached */
    noteReach: async (id: number, error: string | null): Promise<void> => {
      await ledger.db
        .updateTable('trackers')
        .set({ last_error: error })
        .where('id', '=', id)
        // What is as it was is not written again.
        .where(({ eb, or }) =>
          error === null
            ? eb('last_error', 'is not', null)
            : or([eb('last_error', 'is', null), eb('last_error', '!=', error)]),
        )
        .execute()
    },
    /** Nobody calls it until then; unless somebody mended it while it was called as it was before. */
    leaveAlone: async (called: CalledTracker, { until, failures, error }: Rest): Promise<void> => {
      await ofCalled(called).set({ quiet_until: until, failures, last_error: error }).execute()
    },
    /** It answered: whoever wants to calls it. */
    noteAnswer: async (called: CalledTracker): Promise<void> => {
      await ofCalled(called).set({ quiet_until: null, failures: 0 }).execute()
    },
    forgetDeleted: async (now: number): Promise<void> => {
      await ledger.db
        .deleteFrom('trackers')
        .where('deleted_at', '<', now - LIMITS.TRACKER_RESTORE_MS)
        .execute()
    },
  }
}
