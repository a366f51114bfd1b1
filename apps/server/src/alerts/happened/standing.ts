import type { Incident } from '../ledger/incidents.ts'
import type { Urgency } from '../telling/grouping.ts'
import { flapsWith } from '../telling/flapping.ts'
import type { Circumstances } from '../telling/suppression.ts'
import { eventOf, issueOf, type Happening } from './happening.ts'

/** How something that happened stands to what a rule said of the same thing before. Pure: a dry run asks it as well. */

/** What is known of an incident. */
export type PastIncident = Pick<Incident, 'started_at' | 'ended_at' | 'told_at' | 'state'>

/** After these an incident goes on until somebody closes the issue; of all else it is over at once. */
const GOES_ON: ReadonlySet<Happening['kind']> = new Set([
  'issue_opened',
  'issue_regressed',
  'issue_escalating',
  'issue_unarchived',
  'issue_priority_raised',
])

export const goesOn = ({ kind }: Happening): boolean => GOES_ON.has(kind)

/** Of an incident that is known already. */
const IS_WORSE: ReadonlySet<Happening['kind']> = new Set(['issue_escalating', 'issue_priority_raised'])

export interface Standing<Past extends PastIncident> {
  /** The incident that it belongs to; none where it begins one. */
  readonly open: Past | undefined
  readonly stage: 'first' | 'update' | 'single'
  readonly isWorse: boolean
  /** With this it began and was over so often that each time says nothing. */
  readonly flaps: boolean
  readonly urgency: Urgency
  readonly circumstances: Circumstances
}

const urgencyOf = (fact: Happening, isWorse: boolean): Urgency => {
  if (isWorse || eventOf(fact)?.level === 'fatal') return 2
  return issueOf(fact)?.priority === 'high' ? 1 : 0
}

/** @param before incidents of the rule about the same, the newest first */
export const standingOf = <Past extends PastIncident>(before: readonly Past[], fact: Happening): Standing<Past> => {
  const open = before.find(({ ended_at: endedAt }) => endedAt === null)
  const isFlapping = before[0]?.state === 'flapping'
  const lasts = goesOn(fact)
  const isWorse = open !== undefined && open.told_at !== null && IS_WORSE.has(fact.kind)
  const changes = before.flatMap(({ ended_at: ended, started_at: started }) => [
    started,
    ...(ended === null ? [] : [ended]),
  ])
  const told = before.flatMap(({ told_at: at }) => at ?? [])
  // Somebody closed the issue since: that it is back is no repetition.
  const repeats = open === undefined && lasts ? [] : told
  return {
    open,
    stage: lasts ? (open === undefined || open.told_at === null ? 'first' : 'update') : 'single',
    isWorse,
    flaps: lasts && open === undefined && !isFlapping && flapsWith([...changes, fact.receivedAt], fact.receivedAt),
    urgency: urgencyOf(fact, isWorse),
    circumstances: {
      firstSeen: issueOf(fact)?.firstSeen ?? null,
      lastToldAt: repeats.length === 0 ? null : Math.max(...repeats),
      isFlapping,
    },
  }
}
