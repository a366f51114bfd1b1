import { err, ok, type Result } from '../../lib/result.ts'
import { findEventField } from './event-fields.ts'
import { hexOfUuid, type SearchField } from '../../search/index.ts'

/** A column of a table of events: a field, or an aggregate over the rows that are equal in the fields. */
export interface EventColumn {
  /** As asked, e.g. `count_unique(user)`. */
  readonly name: string
  readonly aggregate: boolean
  /** ClickHouse; tag names are parameters `{<name>:String}` of `params`. */
  readonly sql: string
  readonly params: Readonly<Record<string, string | readonly number[]>>
  readonly type: 'string' | 'integer' | 'number' | 'rate' | 'date' | 'boolean' | 'array'
  /** What the ledger puts in place of an id. */
  readonly lookup?: 'issue' | 'project'
  /** The number is to be divided by the length of its time, in units of so many seconds. */
  readonly perSeconds?: number
}

/** How stored issues are told from those that they were merged into. */
const STORED_ISSUE = 'events.issue_id'

/** The issue that stands for a merged one, with the parameters that stand in it. @param merges merged → standing */
export const standingIssue = (merges: ReadonlyMap<number, number>) => ({
  sql:
    merges.size === 0
      ? STORED_ISSUE
      : `transform(${STORED_ISSUE}, {merged:Array(UInt64)}, {standing:Array(UInt64)}, ${STORED_ISSUE})`,
  params: merges.size === 0 ? {} : { merged: [...merges.keys()], standing: [...merges.values()] },
})

/** The column, with the issue that stands for a merged one in its place. @param merges merged → standing */
export const followMerges = (column: EventColumn, merges: ReadonlyMap<number, number>): EventColumn => {
  if (merges.size === 0 || !column.sql.includes(STORED_ISSUE)) return column
  const { sql, params } = standingIssue(merges)
  return { ...column, sql: column.sql.replaceAll(STORED_ISSUE, sql), params: { ...column.params, ...params } }
}

/** Whether tables of events have had it. */
export const isEventColumn = (name: string): boolean => readEventColumn(name, 'column').ok

/** `prefix` keeps the parameters of several columns apart. The error is a sentence for the caller. */
export const readEventColumn = (name: string, prefix: string): Result<EventColumn, string> => {
  const call = /^([a-z_]+)\(([^()]{0,200})\)$/.exec(name)
  if (call === null) {
    return /[()]/.test(name) ? err(`"${name}" is not a column.`) : plainColumn(name, prefix)
  }
  const [, called = '', argument = ''] = call
  const aggregate = { name, aggregate: true, params: {} } as const
  switch (called) {
    case 'count':
      return ok({ ...aggregate, sql: 'count()', type: 'integer' })
    case 'count_unique': {
      const field = plainColumn(argument === '' ? 'user' : argument, prefix)
      if (!field.ok) return field
      const { params, sql } = field.value
      return ok({ ...aggregate, params, sql: `uniqIf(${sql}, toString(${sql}) != '')`, type: 'integer' })
    }
    case 'eps':
      return ok({ ...aggregate, sql: 'count()', type: 'rate', perSeconds: 1 })
    case 'epm':
      return ok({ ...aggregate, sql: 'count()', type: 'rate', perSeconds: 60 })
    case 'last_seen':
      return ok({ ...aggregate, sql: 'toUnixTimestamp64Milli(max(events.timestamp))', type: 'date' })
    case 'first_seen':
      return ok({ ...aggregate, sql: 'toUnixTimestamp64Milli(min(events.timestamp))', type: 'date' })
    case 'min':
    case 'max':
      if (argument !== 'timestamp') return err(`"${called}" is only known of timestamp.`)
      return ok({ ...aggregate, sql: `toUnixTimestamp64Milli(${called}(events.timestamp))`, type: 'date' })
    default:
      return err(
        `"${called}()" is not known. Use count(), count_unique(field), eps(), epm(), min(timestamp), max(timestamp), first_seen() or last_seen().`,
      )
  }
}

/** What a user is called by who looks at a list. */
export const USER_SHOWN =
  "coalesce(nullIf(events.user_email, ''), nullIf(events.user_username, ''), nullIf(events.user_id, ''), events.user_ip)"

const plainColumn = (name: string, prefix: string): Result<EventColumn, string> => {
  const plain = { name, aggregate: false, params: {}, type: 'string' } as const
  switch (name) {
    case 'issue':
      return ok({ ...plain, sql: 'events.issue_id', lookup: 'issue' })
    case 'project':
    case 'project.name':
      return ok({ ...plain, sql: 'events.project_id', lookup: 'project' })
    case 'user.display':
      return ok({
        ...plain,
        sql: USER_SHOWN,
      })
    case 'location':
      return ok({ ...plain, sql: 'toString(events.culprit)' })
    case 'timestamp.to_hour':
      return ok({ ...plain, sql: 'toUnixTimestamp(toStartOfHour(events.timestamp)) * 1000', type: 'date' })
    case 'timestamp.to_day':
      return ok({ ...plain, sql: 'toUnixTimestamp(toStartOfDay(events.timestamp)) * 1000', type: 'date' })
    default:
      return fieldColumn(name, prefix)
  }
}

const findField = (name: string): SearchField => {
  const tagged = /^tags\[([^\]]{1,200})\]$/.exec(name)
  return findEventField(tagged?.[1] ?? name, tagged !== null)
}

const fieldColumn = (name: string, prefix: string): Result<EventColumn, string> => {
  const field = findField(name)
  const plain = { name, aggregate: false, params: {} } as const
  switch (field.kind) {
    case 'text':
      return ok({ ...plain, sql: `toString(${field.sql})`, type: 'string' })
    case 'choice':
    case 'hex':
    case 'part':
    case 'version':
    case 'words':
      return ok({ ...plain, sql: field.sql, type: 'string' })
    case 'list':
      return ok({ ...plain, sql: field.sql, type: 'array' })
    case 'boolean':
      return ok({ ...plain, sql: field.sql, type: 'boolean' })
    case 'time':
      return ok({ ...plain, sql: `toUnixTimestamp64Milli(${field.sql})`, type: 'date' })
    case 'uuid':
      return ok({ ...plain, sql: hexOfUuid(field.sql), type: 'string' })
    case 'number':
      return ok({ ...plain, sql: field.sql, type: 'integer' })
    case 'nested':
    case 'attribute':
      return err(`"${name}" can be searched for, but is no column.`)
    case 'tag':
      return ok({ ...plain, sql: `events.tags[{${prefix}:String}]`, params: { [prefix]: field.name }, type: 'string' })
  }
}
