import { named, projectOf, spanIdOf, text, timeOf, uuidOf, wordsOf } from '../../search/dataset-attributes.ts'
import { MERGED_LATER, hexOfUuidOrNone, NO_UUID, type Dataset, type DatasetAttribute } from '../../search/index.ts'

/** Profiles as a table that anything can be asked of: those of one transaction, and chunks of continuous ones. */

const word = wordsOf('profiles')

const IS_WHOLE = `profiles.profiler_id = ${NO_UUID}`
/** A chunk has an id, too, but is no profile by itself. */
const PROFILE_ID: DatasetAttribute = {
  ...text(`if(${IS_WHOLE}, ${hexOfUuidOrNone('profiles.profile_id')}, '')`),
  search: { kind: 'uuid', sql: `if(${IS_WHOLE}, profiles.profile_id, ${NO_UUID})`, of: 'a profile' },
}

/** Shown in nanoseconds, as Sentry's clients read those of profiles; searched as any other duration. */
const DURATION: DatasetAttribute = {
  sql: 'profiles.duration * 1000',
  type: 'number',
  search: { kind: 'number', sql: 'profiles.duration / 1000', quantity: 'duration' },
}

const START_SECONDS = '(toUnixTimestamp64Milli(profiles.timestamp) * 1000 + profiles.start_micros) / 1000000'
const ofChunk = (sql: string): string => `if(${IS_WHOLE}, NULL, ${sql})`

const ATTRIBUTES: ReadonlyMap<string, DatasetAttribute> = new Map<string, DatasetAttribute>([
  ['id', uuidOf('profiles.profile_id', 'a profile')],
  ['profile.id', PROFILE_ID],
  ['profiler.id', uuidOf('profiles.profiler_id', 'a profiler')],
  ['thread.id', word('active_thread')],
  ...named(uuidOf('profiles.trace_id', 'a trace'), 'trace', 'trace_id'),
  ['transaction', word('transaction')],
  ['transaction.id', uuidOf('profiles.transaction_id', 'a transaction')],
  ['transaction.span_id', spanIdOf('profiles.segment_id')],
  ...named(DURATION, 'profile.duration', 'transaction.duration'),
  ['timestamp', timeOf('profiles.timestamp')],
  ['precise.start_ts', { sql: ofChunk(START_SECONDS), type: 'number' }],
  ['precise.finish_ts', { sql: ofChunk(`${START_SECONDS} + profiles.duration / 1000000`), type: 'number' }],
  ...projectOf('profiles'),
  ['environment', word('environment')],
  ['release', word('release')],
  ...named(word('platform'), 'platform', 'platform.name'),
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
  settings: MERGED_LATER,
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
