import type { Period } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import type { ReplayScope } from '../replay.ts'
import type { Granted } from '../services.ts'
import type { FoundVisitor, JoinedVisitor } from '../visitor.ts'

/** Ids and addresses of one visitor lead to others, mostly in two steps or three; after so many it is enough. */
const STEPS_OF_VISITOR = 8

/**
 * Whom ids and e-mail addresses stand for in a time: one address may have several ids, and one id several addresses. Both may
 * change while a replay is recorded.
 */
export const joinedVisitor = async (
  { replays }: Granted<{ replays: 'namesOf' }>,
  scope: ReplayScope,
  known: JoinedVisitor,
  period: Period,
): Promise<FoundVisitor> => {
  let joined = known
  for (let step = 0; step < STEPS_OF_VISITOR; step += 1) {
    const found = await replays.namesOf(scope, joined, period)
    const wider = { ids: union(joined.ids, found.ids), emails: union(joined.emails, found.emails) }
    if (Math.max(wider.ids.length, wider.emails.length) > LIMITS.REPLAY_VISITOR_NAMES) {
      return { ids: most(wider.ids), emails: most(wider.emails), isWhole: false }
    }
    if (wider.ids.length + wider.emails.length === joined.ids.length + joined.emails.length) {
      return { ...joined, isWhole: true }
    }
    joined = wider
  }
  return { ...joined, isWhole: false }
}

const union = (one: readonly string[], other: readonly string[]): readonly string[] => [...new Set([...one, ...other])]

const most = (names: readonly string[]): readonly string[] => names.slice(0, LIMITS.REPLAY_VISITOR_NAMES)
