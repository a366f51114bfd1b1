import type { Clock } from '../lib/clock.ts'
import type { AccountStore } from './accounts.store.ts'
import { createAuthenticator } from './authenticator.ts'
import { createOwnProject } from './own-project.ts'
import { createOrganizations } from './organizations.ts'
import { createPasswords } from './passwords.ts'
import type { Passwords } from './passwords.ts'
import { createProjectLookup } from './project-lookup.ts'
import { createProjects } from './projects.ts'
import type { Scope } from './roles.ts'
import { createSetup } from './setup.ts'
import { createSignIn } from './sign-in.ts'

/** The face of the slice: people, organisations, projects, keys, tokens, and who may do what. */

export type { AccountStore } from './accounts.store.ts'
export { addressOfAdopted } from './dsn.ts'
export { projectSummaryJson } from './json.ts'
export type { Failure } from './failure.ts'
export { readScope, type AskedScope, type ScopeQuery } from './asked-scope.ts'
export { chooseProjects, livingProjects } from './living-projects.ts'
export type { ProjectReference } from './living-projects.ts'
export { effectiveScopes, ROLE_SCOPES, ROLES, SCOPES } from './roles.ts'
export type { Role, Scope } from './roles.ts'
export { setupLink } from './setup.ts'
export type { Ensured, EnsureOptions } from './setup.ts'
export { DEFAULT_PROJECT_SETTINGS } from './settings.ts'
export { createHandles, type Handles } from './ledger/handles.ts'
export type { Mention } from './handles.ts'
export { readPreferences, readProjectSettings } from './settings-json.ts'
export type { KeyContext, ProjectLookup, ProjectSettings, RateLimit, ReplySettings, SpamSettings } from './settings.ts'

export type Accounts = ReturnType<typeof createAccounts>

/**
 * For the server (all of it) and for commands (`setup.ensure`, `organizations.createToken`), which may run beside a server
 * on the same ledger.
 */
export const createAccounts = ({
  store,
  clock,
  setupToken,
  passwords = createPasswords(),
  onAccessLost = () => {},
  onMemberRemoved = async () => {},
  onRoleChanged = async () => {},
}: {
  readonly store: AccountStore
  readonly clock: Clock
  /** Opens the set-up page while there is no owner. Nobody can guess it, and every process of the installation has the same. */
  readonly setupToken: string
  readonly passwords?: Passwords
  /** Told whose rights, sessions or tokens became fewer, once that is stored. */
  readonly onAccessLost?: (userId: number) => void
  /** Lets go what somebody had in an organisation, once the membership is removed. */
  readonly onMemberRemoved?: (organizationId: number, userId: number) => Promise<void>
  /** Lets go what somebody may not have there any more, by what they may do from now on. */
  readonly onRoleChanged?: (organizationId: number, userId: number, scopes: ReadonlySet<Scope>) => Promise<void>
}) => {
  const lookup = createProjectLookup({ store, clock })
  const onChange = (): void => lookup.clear()
  const signIn = createSignIn({ store, clock, passwords, onAccessLost })
  return {
    store,
    /** What `http` recognises callers with. */
    authenticator: createAuthenticator({ store, clock }),
    signIn,
    ownProject: createOwnProject({ store, clock, onChange }),
    setup: createSetup({ store, clock, passwords, signIn, token: setupToken, onChange }),
    organizations: createOrganizations({
      store,
      clock,
      passwords,
      signIn,
      onAccessLost,
      onMemberRemoved,
      onRoleChanged,
    }),
    projects: createProjects({ store, clock, onChange }),
    /** `ProjectLookup` for the door. */
    lookup,
    /** To be called now and then. */
    removeExpiredSessions: (): Promise<number> => store.removeExpiredSessions(clock.now()),
  }
}
