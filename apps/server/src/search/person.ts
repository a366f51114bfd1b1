import { BY_NAME } from '../lib/names-sql.ts'
import type { Period } from './time-range.ts'

/** One person, under all names that are known of them, as questions to any table ask for them. */
export interface AskedPerson {
  readonly organizationId: number
  /** Living projects of the organisation that the caller may see. */
  readonly projectIds: readonly number[]
  /** `id:7`, `username:ada`, `email:…`, `ip:…`: what rows call their user. */
  readonly keys: readonly string[]
  /** In lower case. */
  readonly emails: readonly string[]
  /** Milliseconds since the epoch; `to` is inside. */
  readonly period: Period
}

/** How many seconds one of these questions may take is its caller's concern. */
export interface PersonPage extends AskedPerson {
  /** Newest first. */
  readonly limit: number
  readonly seconds: number
}

/** Counted, and since when and until when; null for none. */
export interface PersonCount {
  readonly count: number
  readonly firstAt: number | null
  readonly lastAt: number | null
}

/** What statements about a person bind. */
export const personParams = ({ organizationId, projectIds, keys, emails, period }: AskedPerson) => ({
  organization: organizationId,
  projects: projectIds,
  keys,
  emails,
  from: Math.max(0, Math.floor(period.from)),
  to: Math.ceil(period.to),
})

/** Rows of the projects in the time, by a column of moments. */
export const inPersonsTime = (column: string): string =>
  `organization_id = {organization:UInt32} AND project_id IN {projects:Array(UInt64)}
    AND ${column} >= fromUnixTimestamp64Milli({from:Int64}) AND ${column} <= fromUnixTimestamp64Milli({to:Int64})`

/** Rows whose one column says who it was (`id:7`). */
export const isPerson = (column: string, { isKey, isEmail } = BY_NAME): string =>
  `(${isKey(column)} OR startsWith(${column}, 'email:') AND ${isEmail(`lowerUTF8(substring(${column}, 7))`)})`

/** The same of tables whose rows say more of the user in attributes: an address may stand there beside an id. */
export const isPersonInAttributes = (column: string, names = BY_NAME): string =>
  `(${isPerson(column, names)} OR ${names.isEmail(`lowerUTF8(strings['user.email'])`)})`

/** The value of keys of one kind: `['7']` of `['id:7', 'ip:…']`. */
export const namesOfKind = (keys: readonly string[], kind: 'id' | 'username' | 'email' | 'ip'): readonly string[] =>
  keys.flatMap((key) => (key.startsWith(`${kind}:`) ? [key.slice(kind.length + 1)] : []))

/** Counts of `PersonCount`, over a column of moments. */
export const personCountSql = (column: string, counted = 'count()'): string =>
  `${counted} AS count, if(count = 0, NULL, toUnixTimestamp64Milli(min(${column}))) AS firstAt,
    if(count = 0, NULL, toUnixTimestamp64Milli(max(${column}))) AS lastAt`

export const NOT_SEEN: PersonCount = { count: 0, firstAt: null, lastAt: null }
