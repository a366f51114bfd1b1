import { organizationKeys } from '../../lib/query-keys.ts'

/** All that is asked of repositories and of what is in them. */
export const repositoriesKey = (org: string) => [...organizationKeys.all(org), 'repositories'] as const
