/**
 * First parts of the keys of queries, so that live updates and mutations can name what they touch:
 * `[...organizationKeys.issues(org), search]`. Everything of an organisation begins with `['org', org]`.
 */
export const organizationKeys = {
  all: (org: string) => ['org', org] as const,
  /** The organisation itself. */
  self: (org: string) => ['org', org, 'self'] as const,
  /** Lists, counts and sparklines of issues. */
  issues: (org: string) => ['org', org, 'issues'] as const,
  /** One issue with everything on its page. */
  issue: (org: string, issue: string) => ['org', org, 'issue', issue] as const,
  /** Reports of visitors, their lists and counts. */
  feedback: (org: string) => ['org', org, 'feedback'] as const,
  receipts: (org: string) => ['org', org, 'receipts'] as const,
  projects: (org: string) => ['org', org, 'projects'] as const,
  project: (org: string, project: string) => ['org', org, 'project', project] as const,
  members: (org: string) => ['org', org, 'members'] as const,
  teams: (org: string) => ['org', org, 'teams'] as const,
  tokens: (org: string) => ['org', org, 'tokens'] as const,
  status: (org: string) => ['org', org, 'status'] as const,
} as const

export const sessionKey = ['session'] as const
