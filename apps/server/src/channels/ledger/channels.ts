import type { Selectable } from 'kysely'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { seal, unseal } from '../../lib/sealed.ts'
import type { ChannelKindName, SealedChannel } from '../channel.ts'
import { LIMITS } from '../limits.ts'
import { laneOfChannel } from '../lanes.ts'
import type { ChannelTable } from './schema.ts'

export interface ChannelRecord {
  readonly id: number
  readonly organizationId: number
  readonly kind: ChannelKindName
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly sealed: SealedChannel
  /** Rises with each change; a change names the one that it is of. */
  readonly version: number
  readonly isOn: boolean
  readonly offReason: string
  readonly failingSince: number | null
  readonly lastSentAt: number | null
  readonly lastError: string | null
  readonly createdAt: number
  readonly createdBy: { readonly id: number; readonly name: string; readonly email: string } | null
}

export interface ChannelChange {
  readonly name?: string
  readonly settings?: Readonly<Record<string, unknown>>
  readonly sealed?: SealedChannel
  readonly isOn?: boolean
}

export type Channels = ReturnType<typeof createChannels>

interface StoreParts {
  readonly ledger: Ledger
  readonly key: Uint8Array
}

const sealFor = (key: Uint8Array, organizationId: number, sealed: SealedChannel): string =>
  seal(key, String(organizationId), JSON.stringify(sealed))

const living = ({ db }: Ledger) =>
  db
    .selectFrom('channels')
    .leftJoin('users', 'users.id', 'channels.created_by')
    .selectAll('channels')
    .select(['users.name as maker_name', 'users.email as maker_email'])
    .where('channels.deleted_at', 'is', null)

const toRecord = (
  key: Uint8Array,
  row: Selectable<ChannelTable> & { readonly maker_name: string | null; readonly maker_email: string | null },
): ChannelRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  kind: row.kind,
  name: row.name,
  settings: JSON.parse(row.settings) as Record<string, unknown>,
  sealed: JSON.parse(unseal(key, String(row.organization_id), row.sealed)) as SealedChannel,
  version: row.version,
  isOn: row.is_on === 1,
  offReason: row.off_reason,
  failingSince: row.failing_since,
  lastSentAt: row.last_sent_at,
  lastError: row.last_error,
  createdAt: row.created_at,
  createdBy:
    row.created_by === null ? null : { id: row.created_by, name: row.maker_name ?? '', email: row.maker_email ?? '' },
})

interface NewChannel {
  readonly organizationId: number
  readonly kind: ChannelKindName
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly sealed: SealedChannel
  readonly createdBy: number
}

const isFull = async (transaction: LedgerTransaction, organizationId: number): Promise<boolean> => {
  const { count } = await transaction
    .selectFrom('channels')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count >= LIMITS.CHANNELS_PER_ORGANIZATION
}

const add =
  ({ ledger, key }: StoreParts) =>
  (channel: NewChannel, now: number): Promise<Result<number, 'too_many'>> =>
    ledger.transaction(async (transaction) => {
      const { organizationId } = channel
      if (await isFull(transaction, organizationId)) return err('too_many')
      const { id } = await transaction
        .insertInto('channels')
        .values({
          organization_id: organizationId,
          kind: channel.kind,
          name: channel.name,
          settings: JSON.stringify(channel.settings),
          sealed: sealFor(key, organizationId, channel.sealed),
          version: 1,
          is_on: 1,
          off_reason: '',
          failing_since: null,
          last_sent_at: null,
          last_error: null,
          created_by: channel.createdBy,
          created_at: now,
          deleted_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return ok(id)
    })

/** @returns false when somebody else changed it since that version, or it is gone: nothing is changed then */
const change =
  ({ ledger, key }: StoreParts) =>
  (
    { organizationId, id, version }: Pick<ChannelRecord, 'organizationId' | 'id' | 'version'>,
    { name, settings, sealed, isOn }: ChannelChange,
  ): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      // What reached nobody may reach somebody at another address, or after a pause.
      const isElsewhere = settings !== undefined || sealed !== undefined
      const { numUpdatedRows } = await transaction
        .updateTable('channels')
        .set({
          version: version + 1,
          ...(name === undefined ? {} : { name }),
          ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
          ...(sealed === undefined ? {} : { sealed: sealFor(key, organizationId, sealed) }),
          ...(isOn === undefined ? {} : { is_on: isOn ? (1 as const) : (0 as const), off_reason: '' }),
          ...(isElsewhere || isOn === true ? { failing_since: null } : {}),
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('version', '=', version)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      // What messages are called in the place before, nobody knows in the new one.
      if (isElsewhere) await transaction.deleteFrom('outbox_threads').where('lane', '=', laneOfChannel(id)).execute()
      return true
    })

/** A test reached it, as a message would have. */
const reached =
  ({ db }: Ledger) =>
  async ({ organizationId, id, version }: ChannelRecord, now: number): Promise<void> => {
    await db
      .updateTable('channels')
      .set({ last_sent_at: now, failing_since: null, last_error: null })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      // What was changed meanwhile is another place.
      .where('version', '=', version)
      .execute()
  }

const remove =
  ({ db }: Ledger) =>
  async (organizationId: number, id: number, now: number): Promise<void> => {
    await db
      .updateTable('channels')
      .set({ deleted_at: now })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .execute()
  }

/** One that was not deleted stays as it is. `gone`: it is none any more, or never was one. */
const restore =
  ({ ledger }: StoreParts) =>
  (organizationId: number, id: number): Promise<Result<null, 'gone' | 'too_many'>> =>
    ledger.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom('channels')
        .select('deleted_at')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return err('gone')
      if (row.deleted_at === null) return ok(null)
      if (await isFull(transaction, organizationId)) return err('too_many')
      await transaction.updateTable('channels').set({ deleted_at: null }).where('id', '=', id).execute()
      return ok(null)
    })

/** @returns false when it was off before */
const switchOff = async (
  transaction: LedgerTransaction,
  organizationId: number,
  id: number,
  reason: string,
): Promise<boolean> => {
  const { numUpdatedRows } = await transaction
    .updateTable('channels')
    .set((row) => ({ is_on: 0, off_reason: reason, version: row('version', '+', 1) }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('is_on', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Tries since an instant, of messages to a channel. */
const triesSince = async (transaction: LedgerTransaction, id: number, since: number): Promise<number> => {
  const { count } = await transaction
    .selectFrom('outbox_attempts')
    .innerJoin('outbox', 'outbox.id', 'outbox_attempts.outbox_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('outbox.channel_id', '=', id)
    .where('outbox_attempts.started_at', '>=', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Channels of organisations, with their secrets opened: nothing of it leaves the server but by `channel-json.ts`. */
export const createChannels = (parts: StoreParts) => {
  const { ledger, key } = parts
  return {
    find: async (organizationId: number, id: number): Promise<ChannelRecord | null> => {
      const row = await living(ledger)
        .where('channels.organization_id', '=', organizationId)
        .where('channels.id', '=', id)
        .executeTakeFirst()
      return row === undefined ? null : toRecord(key, row)
    },
    list: async (organizationId: number): Promise<readonly ChannelRecord[]> => {
      const rows = await living(ledger)
        .where('channels.organization_id', '=', organizationId)
        .orderBy('channels.id')
        .limit(LIMITS.CHANNELS_PER_ORGANIZATION)
        .execute()
      return rows.map((row) => toRecord(key, row))
    },
    add: add(parts),
    change: change(parts),
    remove: remove(ledger),
    /** A test reached it. */
    reached: reached(ledger),
    restore: restore(parts),
    switchOff,
    triesSince,
    forgetDeleted: async (now: number): Promise<void> => {
      await ledger.db
        .deleteFrom('channels')
        .where('deleted_at', '<', now - LIMITS.CHANNEL_RESTORE_MS)
        .execute()
    },
  }
}
