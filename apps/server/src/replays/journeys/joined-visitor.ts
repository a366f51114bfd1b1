import type { Period } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import type { ReplayScope } from '../replay.ts'
import type { Granted } from '../services.ts'
import type { FoundVisitor, JoinedVisitor } from '../visitor.ts'

/** Ids and addresses of one visitor lead to others; after so many steps it is enough. */
const STEPS_OF_VISITOR = 3

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
  const widen = async (joined: JoinedVisitor): Promise<JoinedVisitor> => {
    const found = await replays.namesOf(scope, joined, period)
    return { ids: union(joined.ids, found.ids), emails: union(joined.emails, found.emails) }
  }
  let joined = known
  for (let step = 0; step < STEPS_OF_VISITOR; step += 1) {
    const wider = await widen(joined)
    if (Math.max(wider.ids.length, wider.emails.length) > LIMITS.REPLAY_VISITOR_NAMES) {
      return { ids: most(wider.ids), emails: most(wider.emails), isWhole: false }
    }
    if (countOf(wider) === countOf(joined)) return { ...joined, isWhole: true }
    joined = wider
  }
  // Nobody more is joined; but where nothing more is found, these are all.
  return { ...joined, isWhole: countOf(await widen(joined)) === countOf(joined) }
}

const countOf = ({ emails, ids }: JoinedVisitor): number => ids.length + emails.length

const union = (one: readonly string[], other: readonly string[]): readonly string[] => [...new Set([...one, ...other])]

const most = (names: readonly string[]): readonly string[] => names.slice(0, LIMITS.REPLAY_VISITOR_NAMES)
