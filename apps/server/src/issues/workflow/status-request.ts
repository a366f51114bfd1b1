import { err, ok, type Result } from '../../lib/result.ts'
import { parseInstant } from '../stats/time-range.ts'
import type { StatusRequest, Substatus } from './status.ts'

/** The parts of Sentry's update body that concern the status. */
export interface StatusBody {
  readonly status?: 'unresolved' | 'resolved' | 'ignored' | 'resolvedInNextRelease' | 'reprocessing' | undefined
  readonly substatus?: Substatus | null | undefined
  readonly statusDetails?:
    | {
        readonly inNextRelease?: boolean | undefined
        readonly inRelease?: string | undefined
        /** Minutes. */
        readonly ignoreDuration?: number | undefined
        readonly ignoreUntil?: string | undefined
        readonly ignoreCount?: number | undefined
        readonly ignoreWindow?: number | undefined
        readonly ignoreUserCount?: number | undefined
        readonly ignoreUserWindow?: number | undefined
      }
    | undefined
}

/** Undefined when the status is to stay. The error is a sentence for the caller. */
export const readStatusRequest = (body: StatusBody, now: number): Result<StatusRequest | undefined, string> => {
  const status = body.status ?? statusOf(body.substatus)
  const details = body.statusDetails ?? {}
  switch (status) {
    case undefined:
      return ok(undefined)
    case 'reprocessing':
      return err('Events are not reprocessed. Choose resolved, unresolved or ignored.')
    case 'resolvedInNextRelease':
      return ok({ kind: 'resolvedInNextRelease' })
    case 'resolved':
      if (details.inNextRelease === true) return ok({ kind: 'resolvedInNextRelease' })
      return ok(
        details.inRelease === undefined
          ? { kind: 'resolved' }
          : { kind: 'resolvedInRelease', version: details.inRelease },
      )
    case 'unresolved': {
      const { substatus } = body
      const known =
        substatus === 'new' || substatus === 'ongoing' || substatus === 'regressed' || substatus === 'escalating'
      return ok(known ? { kind: 'unresolved', substatus } : { kind: 'unresolved' })
    }
    case 'ignored':
      return readArchive(body, now)
  }
}

const statusOf = (substatus: Substatus | null | undefined): 'ignored' | 'unresolved' | undefined => {
  if (substatus === undefined || substatus === null) return undefined
  return substatus.startsWith('archived') ? 'ignored' : 'unresolved'
}

const readArchive = ({ substatus, statusDetails = {} }: StatusBody, now: number): Result<StatusRequest, string> => {
  const { ignoreDuration, ignoreUntil, ignoreCount, ignoreWindow, ignoreUserCount, ignoreUserWindow } = statusDetails
  if (ignoreWindow !== undefined || ignoreUserWindow !== undefined) {
    return err(
      'Archiving until a rate ("ignoreWindow") is not supported. Archive until a count, a time, or escalation.',
    )
  }
  const until =
    ignoreUntil !== undefined
      ? parseInstant(ignoreUntil)
      : ignoreDuration === undefined
        ? undefined
        : now + ignoreDuration * 60_000
  if (until !== undefined && !(until > now)) return err('"ignoreUntil" must be a date in the future.')
  if (until !== undefined || ignoreCount !== undefined || ignoreUserCount !== undefined) {
    return ok({
      kind: 'archivedUntil',
      ...(until === undefined ? {} : { timestamp: until }),
      ...(ignoreCount === undefined ? {} : { events: ignoreCount }),
      ...(ignoreUserCount === undefined ? {} : { users: ignoreUserCount }),
    })
  }
  return ok(substatus === 'archived_forever' ? { kind: 'archivedForever' } : { kind: 'archivedUntilEscalating' })
}
