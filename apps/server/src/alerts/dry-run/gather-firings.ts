import type { AlertDryRun } from '@firsthand/contract'
import { toDate } from '../../lib/instant-text.ts'
import { endOf } from '../measure/minute.ts'
import type { Outcome } from '../measure/outcome.ts'
import { isEnd, messageOf } from '../measure/tell/message.ts'
import { urgencyOf } from '../measure/tell/take.ts'
import { LIMITS } from '../limits.ts'
import type { DryRunRequest } from './dry-run.ts'
import { shownMessage } from './message-json.ts'
import { hourIn, isNight } from './night.ts'
import { createTelling, type Telling } from './telling.ts'

/** What a dry run lists: each time that the rule would have fired, until it was over, with what would have been said. */

type Firing = AlertDryRun['firings'][number]

type Asked = Pick<DryRunRequest, 'render' | 'rule' | 'slug' | 'timezone'>

interface OpenFiring {
  readonly firing: Firing
  readonly messages: Firing['messages'][number][]
  readonly startedAt: number
}

export interface Gathered {
  readonly firings: readonly Firing[]
  readonly incidents: number
  readonly messages: number
  readonly atNight: number
  /** Messages that began an incident, and those that followed. */
  readonly first: number
  readonly updates: number
}

const SPEAKS: ReadonlySet<Outcome['step']> = new Set(['fired', 'worse', 'over', 'still', 'flapping', 'calm'])

/** What was told of a group, in this incident and before. */
interface GroupTold {
  lastToldAt: number | null
  isTold: boolean
  /** When it may be told, if it could not be when it began. */
  dueAt: number | null
}

// long: what is listed and counted is shared by its steps
export const createFirings = ({ render, rule, slug, timezone }: Asked) => {
  const telling = createTelling(rule)
  const hourOf = hourIn(timezone)
  const open = new Map<string, OpenFiring>()
  const groups = new Map<string, GroupTold>()
  const firings: Firing[] = []
  let incidents = 0
  let first = 0
  let updates = 0
  let atNight = 0

  const count = (isFirst: boolean, at: number): void => {
    if (isFirst) first += 1
    else updates += 1
    if (isNight(hourOf(at))) atNight += 1
  }

  const begin = (outcome: Outcome, at: number, told: Telling): OpenFiring => {
    incidents += 1
    const messages: Firing['messages'][number][] = []
    const firing: Firing = {
      number: told.number,
      at: toDate(at),
      until: null,
      value: outcome.value,
      limit: outcome.limit,
      group: [...outcome.group],
      issue: null,
      decision: told.decision,
      reason: told.reason === 'matched' ? 'limit' : told.reason,
      sentence: told.sentence,
      messages,
    }
    if (firings.length < LIMITS.DRY_RUN_FIRINGS) firings.push(firing)
    const begun = { firing, messages, startedAt: at }
    open.set(outcome.key, begun)
    return begun
  }

  const show = (outcome: Outcome, stage: 'first' | 'update' | 'over', firing: OpenFiring, at: number): void => {
    if (firings.length > LIMITS.DRY_RUN_MESSAGES) return
    const snooze = `/organizations/${slug}/alerts`
    // What was behind each firing of two weeks would take a statement for each.
    const message = messageOf({ outcome, rule, stage, slug, snooze, startedAt: firing.startedAt, behind: [] })
    firing.messages.push(shownMessage(message, at, render))
  }

  const end = (outcome: Outcome, firing: OpenFiring, at: number): void => {
    const told = telling.end(outcome.key, at, { decision: 'over', reason: 'other', sentence: outcome.sentence() })
    if (told.number !== null) {
      count(false, at)
      show(outcome, 'over', firing, at)
    }
    firing.firing.until = toDate(at)
    open.delete(outcome.key)
  }

  const hear = (outcome: Outcome, group: GroupTold, at: number): void => {
    const { course, key, projectId, step } = outcome
    const isFirst = !group.isTold
    const decision = step === 'worse' ? ('worse' as const) : isFirst ? ('fired' as const) : ('update' as const)
    const told = telling.hear({
      at,
      subject: key,
      projectId,
      topic: `rule:${rule.id}`,
      urgency: urgencyOf(outcome),
      // While it flaps nothing is told of each change.
      circumstances: {
        firstSeen: null,
        lastToldAt: isFirst ? group.lastToldAt : null,
        isFlapping: course.isFlapping && step !== 'flapping',
      },
      found: { decision, reason: 'limit', sentence: outcome.sentence() },
    })
    group.dueAt = isFirst ? told.until : null
    if (told.isHeard) {
      group.isTold = true
      group.lastToldAt = at
    }
    const firing = open.get(key) ?? begin(outcome, at, told)
    if (told.number !== null) {
      count(isFirst, at)
      show(outcome, isFirst ? 'first' : 'update', firing, at)
    }
  }

  return {
    hear: (outcome: Outcome): void => {
      const { key, step } = outcome
      if (!SPEAKS.has(step)) return
      const at = endOf(outcome.minute)
      const group = groups.get(key) ?? { lastToldAt: null, isTold: false, dueAt: null }
      groups.set(key, group)
      if (isEnd(outcome) && !outcome.course.isFlapping) {
        const known = open.get(key)
        if (known !== undefined) end(outcome, known, at)
        group.isTold = false
        group.dueAt = null
        return
      }
      const isDue = group.dueAt !== null && at >= group.dueAt
      if (step === 'still' && (group.isTold || !isDue)) return
      hear(outcome, group, at)
    },
    end: (): Gathered => {
      const { messages, summaries } = telling.close()
      for (const { at, isOver } of summaries) count(!isOver, at)
      return { firings, incidents, messages, atNight, first, updates }
    },
  }
}
