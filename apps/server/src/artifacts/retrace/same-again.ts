import type { Frame } from '../../event/event.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { isRecurring, markRecurring } from '../../lib/recurring.ts'
import { LIMITS } from '../limits.ts'

const before = new RecentMap<readonly Frame[], { readonly key: string; readonly made: readonly Frame[] }>(
  LIMITS.MAPPED_FRAMES_BYTES,
)

/**
 * What is made of frames that recur is the same object each time: it recurs as well then, and what follows from it is
 * remembered. Bounded by what the made frames take as text.
 *
 * @param key says all that the made frames follow from, beside those that came
 */
export const sameAgain = (came: readonly Frame[], key: string, made: readonly Frame[]): readonly Frame[] => {
  if (!isRecurring(came)) return made
  const known = before.get(came)
  if (known?.key === key) return known.made
  const text = JSON.stringify(made)
  // Names that are parts of a mapping's lines would keep those in memory.
  const own = markRecurring(JSON.parse(text) as readonly Frame[])
  before.set(came, { key, made: own }, text.length + key.length)
  return own
}
