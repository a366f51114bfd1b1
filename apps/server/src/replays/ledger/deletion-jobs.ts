import type { Clock } from '../../lib/clock.ts'
import type { OffsetPage } from '../../lib/offset-page.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { freedBytes } from '../../storage/ledger/release-blobs.ts'
import { LIMITS } from '../limits.ts'
import type { ChosenVisitor, FoundVisitor } from '../visitor.ts'
import type { DeletionJobRow, ReplayDeletionJobTable } from './schema.ts'

/**
 * What a search names, as it was when somebody asked for something that takes a while. Who is called what, and which issues
 * are one, changes meanwhile, also by what is done: with the replay that says so, it is forgotten that two ids are one person.
 */
export interface HeldNames {
  readonly issues: readonly (readonly [string, readonly number[]])[]
  readonly visitors: readonly (readonly [string, FoundVisitor])[]
}

/** Which replays a job deletes. */
export interface WantedDeletion {
  readonly from: number | null
  readonly to: number | null
  readonly environments: readonly string[]
  readonly query: string
  /** Null for what the query finds. */
  readonly visitor: ChosenVisitor | null
}

/** … with what its query names, which is kept until it is over; null where that was not kept. */
export interface HeldDeletion extends WantedDeletion {
  readonly names: HeldNames | null
}

export interface DeletionJob extends WantedDeletion {
  readonly id: number
  readonly projectId: number
  readonly userId: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly status: ReplayDeletionJobTable['status']
  readonly deleted: number
  readonly freedBytes: number
  readonly error: string
}

/** A job that is not over. */
export type RunningDeletion = DeletionJob & HeldDeletion

/** The name under which it is counted how many bytes a job freed. */
export const freedForJob = (id: number): string => `deletion ${id} of replays`

const read = (row: Omit<DeletionJobRow, 'names'>, freed: ReadonlyMap<string, number> = new Map()): DeletionJob => ({
  id: row.id,
  projectId: row.project_id,
  userId: row.user_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  from: row.range_start,
  to: row.range_end,
  environments: JSON.parse(row.environments) as string[],
  query: row.query,
  visitor: row.visitor === null ? null : (JSON.parse(row.visitor) as ChosenVisitor),
  status: row.status,
  deleted: row.count_deleted,
  freedBytes: row.freed_bytes + (freed.get(freedForJob(row.id)) ?? 0),
  error: row.error,
})

const namesOf = ({ names }: Pick<DeletionJobRow, 'names'>): HeldNames | null =>
  names === null ? null : (JSON.parse(names) as HeldNames)

/** Without the names, of which there may be many: they are read by whoever runs a job. */
const TOLD = [
  'id',
  'project_id',
  'user_id',
  'created_at',
  'updated_at',
  'range_start',
  'range_end',
  'environments',
  'query',
  'visitor',
  'status',
  'count_deleted',
  'freed_bytes',
  'error',
] as const satisfies readonly (keyof DeletionJobRow)[]

interface JobParts {
  readonly ledger: Ledger
  readonly clock: Clock
}

/** Deletions of many replays: they stay, so that it can be told who deleted what. */
export const createDeletionJobs = (parts: JobParts) => ({ ...createAsked(parts), ...createRuns(parts) })

/** Who asked for what. */
const createAsked = ({ ledger, clock }: JobParts) => ({
  /** Null when too many of the project wait. */
  add: (projectId: number, userId: number, wanted: HeldDeletion): Promise<DeletionJob | null> =>
    ledger.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom('replay_deletion_jobs')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('project_id', '=', projectId)
        .where('status', 'in', ['pending', 'in-progress'])
        .executeTakeFirst()
      if ((row?.count ?? 0) >= LIMITS.REPLAY_DELETION_JOBS_WAITING) return null
      const added = await transaction
        .insertInto('replay_deletion_jobs')
        .values({
          project_id: projectId,
          user_id: userId,
          created_at: clock.now(),
          updated_at: clock.now(),
          range_start: wanted.from,
          range_end: wanted.to,
          environments: JSON.stringify(wanted.environments),
          query: wanted.query,
          visitor: wanted.visitor === null ? null : JSON.stringify(wanted.visitor),
          names: wanted.names === null ? null : JSON.stringify(wanted.names),
          status: 'pending',
          count_deleted: 0,
          freed_bytes: 0,
          error: '',
        })
        .returning(TOLD)
        .executeTakeFirstOrThrow()
      return read(added)
    }),

  /** Who asked for these. */
  people: async (jobs: readonly DeletionJob[]) => {
    const ids = [...new Set(jobs.flatMap(({ userId }) => userId ?? []))]
    if (ids.length === 0) return new Map<number, never>()
    const rows = await ledger.db.selectFrom('users').select(['id', 'name', 'email']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, name, email }) => [id, { id: String(id), name, email, username: email }] as const))
  },

  /** The last first; one more than `limit` when there are more. */
  list: async (projectId: number, { limit, offset }: OffsetPage): Promise<readonly DeletionJob[]> => {
    const rows = await ledger.db
      .selectFrom('replay_deletion_jobs')
      .select(TOLD)
      .where('project_id', '=', projectId)
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .offset(offset)
      .execute()
    const freed = await freedBytes(
      ledger,
      rows.map(({ id }) => freedForJob(id)),
    )
    return rows.map((row) => read(row, freed))
  },

  find: async (projectId: number, id: number): Promise<DeletionJob | null> => {
    const row = await ledger.db
      .selectFrom('replay_deletion_jobs')
      .select(TOLD)
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .executeTakeFirst()
    return row === undefined ? null : read(row, await freedBytes(ledger, [freedForJob(id)]))
  },
})

/** What runs them. */
const createRuns = ({ ledger, clock }: JobParts) => ({
  /**
   * The first job that is not over of the organisation whose turn it is, with that organisation; null when all are over.
   *
   * @param last organisation that had its turn: the one with the next higher id is on, and after the highest the lowest
   */
  next: async (last: number): Promise<{ readonly organizationId: number; readonly job: RunningDeletion } | null> => {
    const row = await ledger.db
      .selectFrom('replay_deletion_jobs')
      .innerJoin('projects', 'projects.id', 'replay_deletion_jobs.project_id')
      .selectAll('replay_deletion_jobs')
      .select('projects.organization_id')
      .where('replay_deletion_jobs.status', 'in', ['pending', 'in-progress'])
      .where('projects.deleted_at', 'is', null)
      .orderBy(({ eb }) => eb.case().when('projects.organization_id', '>', last).then(0).else(1).end())
      .orderBy('projects.organization_id')
      .orderBy('replay_deletion_jobs.id')
      .executeTakeFirst()
    return row === undefined
      ? null
      : { organizationId: row.organization_id, job: { ...read(row), names: namesOf(row) } }
  },

  /** In the transaction that notes the deletions: what is counted was deleted, once. */
  count: async (transaction: LedgerTransaction, id: number, added: number): Promise<void> => {
    await transaction
      .updateTable('replay_deletion_jobs')
      .set(({ eb }) => ({
        status: 'in-progress',
        count_deleted: eb('count_deleted', '+', added),
        updated_at: clock.now(),
      }))
      .where('id', '=', id)
      .execute()
  },

  /** It is told of, and what it knew of others goes. */
  end: async (id: number, status: 'completed' | 'failed', error = ''): Promise<void> => {
    await ledger.db
      .updateTable('replay_deletion_jobs')
      .set({ status, error, names: null, updated_at: clock.now() })
      .where('id', '=', id)
      .execute()
  },
})

export type DeletionJobs = ReturnType<typeof createDeletionJobs>
