import type { AlertDryRun } from '@firsthand/contract'
import { toDate } from '../../lib/instant-text.ts'
import { endOf } from '../measure/minute.ts'
import type { Outcome } from '../measure/outcome.ts'
import { messageOf } from '../measure/tell/message.ts'
import { LIMITS } from '../limits.ts'
import type { DryRunRequest } from './dry-run.ts'
import { shownMessage } from './message-json.ts'
import { hourIn, isNight } from './night.ts'
import { createTelling, type Spoken, type Telling } from './telling.ts'

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

const stepOf = ({ course, step }: Outcome): Spoken['step'] =>
  step === 'over' || (step === 'calm' && course.phase === 'ok')
    ? 'over'
    : step === 'fired'
      ? 'first'
      : step === 'still'
        ? 'still'
        : 'update'

const SPEAKS: ReadonlySet<Outcome['step']> = new Set(['fired', 'worse', 'over', 'still', 'flapping', 'calm'])

export const createFirings = ({ render, rule, slug, timezone }: Asked) => {
  const telling = createTelling(rule)
  const hourOf = hourIn(timezone)
  const open = new Map<string, OpenFiring>()
  const firings: Firing[] = []
  let incidents = 0
  let first = 0
  let updates = 0
  let atNight = 0

  const count = ({ number }: Telling, step: Spoken['step'], at: number): void => {
    if (number === null) return
    if (step === 'first') first += 1
    else updates += 1
    if (isNight(hourOf(at))) atNight += 1
  }

  const begin = (outcome: Outcome, at: number, told: Telling): OpenFiring => {
    incidents += 1
    const messages: Firing['messages'][number][] = []
    const sentence = told.sentence === null ? outcome.sentence() : `${outcome.sentence()}. ${told.sentence}`
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
      sentence,
      messages,
    }
    if (firings.length < LIMITS.DRY_RUN_FIRINGS) firings.push(firing)
    const begun = { firing, messages, startedAt: at }
    open.set(outcome.key, begun)
    return begun
  }

  return {
    hear: (outcome: Outcome): void => {
      if (!SPEAKS.has(outcome.step)) return
      const at = endOf(outcome.minute)
      const step = stepOf(outcome)
      const known = open.get(outcome.key)
      if (known === undefined && step === 'over') return
      // While it flaps nothing is told of each change.
      const isSilent = outcome.course.isFlapping && outcome.step !== 'flapping'
      const told: Telling = isSilent
        ? { decision: 'held', reason: 'flapping', sentence: null, number: null, isGathered: false }
        : telling.hear({ at, subject: outcome.key, step, isWorse: outcome.step === 'worse' })
      const firing = known ?? begin(outcome, at, told)
      count(told, known === undefined ? 'first' : step, at)
      if (told.number !== null && firings.length <= LIMITS.DRY_RUN_MESSAGES) {
        const stage = step === 'over' ? 'over' : known === undefined ? 'first' : 'update'
        const message = messageOf({
          outcome,
          rule,
          stage,
          slug,
          snooze: `/organizations/${slug}/alerts`,
          startedAt: firing.startedAt,
          // What was behind each firing of two weeks would take a statement for each.
          behind: [],
        })
        firing.messages.push(shownMessage(message, at, render))
      }
      if (step !== 'over') return
      firing.firing.until = toDate(at)
      open.delete(outcome.key)
    },
    end: (at: number): Gathered => {
      const { messages } = telling.end(at)
      return { firings, incidents, messages, atNight, first, updates }
    },
  }
}
