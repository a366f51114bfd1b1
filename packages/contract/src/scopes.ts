/** What a token or a role may do; Sentry's words. A scope of a kind does not imply the weaker ones: tables name them all. */
export const SCOPES = [
  'org:read',
  'org:write',
  'org:admin',
  'org:ci',
  'project:read',
  'project:write',
  'project:admin',
  'project:releases',
  'event:read',
  'event:write',
  'event:admin',
  'member:read',
  'member:write',
  'team:read',
  'team:write',
] as const
export type Scope = (typeof SCOPES)[number]

/** Strongest first. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof ROLES)[number]
