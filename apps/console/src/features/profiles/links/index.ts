/** What leads to profiles from traces and transactions. */
export { traceProfilesQuery } from '../queries.ts'
export type { ProfiledSpan } from '../model/profile-of-span.ts'
export { SpanProfile } from './SpanProfile.tsx'
export { TransactionProfiles } from './TransactionProfiles.tsx'
