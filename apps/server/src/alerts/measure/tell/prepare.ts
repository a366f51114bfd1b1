import type { Ledger } from '../../../storage/index.ts'
import type { Rules } from '../../ledger/rules.ts'
import type { Receivers } from '../../receivers.ts'
import type { AlertRule } from '../../rule.ts'
import type { Outcome } from '../outcome.ts'
import type { IssueBehind, IssuesBehind } from './issues-behind.ts'
import { isEnd } from './message.ts'

/** What has to be read before a minute is kept: nothing is read in its transaction but what that changes. */
export interface Speaker {
  readonly rule: AlertRule
  readonly slug: string
  /** Users whom its actions tell, by the place of the action. */
  readonly people: ReadonlyMap<number, readonly number[]>
  /** The issues behind what fires, by the key of its group. */
  readonly behind: ReadonlyMap<string, readonly IssueBehind[]>
}

/** Rules that have something to say, or that began to fire while they might not, by their ids. */
export type Speakers = ReadonlyMap<number, Speaker>

const TELLS_OF: ReadonlySet<Outcome['step']> = new Set(['fired', 'worse', 'flapping'])

/** Groups of a rule whose issues are looked up in a minute: each takes a statement. */
const GROUPS_EXPLAINED = 3

const speaks = ({ course, step }: Outcome): boolean =>
  step !== 'quiet' && step !== 'pending' && (step !== 'unknown' || course.phase !== 'ok')

export const createPrepareTelling = (parts: {
  readonly ledger: Ledger
  readonly rules: Pick<Rules, 'find'>
  readonly receivers: Receivers
  readonly issuesBehind: IssuesBehind
  readonly now: () => number
}) => {
  const { issuesBehind, ledger, receivers, rules } = parts

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

  /** Of those that say that something is wrong: of a storm of groups the first ones. */
  const behindOf = async (outcomes: readonly Outcome[]): Promise<Map<string, readonly IssueBehind[]>> => {
    const behind = new Map<string, readonly IssueBehind[]>()
    const wrong = outcomes.filter((outcome) => TELLS_OF.has(outcome.step) && !isEnd(outcome))
    for (const outcome of wrong.slice(0, GROUPS_EXPLAINED)) behind.set(outcome.key, await issuesBehind(outcome))
    return behind
  }

  return async (outcomes: readonly Outcome[]): Promise<Speakers> => {
    const speakers = new Map<number, Speaker>()
    for (const outcome of outcomes.filter(speaks)) {
      const { id, organizationId } = outcome.rule
      if (speakers.has(id)) continue
      const rule = await rules.find(organizationId, id)
      if (rule === null) continue
      speakers.set(id, {
        rule,
        slug: await slugOf(organizationId),
        people: await peopleOf(rule),
        behind: await behindOf(outcomes.filter((one) => one.rule.id === id)),
      })
    }
    return speakers
  }
}
