import { organizationKeys } from '../../lib/query-keys.ts'

export const monitorsKey = (org: string) => [...organizationKeys.all(org), 'monitors'] as const
