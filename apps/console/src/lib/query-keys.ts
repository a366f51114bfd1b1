/**
 * First parts of the keys of queries, so that live updates and mutations can name what they touch. Everything of an
 * organisation begins with `['org', org]`; here are the keys of what more than one feature shows, a feature adds its own.
 */
export const organizationKeys = {
  all: (org: string) => ['org', org] as const,
  /** The organisation itself. */
  self: (org: string) => ['org', org, 'self'] as const,
  projects: (org: string) => ['org', org, 'projects'] as const,
  project: (org: string, project: string) => ['org', org, 'project', project] as const,
  members: (org: string) => ['org', org, 'members'] as const,
  teams: (org: string) => ['org', org, 'teams'] as const,
  status: (org: string) => ['org', org, 'status'] as const,
} as const

export const sessionKey = ['session'] as const
