import { organizationKeys } from '../../lib/query-keys.ts'

export const channelsKey = (org: string) => [...organizationKeys.all(org), 'channels'] as const
