import { organizationKeys } from '../../lib/query-keys.ts'

export const releasesKey = (org: string) => [...organizationKeys.all(org), 'releases'] as const
