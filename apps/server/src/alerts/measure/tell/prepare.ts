import type { Ledger } from '../../../storage/index.ts'
import type { Rules } from '../../ledger/rules.ts'
import type { Receivers } from '../../receivers.ts'
import type { AlertRule } from '../../rule.ts'
import type { Outcome } from '../outcome.ts'

/** What has to be read before a minute is kept: nothing is read in its transaction but what that changes. */
export interface Speaker {
  readonly rule: AlertRule
  readonly slug: string
  /** Users whom its actions tell, by the place of the action. */
  readonly people: ReadonlyMap<number, readonly number[]>
}

/** Rules that have something to say, or that began to fire while they might not, by their ids. */
export type Speakers = ReadonlyMap<number, Speaker>

const speaks = ({ course, step }: Outcome): boolean =>
  step !== 'quiet' && step !== 'pending' && (step !== 'unknown' || course.phase !== 'ok')

export const createPrepareTelling = (parts: {
  readonly ledger: Ledger
  readonly rules: Pick<Rules, 'find'>
  readonly receivers: Receivers
  readonly now: () => number
}) => {
  const { ledger, receivers, rules } = parts

  const slugOf = async (organizationId: number): Promise<string> => {
    const row = await ledger.db
      .selectFrom('organizations')
      .select('slug')
      .where('id', '=', organizationId)
      .executeTakeFirst()
    return row?.slug ?? ''
  }

  const peopleOf = async ({ draft, organizationId }: AlertRule): Promise<Map<number, readonly number[]>> => {
    const people = new Map<number, readonly number[]>()
    for (const [place, action] of draft.actions.entries()) {
      if (action.kind !== 'people') continue
      people.set(place, await receivers.of(action, { organizationId, issue: null }, parts.now()))
    }
    return people
  }

  return async (outcomes: readonly Outcome[]): Promise<Speakers> => {
    const speakers = new Map<number, Speaker>()
    for (const outcome of outcomes.filter(speaks)) {
      const { id, organizationId } = outcome.rule
      if (speakers.has(id)) continue
      const rule = await rules.find(organizationId, id)
      if (rule === null) continue
      speakers.set(id, { rule, slug: await slugOf(organizationId), people: await peopleOf(rule) })
    }
    return speakers
  }
}
