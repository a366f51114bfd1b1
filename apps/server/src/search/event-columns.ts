import { err, ok, type Result } from '../lib/result.ts'
import { findEventField } from './event-fields.ts'

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

/** The column, with the issue that stands for a merged one in its place. @param merges merged → standing */
export const followMerges = (column: EventColumn, merges: ReadonlyMap<number, number>): EventColumn =>
  merges.size === 0 || !column.sql.includes(STORED_ISSUE)
    ? column
    : {
        ...column,
        sql: column.sql.replaceAll(
          STORED_ISSUE,
          `transform(${STORED_ISSUE}, {merged:Array(UInt64)}, {standing:Array(UInt64)}, ${STORED_ISSUE})`,
        ),
        params: { ...column.params, merged: [...merges.keys()], standing: [...merges.values()] },
      }

/** `prefix` keeps the parameters of several columns apart. The error is a sentence for the caller. */
export const readEventColumn = (name: string, prefix: string): Result<EventColumn, string> => {
  const call = /^([a-z_]+)\(([^()]{0,200})\)$/.exec(name)
  if (call === null) {
    return /[()]/.test(name) ? err(`"${name}" is not a column.`) : ok(plainColumn(name, prefix))
  }
  const [, called = '', argument = ''] = call
  const aggregate = { name, aggregate: true, params: {} } as const
  switch (called) {
    case 'count':
      return ok({ ...aggregate, sql: 'count()', type: 'integer' })
    case 'count_unique': {
      const field = plainColumn(argument === '' ? 'user' : argument, prefix)
      return ok({
        ...aggregate,
        params: field.params,
        sql: `uniqIf(${field.sql}, toString(${field.sql}) != '')`,
        type: 'integer',
      })
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

const plainColumn = (name: string, prefix: string): EventColumn => {
  const plain = { name, aggregate: false, params: {}, type: 'string' } as const
  switch (name) {
    case 'issue':
      return { ...plain, sql: 'events.issue_id', lookup: 'issue' }
    case 'project':
    case 'project.name':
      return { ...plain, sql: 'events.project_id', lookup: 'project' }
    case 'user.display':
      return {
        ...plain,
        sql: "coalesce(nullIf(events.user_email, ''), nullIf(events.user_username, ''), nullIf(events.user_id, ''), events.user_ip)",
      }
    case 'timestamp.to_hour':
      return { ...plain, sql: 'toUnixTimestamp(toStartOfHour(events.timestamp)) * 1000', type: 'date' }
    case 'timestamp.to_day':
      return { ...plain, sql: 'toUnixTimestamp(toStartOfDay(events.timestamp)) * 1000', type: 'date' }
    default:
      return fieldColumn(name, prefix)
  }
}

const fieldColumn = (name: string, prefix: string): EventColumn => {
  const tagged = /^tags\[([^\]]{1,200})\]$/.exec(name)
  const field = findEventField(tagged?.[1] ?? name, tagged !== null)
  const plain = { name, aggregate: false, params: {} } as const
  switch (field.kind) {
    case 'text':
      return { ...plain, sql: `toString(events.${field.column})`, type: 'string' }
    case 'part':
    case 'version':
      return { ...plain, sql: field.sql, type: 'string' }
    case 'words':
      return { ...plain, sql: 'events.message', type: 'string' }
    case 'list':
      return { ...plain, sql: `events.${field.column}`, type: 'array' }
    case 'boolean':
      return { ...plain, sql: field.sql, type: 'boolean' }
    case 'time':
      return { ...plain, sql: `toUnixTimestamp64Milli(events.${field.column})`, type: 'date' }
    case 'uuid':
      return { ...plain, sql: `replaceAll(toString(events.${field.column}), '-', '')`, type: 'string' }
    case 'number':
      return { ...plain, sql: `events.${field.column}`, type: 'integer' }
    case 'tag':
      return { ...plain, sql: `events.tags[{${prefix}:String}]`, params: { [prefix]: field.name }, type: 'string' }
  }
}
