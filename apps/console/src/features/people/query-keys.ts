import { organizationKeys } from '../../lib/query-keys.ts'

/** What a person ran into and said. */
export const personKey = (org: string) => [...organizationKeys.all(org), 'person'] as const
