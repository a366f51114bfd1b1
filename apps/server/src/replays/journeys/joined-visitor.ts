import type { Period } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import type { ReplayScope } from '../replay.ts'
import type { ReplayServices } from '../services.ts'
import { STEPS_OF_VISITOR } from './journey.ts'

/** Ids and e-mail addresses of one visitor. */
export interface JoinedVisitor {
  readonly ids: readonly string[]
  readonly emails: readonly string[]
}

/**
 * Whom an id or an e-mail address stands for in a time: one address may have several ids, and one id several addresses.
 *
 * @param asked.name an id or an address
 */
export const joinedVisitor = async (
  { replays }: Pick<ReplayServices, 'replays'>,
  scope: ReplayScope,
  { name, period }: { readonly name: string; readonly period: Period },
): Promise<JoinedVisitor> => {
  let joined: JoinedVisitor = { ids: [name], emails: [name] }
  for (let step = 0; step < STEPS_OF_VISITOR; step += 1) {
    const found = await replays.namesOf(scope, joined, period)
    const wider = { ids: union(joined.ids, found.ids), emails: union(joined.emails, found.emails) }
    if (wider.ids.length + wider.emails.length === joined.ids.length + joined.emails.length) break
    joined = wider
  }
  return joined
}

const union = (one: readonly string[], other: readonly string[]): readonly string[] =>
  [...new Set([...one, ...other])].slice(0, LIMITS.REPLAY_VISITOR_NAMES)
