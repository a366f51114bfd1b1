import type { Clock } from '../../lib/clock.ts'
import type { Expiring, Ledger } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { ReplayReference, ReplaysOfProject } from '../replay.ts'
import { referenceOf } from './reference-of.ts'
import './schema.ts'

export interface Viewer {
  readonly id: number
  readonly name: string
  readonly email: string
  /** When the account was made, and last signed in with. */
  readonly createdAt: number
  readonly lastLoginAt: number | null
  readonly viewedAt: number
}

/** Which of these are members: of others it is not known what they opened. */
const membersOf =
  ({ db }: Ledger) =>
  async (organizationId: number, userIds: readonly number[]): Promise<ReadonlySet<number>> => {
    if (userIds.length === 0) return new Set()
    const rows = await db
      .selectFrom('members')
      .select('user_id')
      .where('organization_id', '=', organizationId)
      .where('user_id', 'in', userIds)
      .execute()
    return new Set(rows.flatMap(({ user_id: id }) => id ?? []))
  }

/** Who opened which replay. */
export const createReplayViewers = ({ ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock }) => ({
  note: async ({ projectId, replayId }: ReplayReference, userId: number): Promise<void> => {
    const viewed = { project_id: projectId, replay_id: replayId, user_id: userId, viewed_at: clock.now() }
    await ledger.db
      .insertInto('replay_views')
      .values(viewed)
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'replay_id', 'user_id']).doUpdateSet({ viewed_at: viewed.viewed_at }),
      )
      .execute()
  },

  /** Who did so last first. */
  of: ({ projectId, replayId }: ReplayReference): Promise<readonly Viewer[]> =>
    ledger.db
      .selectFrom('replay_views')
      .innerJoin('users', 'users.id', 'replay_views.user_id')
      .select(['users.id', 'users.name', 'users.email', 'users.created_at as createdAt'])
      .select(['users.last_login_at as lastLoginAt', 'replay_views.viewed_at as viewedAt'])
      .where('replay_views.project_id', '=', projectId)
      .where('replay_views.replay_id', '=', replayId)
      .orderBy('replay_views.viewed_at', 'desc')
      .orderBy('users.id')
      .execute(),

  /** Which of these somebody opened. */
  seenBy: async (replays: readonly ReplayReference[], userId: number): Promise<readonly ReplayReference[]> => {
    if (replays.length === 0) return []
    const rows = await ledger.db
      .selectFrom('replay_views')
      .select(['project_id', 'replay_id'])
      .where('user_id', '=', userId)
      .where(
        'replay_id',
        'in',
        replays.map(({ replayId }) => replayId),
      )
      .execute()
    return rows.map(referenceOf)
  },

  /** What somebody opened since then, last first. */
  seenSince: async (
    projectIds: readonly number[],
    userId: number,
    { limit, since }: { readonly limit: number; readonly since: number },
  ): Promise<readonly ReplayReference[]> => {
    if (projectIds.length === 0) return []
    const rows = await ledger.db
      .selectFrom('replay_views')
      .select(['project_id', 'replay_id'])
      .where('user_id', '=', userId)
      .where('project_id', 'in', projectIds)
      .where('viewed_at', '>=', since)
      .orderBy('viewed_at', 'desc')
      .limit(limit)
      .execute()
    return rows.map(referenceOf)
  },

  members: membersOf(ledger),

  /** Of replays that go. */
  forget: async ({ projectId, replayIds }: ReplaysOfProject): Promise<void> => {
    for (const part of chunks(replayIds, ROWS_PER_STATEMENT)) {
      await ledger.db
        .deleteFrom('replay_views')
        .where('project_id', '=', projectId)
        .where('replay_id', 'in', part)
        .execute()
    }
  },

  expire: async ({ before, projectIds }: Expiring): Promise<void> => {
    await ledger.db
      .deleteFrom('replay_views')
      .where('project_id', 'in', projectIds)
      .where('viewed_at', '<', before)
      .execute()
  },

  forgetMember: async (organizationId: number, userId: number): Promise<void> => {
    await ledger.db
      .deleteFrom('replay_views')
      .where('user_id', '=', userId)
      .where('project_id', 'in', (from) =>
        from.selectFrom('projects').select('id').where('organization_id', '=', organizationId),
      )
      .execute()
  },
})

export type ReplayViewers = ReturnType<typeof createReplayViewers>
