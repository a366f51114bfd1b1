/** What leads to profiles from traces and transactions. */
export { profileLanesQuery, traceProfilesQuery } from '../queries.ts'
export {
  functionOf,
  gapAt,
  type LaneStretch,
  type ProfileLane,
  stepsTogether,
  stretchAt,
  stretchesOf,
} from '../model/lane.ts'
export type { ProfiledSpan } from '../model/profile-of-span.ts'
export { SpanProfile } from './SpanProfile.tsx'
export { TransactionProfiles } from './TransactionProfiles.tsx'
