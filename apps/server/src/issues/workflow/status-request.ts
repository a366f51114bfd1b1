import { err, ok, type Result } from '../../lib/result.ts'
import { parseInstant } from '../../search/index.ts'
import type { StatusRequest, Substatus } from './status.ts'

interface Conditions {
  readonly inNextRelease?: boolean | null | undefined
  readonly inRelease?: string | null | undefined
  readonly inCommit?: string | object | null | undefined
  /** Minutes. */
  readonly ignoreDuration?: number | null | undefined
  readonly ignoreUntil?: string | null | undefined
  readonly ignoreCount?: number | null | undefined
  readonly ignoreWindow?: number | null | undefined
  readonly ignoreUserCount?: number | null | undefined
  readonly ignoreUserWindow?: number | null | undefined
}

/** The parts of Sentry's update body that concern the status. Conditions stand in `statusDetails` or beside it. */
export interface StatusBody extends Conditions {
  readonly status?: 'unresolved' | 'resolved' | 'ignored' | 'resolvedInNextRelease' | 'reprocessing' | undefined
  readonly substatus?: Substatus | null | undefined
  readonly statusDetails?: Conditions | null | undefined
  /** Minutes: sentry-cli's name of `ignoreDuration`. */
  readonly snoozeDuration?: number | null | undefined
}

/** Conditions without those that are null. */
type Given = { readonly [Name in keyof Conditions]?: NonNullable<Conditions[Name]> }

const CONDITIONS = {
  inNextRelease: 'resolved',
  inRelease: 'resolved',
  inCommit: 'resolved',
  ignoreDuration: 'ignored',
  ignoreUntil: 'ignored',
  ignoreCount: 'ignored',
  ignoreWindow: 'ignored',
  ignoreUserCount: 'ignored',
  ignoreUserWindow: 'ignored',
} as const satisfies Record<keyof Conditions, 'resolved' | 'ignored'>

const NAMES = Object.keys(CONDITIONS) as (keyof Conditions)[]

const givenIn = ({ statusDetails, snoozeDuration, ...body }: StatusBody): Given => {
  const beside: Conditions = { ...body, ignoreDuration: body.ignoreDuration ?? snoozeDuration }
  const named = NAMES.map((name) => [name, statusDetails?.[name] ?? beside[name]] as const)
  return Object.fromEntries(named.filter(([, value]) => value !== undefined && value !== null && value !== false))
}

/** Undefined when the status is to stay. The error is a sentence for the caller. */
export const readStatusRequest = (body: StatusBody, now: number): Result<StatusRequest | undefined, string> => {
  const { substatus = null } = body
  const status = body.status ?? statusOf(substatus)
  const conditions = givenIn(body)
  const kept = status === 'resolvedInNextRelease' ? 'resolved' : status
  const astray = NAMES.find((name) => conditions[name] !== undefined && CONDITIONS[name] !== kept)
  if (astray !== undefined) {
    return err(`"${astray}" is a condition of the status "${CONDITIONS[astray]}". Give the two together.`)
  }
  if (status !== undefined && substatus !== null && statusOf(substatus) !== status) {
    return err(`"${substatus}" is no substatus of the status "${status}".`)
  }
  switch (status) {
    case undefined:
      return ok(undefined)
    case 'reprocessing':
      return err('Events are not reprocessed. Choose resolved, unresolved or ignored.')
    case 'resolvedInNextRelease':
      return ok({ kind: 'resolvedInNextRelease' })
    case 'resolved':
      if (conditions.inCommit !== undefined) {
        return err(
          '"inCommit": releases have no commits here yet, so that nobody would know when the issue is resolved. Name the release, {"inRelease": "…"}, or the next one, {"inNextRelease": true}.',
        )
      }
      if (conditions.inNextRelease === true) return ok({ kind: 'resolvedInNextRelease' })
      return ok(
        conditions.inRelease === undefined
          ? { kind: 'resolved' }
          : { kind: 'resolvedInRelease', version: conditions.inRelease },
      )
    case 'unresolved': {
      const known =
        substatus === 'new' || substatus === 'ongoing' || substatus === 'regressed' || substatus === 'escalating'
      return ok(known ? { kind: 'unresolved', substatus } : { kind: 'unresolved' })
    }
    case 'ignored':
      return readArchive(substatus, conditions, now)
  }
}

const statusOf = (substatus: Substatus | null): 'ignored' | 'unresolved' | undefined => {
  if (substatus === null) return undefined
  return substatus.startsWith('archived') ? 'ignored' : 'unresolved'
}

const readArchive = (substatus: Substatus | null, conditions: Given, now: number): Result<StatusRequest, string> => {
  const { ignoreDuration, ignoreUntil, ignoreCount, ignoreWindow, ignoreUserCount, ignoreUserWindow } = conditions
  if (ignoreWindow !== undefined && ignoreCount === undefined) {
    return err(
      '"ignoreWindow" says in how many minutes as many events must come as "ignoreCount" says. Give the two together.',
    )
  }
  if (ignoreUserWindow !== undefined && ignoreUserCount === undefined) {
    return err(
      '"ignoreUserWindow" says in how many minutes as many users must come as "ignoreUserCount" says. Give the two together.',
    )
  }
  const until =
    ignoreUntil !== undefined
      ? parseInstant(ignoreUntil)
      : ignoreDuration === undefined
        ? undefined
        : now + ignoreDuration * 60_000
  if (until !== undefined && !(until > now)) return err('"ignoreUntil" must be a date in the future.')
  const isConditional = until !== undefined || ignoreCount !== undefined || ignoreUserCount !== undefined
  if (substatus === 'archived_until_condition_met' && !isConditional) {
    return err(
      'Archiving until a condition is met takes the condition: ignoreDuration, ignoreUntil, ignoreCount or ignoreUserCount.',
    )
  }
  if (isConditional && (substatus === 'archived_forever' || substatus === 'archived_until_escalating')) {
    return err(`An issue cannot be both "${substatus}" and archived until a condition is met. Leave one of them out.`)
  }
  if (isConditional) {
    return ok({
      kind: 'archivedUntil',
      ...(until === undefined ? {} : { timestamp: until }),
      ...(ignoreCount === undefined ? {} : { events: ignoreCount }),
      ...(ignoreUserCount === undefined ? {} : { users: ignoreUserCount }),
      ...(ignoreWindow === undefined ? {} : { eventsWindow: ignoreWindow }),
      ...(ignoreUserWindow === undefined ? {} : { usersWindow: ignoreUserWindow }),
    })
  }
  return ok(substatus === 'archived_forever' ? { kind: 'archivedForever' } : { kind: 'archivedUntilEscalating' })
}
