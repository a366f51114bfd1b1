import type { Period } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import { rankOf, type SessionStatus } from '../session.ts'

/** Whose sessions are asked for, and of which time: they belong to the moment at which they began. */
export interface SessionScope {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  readonly period: Period
}

export const scopeParams = ({ organizationId, projectIds, period }: SessionScope) => ({
  organization: organizationId,
  projects: projectIds,
  from: period.from,
  to: period.to,
  apart: LIMITS.SESSION_APART_MS,
})

export const OWN = 'organization_id = {organization:UInt32} AND project_id IN {projects:Array(UInt64)}'
const moment = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64})`
const shifted = (name: string, sign: '+' | '-'): string =>
  `fromUnixTimestamp64Milli({${name}:Int64} ${sign} {apart:Int64})`

/**
 * In the order in which its SDK wrote the updates. What is equal besides is put in order by anything that does not change.
 * One large number, because the engine compares tuples ten times slower.
 */
const written = (before: string): string =>
  [
    `bitShiftLeft(toUInt256(${before}), 192)`,
    'bitShiftLeft(toUInt256(u.sequence), 128)',
    'bitShiftLeft(toUInt256(toUnixTimestamp64Milli(u.at)), 64)',
    'toUInt256(u.id)',
  ].join(' + ')
/** The first says where a session belongs: who lost it takes the earliest that came. */
const BEGINNING = written('NOT u.is_first')
const LAST = written('0')
/** What is worse comes later. */
const WORST = written('u.rank')

const is = (status: SessionStatus): string => `worst = ${rankOf(status)}`

/**
 * All that is known of sessions, one row for each and one for each count of several: `project_id`, `at`, `release`,
 * `environment`, `user` (0 for nobody), how many there are, how many ended in which way (each in one at most; the others
 * are healthy), and the duration in milliseconds of one that ended well (-1 for none).
 *
 * The updates of a session are taken together whenever it is read: the worst state, the most errors, the last user. That
 * is the same in whatever order they came, and however often. Updates a little outside of the time are read as well, as
 * they may belong to a session that began inside of it.
 */
export const MERGED_SESSIONS = `(
  SELECT project AS project_id, began AS at, first_release AS release, first_environment AS environment,
    last_user AS user, toUInt64(1) AS total, toUInt64(${is('crashed')}) AS crashed, toUInt64(${is('abnormal')}) AS abnormal,
    toUInt64(${is('unhandled')}) AS unhandled,
    toUInt64(worst < ${rankOf('unhandled')} AND most_errors > 0) AS errored,
    if(${is('exited')} AND is_timed, took, -1.) AS duration,
    toUInt64(${is('abnormal')} AND how = 'anr_foreground') AS foreground_anr,
    toUInt64(${is('abnormal')} AND startsWith(how, 'anr_')) AS anr
  FROM (
    SELECT u.project_id AS project, min(u.started) AS began,
      toString(argMin(u.release, ${BEGINNING})) AS first_release,
      toString(argMin(u.environment, ${BEGINNING})) AS first_environment,
      argMaxIf(u.user, ${LAST}, u.user != 0) AS last_user,
      max(u.rank) AS worst, max(u.errors) AS most_errors,
      argMaxIf(u.duration, ${WORST}, u.duration >= 0) AS took, max(u.duration) >= 0 AS is_timed,
      toString(argMaxIf(u.mechanism, ${WORST}, u.mechanism != '')) AS how
    FROM session_updates AS u
    WHERE ${OWN} AND u.started >= ${shifted('from', '-')} AND u.started < ${shifted('to', '+')}
    GROUP BY u.project_id, u.session
    HAVING began >= ${moment('from')} AND began < ${moment('to')}
  )
  UNION ALL
  SELECT project_id, started AS at, toString(release) AS release, toString(environment) AS environment, user,
    toUInt64(exited) + errored + unhandled + abnormal + crashed AS total, toUInt64(crashed) AS crashed,
    toUInt64(abnormal) AS abnormal, toUInt64(unhandled) AS unhandled, toUInt64(errored) AS errored,
    -1. AS duration, toUInt64(0) AS foreground_anr, toUInt64(0) AS anr
  FROM (
    SELECT * FROM session_counts
    WHERE ${OWN} AND started >= ${moment('from')} AND started < ${moment('to')}
    LIMIT 1 BY project_id, started, id
  )
)`
