/** What Sentry says of a metric alert by its dataset and types of events is said by its search here. */

/** Transactions are the segments of their traces. */
export const TRANSACTIONS = 'is_transaction:true'

/** Errors, and messages without one. */
export const OF_TYPE = { error: 'event.type:error', default: 'event.type:default' } as const

export const SPAN_TYPES: ReadonlySet<string> = new Set(['trace_item_span', 'transaction'])
