import { formatFilter } from '@firsthand/search-syntax'

/** What the stream of issues is asked for to have those alone whose events came from a transaction. */
export const issuesOf = (transaction: string): string => `is:unresolved ${formatFilter('transaction', transaction)}`
