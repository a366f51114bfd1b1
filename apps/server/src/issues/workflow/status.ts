/**
 * What an issue's status depends on, as it is written to the ledger. Whoever sets a status writes it whole; the digest
 * reads it when new events arrive.
 */
export interface StatusDetails {
  /** When the status was set, milliseconds since the epoch. Events received before do not change it. */
  readonly since?: number
  /** Who set it. */
  readonly actorId?: number
  readonly inNextRelease?: true
  /** The project's newest release when `inNextRelease` was chosen. It stays when the next one came. */
  readonly currentRelease?: string
  readonly inRelease?: string
  /** Archived until this instant, milliseconds since the epoch. */
  readonly untilTimestamp?: number
  /** Archived until so many more events, counted from `eventsAtStart`. */
  readonly untilEvents?: number
  readonly eventsAtStart?: number
  /** They must come within so many minutes. */
  readonly untilEventsWindow?: number
  /** Archived until it met so many users since `since`. */
  readonly untilUsers?: number
  readonly untilUsersWindow?: number
  /** Archived for ever: the most events that one day had in the week before, and when it was told that it grows. */
  readonly dailyPeak?: number
  readonly growthToldAt?: number
}

export type Status = 'unresolved' | 'resolved' | 'ignored'
export type Substatus =
  | 'new'
  | 'ongoing'
  | 'regressed'
  | 'escalating'
  | 'archived_until_escalating'
  | 'archived_until_condition_met'
  | 'archived_forever'

/** What somebody asks for. */
export type StatusRequest =
  | {
      readonly kind: 'unresolved'
      readonly substatus?: 'new' | 'ongoing' | 'regressed' | 'escalating'
      /** Goes into the activity. */
      readonly because?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'resolved' }
  | { readonly kind: 'resolvedInNextRelease' }
  /** A version, or `latest`: the project's newest. */
  | { readonly kind: 'resolvedInRelease'; readonly version: string }
  | { readonly kind: 'archivedForever' }
  | { readonly kind: 'archivedUntilEscalating' }
  | {
      readonly kind: 'archivedUntil'
      readonly timestamp?: number
      readonly events?: number
      readonly users?: number
      /** Minutes within which they must come; without, all since then count. */
      readonly eventsWindow?: number
      readonly usersWindow?: number
    }

export interface StatusBefore {
  readonly status: Status
  readonly substatus: Substatus | null
  readonly timesSeen: number
  /** Newest release of its project. */
  readonly newestRelease: string | null
  /** Most events of one day in the week before. */
  readonly dailyPeak: number
}

export interface StatusChange {
  readonly status: Status
  readonly substatus: Substatus | null
  readonly details: StatusDetails
  readonly activity: {
    readonly type: 'set_resolved' | 'set_resolved_in_release' | 'set_unresolved' | 'set_ignored'
    readonly data: Readonly<Record<string, string | number | boolean>>
  }
}

/** The new status of an issue (docs/spec.md, states and transitions). Pure. */
export const changeStatus = (
  request: StatusRequest,
  before: StatusBefore,
  now: number,
  actorId: number | null,
): StatusChange => {
  const origin = actorId === null ? { since: now } : { since: now, actorId }
  switch (request.kind) {
    case 'unresolved':
      return {
        status: 'unresolved',
        substatus: request.substatus ?? 'ongoing',
        details: {},
        activity: { type: 'set_unresolved', data: request.because ?? {} },
      }
    case 'resolved':
      return { status: 'resolved', substatus: null, details: origin, activity: { type: 'set_resolved', data: {} } }
    case 'resolvedInNextRelease': {
      const current = before.newestRelease
      return {
        status: 'resolved',
        substatus: null,
        details: { ...origin, inNextRelease: true, ...(current === null ? {} : { currentRelease: current }) },
        activity: {
          type: 'set_resolved_in_release',
          data: { version: '', inNextRelease: true, ...(current === null ? {} : { current_release_version: current }) },
        },
      }
    }
    case 'resolvedInRelease': {
      const version = request.version === 'latest' ? (before.newestRelease ?? '') : request.version
      return {
        status: 'resolved',
        substatus: null,
        details: version === '' ? origin : { ...origin, inRelease: version },
        activity: { type: 'set_resolved_in_release', data: { version } },
      }
    }
    case 'archivedForever':
      return {
        status: 'ignored',
        substatus: 'archived_forever',
        details: { ...origin, dailyPeak: before.dailyPeak },
        activity: { type: 'set_ignored', data: {} },
      }
    case 'archivedUntilEscalating':
      return {
        status: 'ignored',
        substatus: 'archived_until_escalating',
        details: origin,
        activity: { type: 'set_ignored', data: { ignoreUntilEscalating: true } },
      }
    case 'archivedUntil':
      return {
        status: 'ignored',
        substatus: 'archived_until_condition_met',
        details: {
          ...origin,
          ...(request.timestamp === undefined ? {} : { untilTimestamp: request.timestamp }),
          ...(request.events === undefined ? {} : { untilEvents: request.events, eventsAtStart: before.timesSeen }),
          ...(request.users === undefined ? {} : { untilUsers: request.users }),
          ...(request.eventsWindow === undefined ? {} : { untilEventsWindow: request.eventsWindow }),
          ...(request.usersWindow === undefined ? {} : { untilUsersWindow: request.usersWindow }),
        },
        activity: {
          type: 'set_ignored',
          data: {
            ...(request.timestamp === undefined ? {} : { ignoreUntil: new Date(request.timestamp).toISOString() }),
            ...(request.events === undefined ? {} : { ignoreCount: request.events }),
            ...(request.users === undefined ? {} : { ignoreUserCount: request.users }),
            ...(request.eventsWindow === undefined ? {} : { ignoreWindow: request.eventsWindow }),
            ...(request.usersWindow === undefined ? {} : { ignoreUserWindow: request.usersWindow }),
          },
        },
      }
  }
}
