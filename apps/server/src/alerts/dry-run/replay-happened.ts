import type { Happening } from '../happened/happening.ts'
import type { Judgement } from '../happened/judge.ts'
import { threadOf } from '../happened/message.ts'
import { topicOf } from '../happened/speak.ts'
import { goesOn, standingOf, type PastIncident, type Standing } from '../happened/standing.ts'
import type { Surroundings } from '../happened/surroundings.ts'
import { LIMITS } from '../limits.ts'
import type { AlertRule } from '../rule.ts'
import { createTelling, type Telling } from './telling.ts'

/** Which incidents there would have been of what happened, and what would have been said of each: in the order of time. */

/** One message, or one that was held back. */
export interface Said {
  readonly fact: Happening
  readonly at: number
  readonly stage: 'first' | 'update' | 'over' | 'single'
  readonly told: Telling
}

/** All that was said of one thing until it was over. */
export interface Incident {
  readonly said: readonly Said[]
  readonly until: number | null
}

interface Past extends PastIncident {
  readonly name: string
  readonly said: Said[]
  readonly started_at: number
  ended_at: number | null
  told_at: number | null
  state: PastIncident['state']
  changedAt: number
  /** When it may be told, if it goes on. */
  due: { readonly at: number; readonly fact: Happening; readonly judgement: Judgement } | null
  /** The fact by which somebody closed the issue while it flapped. */
  closedBy: Happening | null
}

export const createReplay = (rule: AlertRule, surroundings: Pick<Surroundings, 'firstSeen'>) => {
  const telling = createTelling(rule)
  const bySubject = new Map<string, Past[]>()
  const all: Past[] = []

  const begin = (subject: string, fact: Happening, state: Past['state']): Past => {
    const at = fact.receivedAt
    const ended = state === 'over' ? at : null
    const times = { started_at: at, ended_at: ended, told_at: null, changedAt: at }
    const begun: Past = { ...times, name: `${all.length}`, said: [], state, due: null, closedBy: null }
    all.push(begun)
    bySubject.set(subject, [begun, ...(bySubject.get(subject) ?? [])])
    return begun
  }

  const say = (
    incident: Past,
    fact: Happening,
    judgement: Judgement,
    { circumstances, isWorse, stage, urgency }: Pick<Standing<Past>, 'circumstances' | 'isWorse' | 'stage' | 'urgency'>,
    at: number,
  ): void => {
    const decision = isWorse ? ('worse' as const) : stage === 'update' ? ('update' as const) : ('fired' as const)
    const told = telling.hear({
      at,
      subject: incident.name,
      projectId: fact.projectId,
      topic: topicOf(fact, rule, surroundings),
      urgency,
      circumstances,
      found: { decision, reason: 'matched', sentence: judgement.sentence },
    })
    incident.said.push({ fact, at, stage, told })
    incident.changedAt = at
    if (told.isHeard) {
      incident.told_at = at
      incident.due = null
    } else if (stage === 'first' && told.until !== null) incident.due = { at: told.until, fact, judgement }
  }

  const over = (incident: Past, fact: Happening, at: number): void => {
    incident.ended_at = at
    incident.state = 'over'
    const found = { decision: 'over', reason: 'matched', sentence: 'The issue was closed.' } as const
    const told = telling.end(incident.name, at, found)
    if (told.isHeard) incident.said.push({ fact, at, stage: 'over', told })
  }

  /** What has to be said without anything that happens: of what was put off, and of what flapped and is calm. */
  const pass = (until: number): void => {
    const waiting = all
      .filter(({ due, ended_at: ended }) => ended === null && due !== null && due.at <= until)
      .toSorted((left, right) => (left.due?.at ?? 0) - (right.due?.at ?? 0))
    for (const incident of waiting) {
      const { due } = incident
      if (due === null) continue
      incident.due = null
      const standing = standingOf([incident], due.fact)
      say(incident, due.fact, due.judgement, { ...standing, stage: 'first' }, due.at)
    }
    for (const incident of all) {
      const calmAt = incident.changedAt + LIMITS.ALERT_FLAPPING_CALM_MS
      if (incident.state !== 'flapping' || incident.ended_at !== null || calmAt > until) continue
      if (incident.closedBy === null) incident.state = 'firing'
      else over(incident, incident.closedBy, calmAt)
    }
  }

  return {
    hear: (fact: Happening, judgement: Judgement): void => {
      const at = fact.receivedAt
      pass(at)
      const subject = threadOf(fact)
      const standing = standingOf(bySubject.get(subject) ?? [], fact)
      const state = goesOn(fact) ? (standing.flaps ? ('flapping' as const) : ('firing' as const)) : ('over' as const)
      const incident = standing.open ?? begin(subject, fact, state)
      incident.closedBy = null
      say(incident, fact, judgement, standing, at)
    },
    /** Somebody closed the issue. */
    end: (fact: Happening): void => {
      pass(fact.receivedAt)
      for (const incident of bySubject.get(threadOf(fact)) ?? []) {
        if (incident.ended_at !== null) continue
        if (incident.state === 'flapping') {
          incident.closedBy = fact
          incident.changedAt = fact.receivedAt
        } else over(incident, fact, fact.receivedAt)
      }
    },
    close: (at: number) => {
      pass(at)
      const incidents: readonly Incident[] = all.map(({ ended_at: until, said }) => ({ said, until }))
      return { incidents, ...telling.close() }
    },
  }
}
