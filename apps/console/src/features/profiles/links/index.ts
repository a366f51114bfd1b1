/** What leads to profiles from traces and transactions. */
export { SpanProfile } from './SpanProfile.tsx'
export { TransactionProfiles } from './TransactionProfiles.tsx'
