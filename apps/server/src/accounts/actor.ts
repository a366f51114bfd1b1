import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import { missingFor } from './roles.ts'
import type { Role, Scope } from './roles.ts'

/** Who wants to change something: a person, by a session or by a token of theirs. */
export interface Actor {
  readonly userId: number
  /** What they may do now in the organisation; of a token, what is left of its own scopes. */
  readonly scopes: ReadonlySet<Scope>
  /** When the token they use ends, in milliseconds since the epoch; null for a session, and for one without an end. */
  readonly tokenExpiresAt: number | null
  /** The token they use; null for a session. */
  readonly tokenId: number | null
}

const beyond = (role: Role, missing: readonly Scope[]): Failure =>
  failure(
    'forbidden',
    `You may not give, change or take the role ${role}, because it may do what you may not: ${missing.join(', ')}. Ask an owner of the organisation.`,
    { field: 'role' },
  )

/** The refusal of whoever may not give or take one of these roles; null when they may. */
export const refusalFor = (actor: Actor, ...roles: readonly Role[]): Failure | null => {
  for (const role of roles) {
    const missing = missingFor(actor.scopes, role)
    if (missing.length > 0) return beyond(role, missing)
  }
  return null
}
