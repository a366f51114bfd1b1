import type { Role, Scope } from '@firsthand/contract'

/** Roles from the strongest to the weakest, in words. */
export const ROLE_WORDS: Readonly<Record<Role, { readonly label: string; readonly hint: string }>> = {
  owner: { label: 'Owner', hint: 'everything, owners included' },
  admin: { label: 'Admin', hint: 'everything except adding and changing owners' },
  member: { label: 'Member', hint: 'works on issues and releases, can view the settings' },
  viewer: { label: 'Viewer', hint: 'can view everything and change nothing' },
}

export const ROLE_ORDER: readonly Role[] = ['owner', 'admin', 'member', 'viewer']

/** Roles that somebody of a role may give: nobody makes another stronger than oneself. */
export function rolesToGive(own: Role | undefined): readonly Role[] {
  return own === undefined ? [] : ROLE_ORDER.slice(ROLE_ORDER.indexOf(own))
}

/** Sets of scopes for the usual tools, so that nobody has to know them. */
export const TOKEN_PRESETS: readonly { readonly label: string; readonly scopes: readonly Scope[] }[] = [
  { label: 'Read only', scopes: ['org:read', 'project:read', 'event:read', 'member:read', 'team:read'] },
  { label: 'Builds (uploads and releases, nothing else)', scopes: ['org:ci'] },
  { label: 'Releases and source maps (sentry-cli)', scopes: ['org:read', 'project:read', 'project:releases'] },
  {
    label: 'Work on issues',
    scopes: ['org:read', 'project:read', 'event:read', 'event:write', 'member:read', 'team:read'],
  },
]
