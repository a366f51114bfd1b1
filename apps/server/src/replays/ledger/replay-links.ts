import type { Clock } from '../../lib/clock.ts'
import type { Ledger } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { LIMITS } from '../limits.ts'
import type { OwnedReplay, ReplayReference, ReplaysOfProject } from '../replay.ts'
import { referenceOf } from './reference-of.ts'
import './schema.ts'

/** Milliseconds since the epoch; null for the beginning and for the end of the replay. */
export interface Stretch {
  readonly from: number | null
  readonly to: number | null
}

export interface ReplayLinkRecord extends Stretch {
  readonly id: number
  readonly createdBy: { readonly id: number; readonly name: string; readonly email: string }
  readonly createdAt: number
  readonly expiresAt: number
  readonly views: number
  readonly lastViewedAt: number | null
}

/** A link that opens its replay now. */
export interface OpenLink extends Stretch {
  readonly id: number
  readonly expiresAt: number
  readonly replay: OwnedReplay
}

interface NewLink extends Stretch {
  readonly tokenHash: string
  readonly userId: number
  readonly expiresAt: number
}

interface LinkParts {
  readonly ledger: Ledger
  readonly clock: Clock
}

/** Links by which people without an account see a replay. Of their tokens only the hashes are known. */
export const createReplayLinks = (parts: LinkParts) => ({ ...createReads(parts), ...createWrites(parts) })

const living = (db: Pick<Ledger['db'], 'selectFrom'>, { projectId, replayId }: ReplayReference, now: number) =>
  db
    .selectFrom('replay_links')
    .where('project_id', '=', projectId)
    .where('replay_id', '=', replayId)
    .where('expires_at', '>', now)

const createReads = ({ ledger, clock }: LinkParts) => ({
  /** Those that open it, the newest first. */
  of: async (replay: ReplayReference): Promise<readonly ReplayLinkRecord[]> => {
    const rows = await living(ledger.db, replay, clock.now())
      .innerJoin('users', 'users.id', 'replay_links.created_by')
      .selectAll('replay_links')
      .select(['users.name', 'users.email'])
      .orderBy('replay_links.id', 'desc')
      .execute()
    return rows.map((row) => ({
      id: row.id,
      createdBy: { id: row.created_by, name: row.name, email: row.email },
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      from: row.shown_from,
      to: row.shown_to,
      views: row.views,
      lastViewedAt: row.last_viewed_at,
    }))
  },

  /** Null for what opens nothing: it has ended, was revoked, or never was. */
  find: async (tokenHash: string): Promise<OpenLink | null> => {
    const row = await ledger.db
      .selectFrom('replay_links')
      .innerJoin('projects', 'projects.id', 'replay_links.project_id')
      .selectAll('replay_links')
      .select('projects.organization_id')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', clock.now())
      .where('projects.deleted_at', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return null
    return {
      id: row.id,
      expiresAt: row.expires_at,
      from: row.shown_from,
      to: row.shown_to,
      replay: { organizationId: row.organization_id, ...referenceOf(row) },
    }
  },
})

const createWrites = ({ ledger, clock }: LinkParts) => ({
  /** @returns null when it has as many as a replay may have */
  add: (replay: ReplayReference, { tokenHash, userId, expiresAt, from, to }: NewLink): Promise<number | null> =>
    ledger.transaction(async (transaction) => {
      const before = await living(transaction, replay, clock.now())
        .select(({ fn }) => fn.countAll<number | string>().as('links'))
        .executeTakeFirstOrThrow()
      if (Number(before.links) >= LIMITS.REPLAY_LINKS) return null
      const { id } = await transaction
        .insertInto('replay_links')
        .values({
          project_id: replay.projectId,
          replay_id: replay.replayId,
          token_hash: tokenHash,
          created_by: userId,
          created_at: clock.now(),
          expires_at: expiresAt,
          shown_from: from,
          shown_to: to,
          views: 0,
          last_viewed_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    }),

  countViews: async (id: number, times: number): Promise<void> => {
    await ledger.db
      .updateTable('replay_links')
      .set(({ eb }) => ({ views: eb('views', '+', times), last_viewed_at: clock.now() }))
      .where('id', '=', id)
      .execute()
  },

  /** @returns whether there was one */
  revoke: async ({ projectId, replayId }: ReplayReference, id: number): Promise<boolean> => {
    const { numDeletedRows } = await ledger.db
      .deleteFrom('replay_links')
      .where('id', '=', id)
      .where('project_id', '=', projectId)
      .where('replay_id', '=', replayId)
      .executeTakeFirst()
    return numDeletedRows > 0
  },

  /** All of these replays. */
  forget: async ({ projectId, replayIds }: ReplaysOfProject): Promise<void> => {
    for (const part of chunks(replayIds, ROWS_PER_STATEMENT)) {
      await ledger.db
        .deleteFrom('replay_links')
        .where('project_id', '=', projectId)
        .where('replay_id', 'in', part)
        .execute()
    }
  },

  /** Links that have ended are of no use to anybody. */
  sweep: async (now: number): Promise<void> => {
    await ledger.db.deleteFrom('replay_links').where('expires_at', '<=', now).execute()
  },

  /** Whoever leaves an organisation, or may share nothing there any more, leaves no way into it. */
  forgetMember: async (organizationId: number, userId: number): Promise<void> => {
    await ledger.db
      .deleteFrom('replay_links')
      .where('created_by', '=', userId)
      .where('project_id', 'in', (from) =>
        from.selectFrom('projects').select('id').where('organization_id', '=', organizationId),
      )
      .execute()
  },
})

export type ReplayLinks = ReturnType<typeof createReplayLinks>
