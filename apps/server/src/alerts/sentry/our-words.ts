import type { AlertHappening } from '@firsthand/contract'

/** What rules of Sentry's have no word for has one of ours, so that a script can write back what it read. */

export const ourCondition = (kind: AlertHappening): string => `firsthand.conditions.${kind}`

export const OUR_CHANNEL = 'firsthand.actions.channel'

/** Sentry has conditions for issues of high priority, and we have a search. */
export const HIGH = 'issue.priority:high'
