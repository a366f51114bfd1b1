import { ROLES, SCOPES, type Role, type Scope } from '@firsthand/contract/scopes'

/** What each role may do, in one table. The words are the contract's; nothing else of it is loaded here. */
export { ROLES, SCOPES, type Role, type Scope }

const VIEWER = ['org:read', 'project:read', 'event:read', 'member:read', 'team:read'] as const satisfies Scope[]
const MEMBER = [...VIEWER, 'project:releases', 'event:write', 'event:admin'] as const satisfies Scope[]
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

/** Nobody hands out, takes away or changes a role above their own. */
export const mayManage = (own: Role, other: Role): boolean => ROLES.indexOf(own) <= ROLES.indexOf(other)

export const isScope = (value: unknown): value is Scope => SCOPES.some((scope) => scope === value)
