import { encodeLines, type RowTable } from '../../storage/telemetry/row-writer.ts'
import {
  hexNumber,
  line,
  milliseconds,
  strings,
  text,
  uuid,
  uuidOrNone,
} from '../../storage/telemetry/tab-separated.ts'

/** What is known of a profile without reading it. */
export interface ProfileRow {
  readonly organizationId: number
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
  readonly receivedAt: number
}

export interface StoredProfileRow {
  readonly row: ProfileRow
  readonly blobKey: string
}

const COLUMNS = [
  'organization_id',
  'project_id',
  'profile_id',
  'profiler_id',
  'trace_id',
  'transaction_id',
  'segment_id',
  'transaction',
  'timestamp',
  'start_micros',
  'duration',
  'threads',
  'active_thread',
  'platform',
  'release',
  'environment',
  'sdk',
  'samples',
  'blob_key',
  'received',
] as const

const startOf = ({ start }: ProfileRow): number => Math.floor(start / 1000)

const lineOf = ({ row, blobKey }: StoredProfileRow): string =>
  line([
    row.organizationId,
    row.projectId,
    uuidOrNone(row.profileId),
    uuidOrNone(row.profilerId),
    uuidOrNone(row.traceId),
    uuidOrNone(row.transactionId),
    hexNumber(row.segmentId),
    text(row.transaction),
    milliseconds(startOf(row)),
    row.start - startOf(row) * 1000,
    row.duration,
    strings(row.threads),
    text(row.activeThread),
    text(row.platform),
    text(row.release),
    text(row.environment),
    text(row.sdk),
    row.samples,
    text(blobKey),
    milliseconds(row.receivedAt),
  ])

export const PROFILES: RowTable<StoredProfileRow> = {
  lookup: { table: 'profiles', id: 'profile_id', idType: 'UUID', time: 'timestamp' },
  columns: COLUMNS,
  encode: (rows) => encodeLines(rows, lineOf),
  placeOf: ({ row }) => ({ projectId: row.projectId, id: uuid(row.profileId), at: startOf(row) }),
}
