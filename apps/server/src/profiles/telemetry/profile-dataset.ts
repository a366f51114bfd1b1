import type { Dataset, DatasetAttribute } from '../../search/index.ts'

/** Profiles as a table that anything can be asked of: those of one transaction, and chunks of continuous ones. */

const text = (sql: string): DatasetAttribute => ({ sql, type: 'string' })
const hidden = (attribute: DatasetAttribute): DatasetAttribute => ({ ...attribute, hidden: true })
const word = (column: string): DatasetAttribute => text(`toString(profiles.${column})`)

const NONE = "toUUID('00000000-0000-0000-0000-000000000000')"
const hexOf = (column: string): string => `if(${column} = ${NONE}, '', replaceAll(toString(${column}), '-', ''))`
const uuid = (column: string, of: string): DatasetAttribute => ({
  ...text(hexOf(column)),
  search: { kind: 'uuid', sql: column, of },
})

const IS_WHOLE = `profiles.profiler_id = ${NONE}`
const ID = uuid('profiles.profile_id', 'a profile')
/** A chunk has an id, too, but is no profile by itself. */
const PROFILE_ID: DatasetAttribute = {
  ...text(`if(${IS_WHOLE}, ${hexOf('profiles.profile_id')}, '')`),
  search: { kind: 'uuid', sql: `if(${IS_WHOLE}, profiles.profile_id, ${NONE})`, of: 'a profile' },
}
const TRACE = uuid('profiles.trace_id', 'a trace')

const SEGMENT_SQL = "if(profiles.segment_id = 0, '', lower(leftPad(hex(profiles.segment_id), 16, '0')))"
const SEGMENT: DatasetAttribute = {
  ...text(SEGMENT_SQL),
  search: { kind: 'hex', sql: SEGMENT_SQL, characters: 16, of: 'a span' },
}

/** Shown in nanoseconds, as Sentry's clients read those of profiles; searched as any other duration. */
const DURATION: DatasetAttribute = {
  sql: 'profiles.duration * 1000',
  type: 'number',
  search: { kind: 'number', sql: 'profiles.duration / 1000', quantity: 'duration' },
}

const START_SECONDS = '(toUnixTimestamp64Milli(profiles.timestamp) * 1000 + profiles.start_micros) / 1000000'
const ofChunk = (sql: string): string => `if(${IS_WHOLE}, NULL, ${sql})`

const PROJECT: DatasetAttribute = { sql: 'profiles.project_id', type: 'integer', lookup: 'project' }
const PLATFORM = word('platform')

const ATTRIBUTES: ReadonlyMap<string, DatasetAttribute> = new Map<string, DatasetAttribute>([
  ['id', ID],
  ['profile.id', PROFILE_ID],
  ['profiler.id', uuid('profiles.profiler_id', 'a profiler')],
  ['thread.id', word('active_thread')],
  ['trace', TRACE],
  ['trace_id', hidden(TRACE)],
  ['transaction', word('transaction')],
  ['transaction.id', uuid('profiles.transaction_id', 'a transaction')],
  ['transaction.span_id', SEGMENT],
  ['profile.duration', DURATION],
  ['transaction.duration', hidden(DURATION)],
  [
    'timestamp',
    {
      sql: 'toUnixTimestamp64Milli(profiles.timestamp)',
      type: 'date',
      search: { kind: 'time', sql: 'profiles.timestamp' },
    },
  ],
  ['precise.start_ts', { sql: ofChunk(START_SECONDS), type: 'number' }],
  ['precise.finish_ts', { sql: ofChunk(`${START_SECONDS} + profiles.duration / 1000000`), type: 'number' }],
  ['project', PROJECT],
  ['project.name', hidden(PROJECT)],
  ['project.id', { sql: 'profiles.project_id', type: 'integer' }],
  ['environment', word('environment')],
  ['release', word('release')],
  ['platform', PLATFORM],
  ['platform.name', hidden(PLATFORM)],
  ['sdk.name', text("splitByChar('/', toString(profiles.sdk))[1]")],
  ['sdk.version', text("splitByChar('/', toString(profiles.sdk))[2]")],
  ['samples', { sql: 'profiles.samples', type: 'integer' }],
])

const NOTHING = (type: 'String' | 'Float64' | 'Bool'): string => `CAST(map(), 'Map(String, ${type})')`

export const profilesDataset: Dataset = {
  names: [{ name: 'profiles' }],
  itemType: 'profiles',
  // What was sent twice has the same key.
  from: 'profiles FINAL',
  settings: ['do_not_merge_across_partitions_select_final = 1'],
  organization: 'profiles.organization_id',
  project: 'profiles.project_id',
  environment: 'profiles.environment',
  time: 'profiles.timestamp',
  received: 'profiles.received',
  id: { sql: 'profiles.profile_id', type: 'UUID' },
  attributes: ATTRIBUTES,
  // It has nothing beside its columns.
  maps: { strings: NOTHING('String'), numbers: NOTHING('Float64'), flags: NOTHING('Bool') },
  words: 'lowerUTF8(toString(profiles.transaction))',
  weight: '1',
  measured: 'profile.duration',
}
