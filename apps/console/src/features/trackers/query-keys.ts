import { organizationKeys } from '../../lib/query-keys.ts'

/** All that is asked of trackers and tickets. */
export const trackersKey = (org: string) => [...organizationKeys.all(org), 'trackers'] as const
