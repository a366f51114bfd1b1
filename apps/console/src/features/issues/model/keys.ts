import { organizationKeys } from '../../../lib/query-keys.ts'

/** First parts of the keys of queries about issues. */
export const issueKeys = {
  /** Lists, counts and sparklines. */
  lists: (org: string) => [...organizationKeys.all(org), 'issues'] as const,
  /** What a change of all that match would reach. What happens to issues is no reason to ask for it again. */
  frozen: (org: string, askedAt: number) => [...organizationKeys.all(org), 'frozen-issues', askedAt] as const,
  /** How many issues the views in the side bar find: dear for what they tell, so not refreshed with the lists. */
  viewCounts: (org: string) => [...organizationKeys.all(org), 'view-counts'] as const,
  /** The pages of all issues. */
  pages: (org: string) => [...organizationKeys.all(org), 'issue'] as const,
  /** One issue with everything on its page. */
  page: (org: string, issue: string) => [...organizationKeys.all(org), 'issue', issue] as const,
} as const
