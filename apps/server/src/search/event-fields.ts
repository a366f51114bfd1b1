/** How a search key is answered by the `events` table. */
export type EventField =
  | { readonly kind: 'text'; readonly column: string; readonly ignoreCase?: boolean }
  /** Matches when the value is anywhere in title, message or error values, whatever the case. */
  | { readonly kind: 'words' }
  | { readonly kind: 'list'; readonly column: string; readonly ignoreCase?: boolean }
  | { readonly kind: 'boolean'; readonly sql: string }
  | { readonly kind: 'time'; readonly column: string }
  | { readonly kind: 'uuid'; readonly column: string }
  | { readonly kind: 'number'; readonly column: string }
  | { readonly kind: 'tag'; readonly name: string }
  /** A part of a column: text. */
  | { readonly kind: 'part'; readonly sql: string }
  /** A version, which has an order: 1.10 comes after 1.9, and 2.0-beta before 2.0. */
  | { readonly kind: 'version'; readonly sql: string }

/** A release is `package@version+build`, of which the version alone must be there. */
const PACKAGE = "extract(toString(events.release), '^([^@]+)@.')"
const VERSION = "extract(toString(events.release), '^(?:[^@]+@)?([^+]*)')"
const BUILD = "extract(toString(events.release), '[+](.*)$')"

const FIELDS: ReadonlyMap<string, EventField> = new Map<string, EventField>([
  ['release', { kind: 'text', column: 'release' }],
  ['release.package', { kind: 'part', sql: PACKAGE }],
  ['release.version', { kind: 'version', sql: VERSION }],
  ['release.build', { kind: 'part', sql: BUILD }],
  ['dist', { kind: 'text', column: 'dist' }],
  ['environment', { kind: 'text', column: 'environment' }],
  ['level', { kind: 'text', column: 'level' }],
  ['logger', { kind: 'text', column: 'logger' }],
  ['platform', { kind: 'text', column: 'platform' }],
  ['platform.name', { kind: 'text', column: 'platform' }],
  ['transaction', { kind: 'text', column: 'transaction' }],
  ['server_name', { kind: 'text', column: 'server_name' }],
  ['event.type', { kind: 'text', column: 'type' }],
  ['title', { kind: 'text', column: 'title', ignoreCase: true }],
  ['culprit', { kind: 'text', column: 'culprit' }],
  ['location', { kind: 'text', column: 'culprit' }],
  ['message', { kind: 'words' }],
  ['user', { kind: 'text', column: 'user_key' }],
  ['user.id', { kind: 'text', column: 'user_id' }],
  ['user.email', { kind: 'text', column: 'user_email' }],
  ['user.username', { kind: 'text', column: 'user_username' }],
  ['user.ip', { kind: 'text', column: 'user_ip' }],
  ['user.ip_address', { kind: 'text', column: 'user_ip' }],
  ['http.method', { kind: 'text', column: 'http_method' }],
  ['http.url', { kind: 'text', column: 'http_url' }],
  ['url', { kind: 'text', column: 'http_url' }],
  ['sdk.name', { kind: 'text', column: 'sdk_name' }],
  ['sdk.version', { kind: 'text', column: 'sdk_version' }],
  ['trace', { kind: 'text', column: 'trace_id' }],
  ['trace.span', { kind: 'text', column: 'span_id' }],
  ['replayId', { kind: 'text', column: 'replay_id' }],
  ['replay.id', { kind: 'text', column: 'replay_id' }],
  ['replay', { kind: 'text', column: 'replay_id' }],
  ['error.type', { kind: 'list', column: 'error_types' }],
  ['error.value', { kind: 'list', column: 'error_values', ignoreCase: true }],
  ['error.mechanism', { kind: 'list', column: 'error_mechanisms' }],
  ['stack.function', { kind: 'list', column: 'stack_functions' }],
  ['stack.filename', { kind: 'list', column: 'stack_filenames' }],
  ['stack.abs_path', { kind: 'list', column: 'stack_filenames' }],
  ['stack.module', { kind: 'list', column: 'stack_modules' }],
  ['error.handled', { kind: 'boolean', sql: 'NOT events.unhandled' }],
  ['error.unhandled', { kind: 'boolean', sql: 'events.unhandled' }],
  ['timestamp', { kind: 'time', column: 'timestamp' }],
  ['event.timestamp', { kind: 'time', column: 'timestamp' }],
  ['date', { kind: 'time', column: 'timestamp' }],
  ['id', { kind: 'uuid', column: 'event_id' }],
  ['event.id', { kind: 'uuid', column: 'event_id' }],
  ['issue.id', { kind: 'number', column: 'issue_id' }],
  ['project.id', { kind: 'number', column: 'project_id' }],
])

/** Anything that is no field is a tag. */
export const findEventField = (name: string, tag: boolean): EventField =>
  (tag ? undefined : FIELDS.get(name)) ?? { kind: 'tag', name }
