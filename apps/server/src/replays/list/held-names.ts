import type { JoinedVisitor } from '../journeys/joined-visitor.ts'
import { LIMITS } from '../limits.ts'
import type { LookedUpNames } from './named-in.ts'

/**
 * What a search names, as it was when somebody asked for something that takes a while. Who is called what, and which issues
 * are one, changes meanwhile, also by what is done: with the replay that says so, it is forgotten that two ids are one person.
 */
export interface HeldNames {
  readonly issues: readonly (readonly [string, readonly number[]])[]
  readonly visitors: readonly (readonly [string, JoinedVisitor])[]
}

/** Null when they are more than may be kept. */
export const holdNames = ({ issues, visitors }: LookedUpNames): HeldNames | null => {
  const held = { issues: [...issues], visitors: [...visitors] }
  return JSON.stringify(held).length > LIMITS.REPLAY_DELETION_NAMES_CHARS ? null : held
}
