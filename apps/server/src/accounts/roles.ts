import { ROLES, SCOPES, type Role, type Scope } from '@firsthand/contract/scopes'

/** What each role may do, in one table. The words are the contract's; nothing else of it is loaded here. */
export { ROLES, SCOPES, type Role, type Scope }

const VIEWER = ['org:read', 'project:read', 'event:read', 'member:read', 'team:read'] as const satisfies Scope[]
const MEMBER = [...VIEWER, 'project:releases', 'org:ci', 'event:write', 'event:admin'] as const satisfies Scope[]
const ADMIN = [
  ...MEMBER,
  'org:write',
  'project:write',
  'project:admin',
  'member:write',
  'team:write',
] as const satisfies Scope[]
const OWNER = [...ADMIN, 'org:admin'] as const satisfies Scope[]

export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: OWNER,
  admin: ADMIN,
  member: MEMBER,
  viewer: VIEWER,
}

/**
 * The one rule behind every way to give or take a role: nobody gives or takes what they may not do themselves.
 *
 * @param scopes what the one who wants to may do now: of a person their role's, of a token what is left of its own
 * @returns the scopes of `role` that they lack; empty when they may
 */
export const missingFor = (scopes: ReadonlySet<Scope>, role: Role): readonly Scope[] =>
  ROLE_SCOPES[role].filter((scope) => !scopes.has(scope))

/**
 * What somebody may do by a session or a token: a token never does more than its maker's role allows today.
 *
 * @param tokenScopes null for a session
 */
export const effectiveScopes = (role: Role, tokenScopes: readonly Scope[] | null): ReadonlySet<Scope> =>
  new Set(ROLE_SCOPES[role].filter((scope) => tokenScopes?.includes(scope) ?? true))

export const isScope = (value: unknown): value is Scope => SCOPES.some((scope) => scope === value)
