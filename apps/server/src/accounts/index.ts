import type { Clock } from '../lib/clock.ts'
import type { AccountStore } from './accounts.store.ts'
import { createAuthenticator } from './authenticator.ts'
import { createOwnProject } from './own-project.ts'
import { createOrganizations } from './organizations.ts'
import { createPasswords } from './passwords.ts'
import type { Passwords } from './passwords.ts'
import { createProjectLookup } from './project-lookup.ts'
import { createProjects } from './projects.ts'
import { createSetup } from './setup.ts'
import { createSignIn } from './sign-in.ts'

/** The face of the slice: people, organisations, projects, keys, tokens, and who may do what. */

export type { AccountStore } from './accounts.store.ts'
export type { Failure } from './failure.ts'
export { createProjectLookup } from './project-lookup.ts'
export { ROLE_SCOPES, SCOPES } from './roles.ts'
export type { Role, Scope } from './roles.ts'
export type { Ensured, EnsureOptions } from './setup.ts'
export { DEFAULT_PROJECT_SETTINGS } from './settings.ts'
export { readProjectSettings } from './settings-json.ts'
export type { KeyContext, ProjectLookup, ProjectSettings, RateLimit, ReplySettings, SpamSettings } from './settings.ts'

export type Accounts = ReturnType<typeof createAccounts>

/**
 * For the server (all of it) and for commands (`setup.ensure`, `organizations.createToken`), which may run beside a server
 * on the same ledger. The digest's thread needs only `createProjectLookup`.
 */
export const createAccounts = ({
  store,
  clock,
  passwords = createPasswords(),
}: {
  readonly store: AccountStore
  readonly clock: Clock
  readonly passwords?: Passwords
}) => {
  const lookup = createProjectLookup({ store, clock })
  const onChange = (): void => lookup.clear()
  const signIn = createSignIn({ store, clock, passwords })
  return {
    store,
    /** What `http` recognises callers with. */
    authenticator: createAuthenticator({ store, clock }),
    signIn,
    ownProject: createOwnProject({ store, clock, onChange }),
    setup: createSetup({ store, clock, passwords, signIn, onChange }),
    organizations: createOrganizations({ store, clock, passwords, signIn }),
    projects: createProjects({ store, clock, onChange }),
    /** `ProjectLookup` for the door. */
    lookup,
    /** To be called now and then. */
    removeExpiredSessions: (): Promise<number> => store.removeExpiredSessions(clock.now()),
  }
}
