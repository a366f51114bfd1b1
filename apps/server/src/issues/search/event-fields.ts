import type { NestedField, SearchField } from '../../search/index.ts'

/** A release is `package@version+build`, of which the version alone must be there. */
const PACKAGE = "extract(toString(events.release), '^([^@]+)@.')"
const VERSION = "extract(toString(events.release), '^(?:[^@]+@)?([^+]*)')"
const BUILD = "extract(toString(events.release), '[+](.*)$')"

/** An event says its exceptions in its payload, and frames that many events have in common in `stacks`. */
const EXCEPTIONS = "JSONExtractArrayRaw(events.payload, 'exception', 'values')"

/**
 * Whether one of the lists of frames of an event fulfils a condition on `frames`, an array of JSON objects. The frames are
 * read from what is stored anyway, so that events of any age are found; searches for functions and files have columns.
 */
const anyStack =
  (exceptions: string): ((condition: string, projects: string) => string) =>
  (condition, projects) => {
    const shared = `SELECT groupArray(id) FROM (SELECT DISTINCT id, JSONExtractArrayRaw(stacks.frames) AS frames FROM stacks WHERE stacks.project_id IN ${projects}) WHERE ${condition}`
    const own = `arrayExists(exception -> arrayExists(frames -> ${condition}, [JSONExtractArrayRaw(exception, 'stacktrace', 'frames')]), ${exceptions})`
    const ids = `arrayMap(exception -> JSONExtractString(exception, 'stacktrace', 'frames', 'stack'), ${exceptions})`
    return `(${own} OR hasAny(${ids}, (${shared})))`
  }

const ANY_STACK = anyStack(EXCEPTIONS)
const LAST_STACK = anyStack(`arraySlice(${EXCEPTIONS}, -1)`)

/** Of the frames of all exceptions: whether one of them fulfils it. */
const ofFrames = (of: NestedField['of']): NestedField => ({
  kind: 'nested',
  of,
  any: (condition, projects) => ANY_STACK(`arrayExists(frame -> ${condition}, frames)`, projects()),
})

/** The frame that an error is said to come from: the last one of the application, else the last one. */
const CRASH_FRAME =
  "if(arrayExists(f -> JSONExtractBool(f, 'in_app'), frames), arrayLast(f -> JSONExtractBool(f, 'in_app'), frames), frames[-1])"

/** The file that Sentry calls the location of an error. */
const LOCATION: NestedField = {
  kind: 'nested',
  of: { kind: 'part', sql: `JSONExtractString(${CRASH_FRAME}, 'filename')` },
  any: (condition, projects) => LAST_STACK(condition, projects()),
}

const numberOfFrame = (name: string): NestedField =>
  ofFrames({ kind: 'number', sql: `JSONExtract(frame, '${name}', 'Nullable(Float64)')`, nullable: true })

/** What the context of the device says; `device` and `device.family` are tags. */
const DEVICE_NUMBERS = [
  'battery_level',
  'battery_temperature',
  'external_free_storage',
  'external_storage_size',
  'free_memory',
  'free_storage',
  'memory_size',
  'processor_count',
  'processor_frequency',
  'screen_density',
  'screen_dpi',
  'screen_height_pixels',
  'screen_width_pixels',
  'storage_size',
  'usable_memory',
]
const DEVICE_WORDS = ['arch', 'battery_status', 'brand', 'device_type', 'locale', 'manufacturer', 'name', 'orientation']
const DEVICE_FLAGS = ['charging', 'low_memory', 'online', 'simulator']

const ofDevice = (extract: string, name: string, type = ''): string =>
  `${extract}(events.payload, 'contexts', 'device', '${name}'${type})`

const DEVICE_FIELDS: readonly (readonly [string, SearchField])[] = [
  ...DEVICE_NUMBERS.map((name): [string, SearchField] => [
    `device.${name}`,
    { kind: 'number', sql: ofDevice('JSONExtract', name, ", 'Nullable(Float64)'"), nullable: true },
  ]),
  ...DEVICE_WORDS.map((name): [string, SearchField] => [
    `device.${name}`,
    { kind: 'part', sql: ofDevice('JSONExtractString', name) },
  ]),
  ...DEVICE_FLAGS.map((name): [string, SearchField] => [
    `device.${name}`,
    { kind: 'boolean', sql: ofDevice('JSONExtractBool', name) },
  ]),
]

/** Where a user was, as SDKs and relays know it, by both of its names. */
const GEO_FIELDS = ['country_code', 'city', 'region', 'subdivision'].flatMap((name): [string, SearchField][] => {
  const field: SearchField = { kind: 'part', sql: `JSONExtractString(events.payload, 'user', 'geo', '${name}')` }
  return [
    [`geo.${name}`, field],
    [`user.geo.${name}`, field],
  ]
})

const REPLAY: SearchField = { kind: 'hex', sql: 'events.replay_id', characters: 32, of: 'a replay' }

const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug']
const TYPES = ['error', 'default', 'csp', 'hpkp', 'expectct', 'expectstaple', 'nel']

export const EVENT_FIELDS: ReadonlyMap<string, SearchField> = new Map<string, SearchField>([
  ['release', { kind: 'text', sql: 'events.release' }],
  ['release.package', { kind: 'part', sql: PACKAGE }],
  ['release.version', { kind: 'version', sql: VERSION }],
  ['release.build', { kind: 'part', sql: BUILD }],
  ['dist', { kind: 'text', sql: 'events.dist' }],
  ['environment', { kind: 'text', sql: 'events.environment' }],
  ['level', { kind: 'choice', sql: 'events.level', values: LEVELS }],
  ['logger', { kind: 'text', sql: 'events.logger' }],
  ['platform', { kind: 'text', sql: 'events.platform' }],
  ['platform.name', { kind: 'text', sql: 'events.platform' }],
  ['transaction', { kind: 'text', sql: 'events.transaction' }],
  ['server_name', { kind: 'text', sql: 'events.server_name' }],
  ['event.type', { kind: 'choice', sql: 'events.type', values: TYPES }],
  ['title', { kind: 'text', sql: 'events.title', ignoreCase: true }],
  ['culprit', { kind: 'text', sql: 'events.culprit' }],
  ['location', LOCATION],
  ['message', { kind: 'words', sql: 'events.message' }],
  ['user', { kind: 'text', sql: 'events.user_key' }],
  ['user.id', { kind: 'text', sql: 'events.user_id' }],
  ['user.email', { kind: 'text', sql: 'events.user_email' }],
  ['user.username', { kind: 'text', sql: 'events.user_username' }],
  ['user.ip', { kind: 'text', sql: 'events.user_ip' }],
  ['user.ip_address', { kind: 'text', sql: 'events.user_ip' }],
  ['http.method', { kind: 'text', sql: 'events.http_method' }],
  ['http.url', { kind: 'text', sql: 'events.http_url' }],
  ['url', { kind: 'text', sql: 'events.http_url' }],
  ['sdk.name', { kind: 'text', sql: 'events.sdk_name' }],
  ['sdk.version', { kind: 'text', sql: 'events.sdk_version' }],
  ['trace', { kind: 'hex', sql: 'events.trace_id', characters: 32, of: 'a trace' }],
  ['trace.span', { kind: 'hex', sql: 'events.span_id', characters: 16, of: 'a span' }],
  ['replayId', REPLAY],
  ['replay.id', REPLAY],
  ['replay', REPLAY],
  ['error.type', { kind: 'list', sql: 'events.error_types' }],
  ['error.value', { kind: 'list', sql: 'events.error_values', ignoreCase: true }],
  ['error.mechanism', { kind: 'list', sql: 'events.error_mechanisms' }],
  ['stack.function', { kind: 'list', sql: 'events.stack_functions' }],
  ['stack.filename', { kind: 'list', sql: 'events.stack_filenames' }],
  ['stack.abs_path', { kind: 'list', sql: 'events.stack_filenames' }],
  ['stack.module', { kind: 'list', sql: 'events.stack_modules' }],
  ['stack.package', ofFrames({ kind: 'part', sql: "JSONExtractString(frame, 'package')" })],
  ['stack.lineno', numberOfFrame('lineno')],
  ['stack.colno', numberOfFrame('colno')],
  ['stack.in_app', ofFrames({ kind: 'boolean', sql: "JSONExtractBool(frame, 'in_app')" })],
  ['error.handled', { kind: 'boolean', sql: 'NOT events.unhandled' }],
  ['error.unhandled', { kind: 'boolean', sql: 'events.unhandled' }],
  ['timestamp', { kind: 'time', sql: 'events.timestamp' }],
  ['event.timestamp', { kind: 'time', sql: 'events.timestamp' }],
  ['date', { kind: 'time', sql: 'events.timestamp' }],
  ['id', { kind: 'uuid', sql: 'events.event_id', of: 'an event' }],
  ['event.id', { kind: 'uuid', sql: 'events.event_id', of: 'an event' }],
  ['issue.id', { kind: 'number', sql: 'events.issue_id' }],
  ['project.id', { kind: 'number', sql: 'events.project_id' }],
  ...DEVICE_FIELDS,
  ...GEO_FIELDS,
])

/** Whether it is a name of the table above; what is not may be a tag, or no key at all. */
export const isEventField = (name: string): boolean => EVENT_FIELDS.has(name)

/** Anything that is no field is a tag. */
export const findEventField = (name: string, tag: boolean): SearchField =>
  (tag ? undefined : EVENT_FIELDS.get(name)) ?? { kind: 'tag', name }
