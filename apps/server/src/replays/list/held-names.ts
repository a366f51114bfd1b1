import type { HeldNames } from '../ledger/deletion-jobs.ts'
import { LIMITS } from '../limits.ts'
import type { LookedUpNames } from './named-in.ts'

/** Null when they are more than may be kept. */
export const holdNames = ({ issues, visitors }: LookedUpNames): HeldNames | null => {
  const held = { issues: [...issues], visitors: [...visitors] }
  return JSON.stringify(held).length > LIMITS.REPLAY_DELETION_NAMES_CHARS ? null : held
}
