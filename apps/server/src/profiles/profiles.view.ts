import type { ClickHouseClient } from '@clickhouse/client'
import { hexOfNumberOrNone, hexOfUuidOrNone, NO_UUID, rowsOf, type Period } from '../search/index.ts'
import { LIMITS } from './limits.ts'
import { USUAL_MICROS } from './mix.ts'

/** What telemetry knows about profiles. Every question names the organisation and projects that the caller may see. */

export interface ProfileScope {
  readonly organizationId: number
  readonly projectIds: readonly number[]
}

export interface ProfileRecord {
  readonly projectId: number
  /** 32 hex characters, as the other ids; '' where there is none. */
  readonly profileId: string
  readonly profilerId: string
  readonly traceId: string
  readonly transactionId: string
  /** 16 hex characters. */
  readonly segmentId: string
  readonly transaction: string
  /** Microseconds since the epoch. */
  readonly start: number
  /** Microseconds. */
  readonly duration: number
  readonly threads: readonly string[]
  readonly activeThread: string
  readonly platform: string
  readonly release: string
  readonly environment: string
  readonly sdk: string
  readonly samples: number
  readonly blobKey: string
}

/** Microseconds since the epoch. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** A transaction, or what a trace did on one thread, while a continuous profiler ran. */
export interface ProfiledSegment extends Stretch {
  readonly projectId: number
  readonly profilerId: string
  /** '' when its SDK does not say. */
  readonly thread: string
}

export interface ProfileChoice {
  readonly environments: readonly string[]
  readonly period: Period
  /** Null for any. */
  readonly transaction: string | null
}

export type ProfileView = ReturnType<typeof createProfileView>

const START = 'toUnixTimestamp64Milli(timestamp) * 1000 + start_micros'

/** The last sample of each thread stands for some time behind it, about as long as the others: see `timed`. */
const BEHIND = `greatest(${USUAL_MICROS}, intDiv(profiles.duration * length(profiles.threads), greatest(toInt64(profiles.samples) - toInt64(length(profiles.threads)), 1)))`

const COLUMNS = `project_id AS projectId, ${hexOfUuidOrNone('profile_id')} AS profileId, ${hexOfUuidOrNone('profiler_id')} AS profilerId,
  ${hexOfUuidOrNone('trace_id')} AS traceId, ${hexOfUuidOrNone('transaction_id')} AS transactionId,
  ${hexOfNumberOrNone('segment_id')} AS segmentId, transaction,
  ${START} AS start, duration, threads, active_thread AS activeThread, platform, release, environment, sdk, samples,
  blob_key AS blobKey`

const WHERE = 'organization_id = {organization:UInt32} AND project_id IN {projects:Array(UInt64)}'

const CHOSEN = `${WHERE} AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp < fromUnixTimestamp64Milli({to:Int64})
  AND (empty({environments:Array(String)}) OR environment IN {environments:Array(String)})`

const IS_WHOLE = `profiler_id = ${NO_UUID}`

/** What was sent twice is one. */
const ONCE = 'LIMIT 1 BY project_id, profile_id'

/** Of a span: the profiler that ran meanwhile, and the thread, which SDKs send as a text or a number. */
const PROFILER = `lower(replaceAll(strings['sentry.profiler_id'], '-', ''))`
const THREAD = `if(strings['thread.id'] = '' AND mapContains(numbers, 'thread.id'), toString(numbers['thread.id']), strings['thread.id'])`

const SPREAD_MS = LIMITS.PROFILE_SPREAD_SECONDS * 1000

type Query = <Row>(sql: string, scope: ProfileScope, params: Readonly<Record<string, unknown>>) => Promise<Row[]>

const queryOf =
  ({ client }: { readonly client: ClickHouseClient }): Query =>
  (sql, { organizationId, projectIds }, params) =>
    rowsOf(client)(sql, { organization: organizationId, projects: projectIds, ...params })

const chosen = ({ environments, period }: ProfileChoice) => ({ environments, from: period.from, to: period.to })

export const createProfileView = (parts: { readonly client: ClickHouseClient }) => {
  const query = queryOf(parts)
  return { ...createLists(query), ...createLinks(query) }
}

/** Profiles by their own ids, time and project. */
const createLists = (query: Query) => ({
  /** Latest first; one more than `limit` when there are more. */
  list: (
    scope: ProfileScope,
    choice: ProfileChoice,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<readonly ProfileRecord[]> =>
    query<ProfileRecord>(
      `SELECT ${COLUMNS} FROM profiles WHERE ${CHOSEN}
      ORDER BY profiles.timestamp DESC, profile_id ${ONCE} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
      scope,
      { ...chosen(choice), limit: limit + 1, offset },
    ),

  /** The profile of one transaction, or one chunk. */
  find: async (scope: ProfileScope, profileId: string): Promise<ProfileRecord | null> => {
    const [row] = await query<ProfileRecord>(
      `SELECT ${COLUMNS} FROM profiles WHERE ${WHERE} AND profile_id = {id:UUID} LIMIT 1`,
      scope,
      { id: profileId },
    )
    return row ?? null
  },

  /** Chunks of these profilers that have something of this time (all, without one): the latest, by time. */
  chunks: async (
    scope: ProfileScope,
    profilerIds: readonly string[],
    stretch: Stretch | null,
    limit: number = LIMITS.PROFILES_MERGED,
  ): Promise<readonly ProfileRecord[]> => {
    const within =
      stretch === null
        ? ''
        : `AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
           AND ${START} + profiles.duration + ${BEHIND} >= {begin:Int64} AND ${START} <= {end:Int64}`
    const rows = await query<ProfileRecord>(
      `SELECT ${COLUMNS} FROM profiles WHERE ${WHERE} AND profiler_id IN {profilers:Array(UUID)} ${within}
      ORDER BY profiles.timestamp DESC, profile_id ${ONCE} LIMIT {limit:UInt32}`,
      scope,
      {
        profilers: profilerIds,
        from: Math.floor((stretch?.from ?? 0) / 1000) - SPREAD_MS,
        to: Math.ceil((stretch?.to ?? 0) / 1000),
        begin: Math.floor(stretch?.from ?? 0),
        end: Math.ceil(stretch?.to ?? 0),
        limit,
      },
    )
    return rows.toReversed()
  },
})

/** Profiles of transactions and traces. */
const createLinks = (query: Query) => ({
  /** The latest profiles of a transaction. */
  ofTransaction: (scope: ProfileScope, choice: ProfileChoice, limit: number): Promise<readonly ProfileRecord[]> =>
    query<ProfileRecord>(
      `SELECT ${COLUMNS} FROM profiles WHERE ${CHOSEN} AND ${IS_WHOLE} AND transaction = {transaction:String}
      ORDER BY profiles.timestamp DESC, profile_id ${ONCE} LIMIT {limit:UInt32}`,
      scope,
      { ...chosen(choice), transaction: choice.transaction, limit },
    ),

  /** The latest runs of a transaction during which a continuous profiler ran. */
  segments: (scope: ProfileScope, choice: ProfileChoice): Promise<readonly ProfiledSegment[]> =>
    query<ProfiledSegment>(
      `SELECT project_id AS projectId, ${START} AS from, from + duration AS to,
        ${PROFILER} AS profilerId, ${THREAD} AS thread
      FROM spans WHERE ${CHOSEN} AND is_segment AND transaction = {transaction:String}
        AND match(profilerId, '^[0-9a-f]{32}$')
      ORDER BY spans.timestamp DESC, span_id LIMIT 1 BY project_id, span_id LIMIT {limit:UInt32}`,
      scope,
      { ...chosen(choice), transaction: choice.transaction, limit: LIMITS.PROFILED_SEGMENTS },
    ),

  /** Profiles that name a trace. */
  ofTrace: (scope: ProfileScope, traceId: string, limit: number): Promise<readonly ProfileRecord[]> =>
    query<ProfileRecord>(
      `SELECT ${COLUMNS} FROM profiles WHERE ${WHERE} AND trace_id = {trace:UUID}
      ORDER BY profiles.timestamp, profile_id ${ONCE} LIMIT {limit:UInt32}`,
      scope,
      { trace: traceId, limit },
    ),

  /** Continuous profilers that ran during a trace, by its spans. */
  profilersOfTrace: (scope: ProfileScope, traceId: string): Promise<readonly (Stretch & { profilerId: string })[]> =>
    query<Stretch & { profilerId: string }>(
      `SELECT ${PROFILER} AS profilerId,
        min(${START}) AS from, max(${START} + duration) AS to
      FROM spans WHERE ${WHERE} AND trace_id = {trace:UUID} AND match(profilerId, '^[0-9a-f]{32}$')
      GROUP BY profilerId ORDER BY profilerId LIMIT {limit:UInt32}`,
      scope,
      { trace: traceId, limit: LIMITS.PROFILERS_OF_TRACE },
    ),

  /** The same by thread: what ran of the trace on each of them. */
  threadsOfTrace: (scope: ProfileScope, traceId: string): Promise<readonly ProfiledSegment[]> =>
    query<ProfiledSegment>(
      `SELECT project_id AS projectId, ${PROFILER} AS profilerId, ${THREAD} AS thread,
        min(${START}) AS from, max(${START} + duration) AS to
      FROM spans WHERE ${WHERE} AND trace_id = {trace:UUID} AND match(profilerId, '^[0-9a-f]{32}$')
      GROUP BY projectId, profilerId, thread ORDER BY from, profilerId, thread LIMIT {limit:UInt32}`,
      scope,
      { trace: traceId, limit: LIMITS.PROFILERS_OF_TRACE },
    ),
})
