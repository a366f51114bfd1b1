import { lengthInMinutes } from '../../../lib/length-text.ts'
import type { Message } from '../../../channels/index.ts'
import type { AlertRule } from '../../rule.ts'
import { GROUP, threadOfSubject } from '../../telling/thread.ts'
import { endOf } from '../minute.ts'
import type { Outcome } from '../outcome.ts'
import { isMeasured } from '../rule.ts'
import { clockTime, groupText, lateText, minutesText } from '../say.ts'
import { windowOf } from '../windows.ts'
import type { IssueBehind } from './issues-behind.ts'

/** What a rule about how much, or about nothing, says. */

/** All messages of one group are one thread. */
export const threadOf = ({ key, rule }: Outcome): string => threadOfSubject(rule.id, `${GROUP}${key}`)

export interface Saying {
  readonly outcome: Outcome
  readonly rule: AlertRule
  readonly stage: Message['stage']
  readonly slug: string
  readonly snooze: string
  /** When the incident began; milliseconds since the epoch. */
  readonly startedAt: number
  /** The worst first; none where nothing is wrong, or no issue is the cause. */
  readonly behind: readonly IssueBehind[]
}

/** Lateness below it is what the digest and the minute take. */
export const LATE_SECONDS = 120

const whereOf = ({ group }: Outcome): string => (group.length === 0 ? '' : `, ${groupText(group)}`)

/** What flapped and is calm may still fire. */
export const isEnd = ({ course, step }: Outcome): boolean =>
  step === 'over' || (step === 'calm' && course.phase === 'ok')

const TOO_LITTLE: ReadonlySet<Outcome['reason']> = new Set(['few', 'floor', 'learning'])

/** Of too little it is not known whether it is normal. */
const overWord = ({ reason }: Outcome): string => (TOO_LITTLE.has(reason) ? 'Over' : 'Back to normal')

const stepWord = ({ step }: Outcome): string => (step === 'worse' ? 'Worse: ' : step === 'flapping' ? 'Flapping: ' : '')

export const headlineOf = (saying: Pick<Saying, 'outcome' | 'rule' | 'startedAt'>): string => {
  const { outcome, rule, startedAt } = saying
  const where = whereOf(outcome)
  if (isEnd(outcome)) {
    return `${overWord(outcome)} after ${lengthInMinutes(endOf(outcome.minute) - startedAt)}: ${rule.draft.name}${where}`
  }
  return `${stepWord(outcome)}${rule.draft.name}: ${lower(outcome.sentence())}${where}`
}

const lower = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

/** The same in a list, whose head names the rule. */
export const lineOf = (saying: Pick<Saying, 'outcome' | 'startedAt'>): string => {
  const { outcome, startedAt } = saying
  const group = groupText(outcome.group)
  if (isEnd(outcome)) {
    const said = `${overWord(outcome)} after ${lengthInMinutes(endOf(outcome.minute) - startedAt)}`
    return group === '' ? said : `${group}, ${lower(said)}`
  }
  const said = `${stepWord(outcome)}${lower(outcome.sentence())}`
  // By its attribute a person is found in it who is erased, where neither a colon nor a word follows.
  return group === '' ? said : `${said}, ${group}`
}

const levelOf = (outcome: Outcome): Message['level'] =>
  isEnd(outcome) ? 'ok' : outcome.step === 'worse' ? 'fatal' : 'error'

const FLAPS =
  'It was over and back again so often that each time says nothing: you hear of it again when it was calm for a while.'

/** `SHOP-6 TypeError: x is not a function: 37, since shop@1.4.0, 4 people wrote`. */
const behindText = ({ firstRelease, shortId, title, value, writers }: IssueBehind): string => {
  const more = [
    ...(firstRelease === null ? [] : [`since ${firstRelease}`]),
    ...(writers === 0 ? [] : [writers === 1 ? 'one person wrote' : `${writers} people wrote`]),
  ]
  return `${shortId} ${title}: ${[value, ...more].join(', ')}`
}

/** The issues that were counted, where the stream can show them; otherwise the alert with its chart. */
const openPath = ({ outcome, rule, slug }: Saying, alert: string): string => {
  const { minute, rule: watched, windowMinutes } = outcome
  const isOfIssues = isMeasured(watched) && watched.trigger.dataset === 'errors'
  if (!isOfIssues) return alert
  const { from, to } = windowOf(minute, windowMinutes)
  const period = `&start=${new Date(from).toISOString()}&end=${new Date(to).toISOString()}`
  const projects = (rule.draft.projects ?? []).map((project) => `&project=${encodeURIComponent(project)}`)
  return `/organizations/${slug}/issues?query=${encodeURIComponent(rule.draft.query)}${period}${projects.join('')}`
}

export const messageOf = (saying: Saying): Message => {
  const { behind, outcome, rule, slug, snooze, stage, startedAt } = saying
  const isOver = isEnd(outcome)
  const path = `/organizations/${slug}/alerts/${rule.id}`
  const late = outcome.lateSeconds >= LATE_SECONDS ? [lateText(outcome.lateSeconds)] : []
  const flapping = outcome.step === 'flapping' ? [FLAPS] : []
  const { limit, value, windowMinutes } = outcome
  return {
    kind: isOver ? 'over' : 'spike',
    level: levelOf(outcome),
    headline: headlineOf(saying),
    blocks: [
      // The headline of what begins has the sentence in it.
      ...[...(isOver ? [outcome.sentence()] : []), ...late, ...flapping].map((text) => ({
        kind: 'text' as const,
        text,
      })),
      ...(behind.length === 0
        ? []
        : [
            {
              kind: 'list' as const,
              items: behind.map((issue) => ({
                text: behindText(issue),
                path: `/organizations/${slug}/issues/${issue.id}`,
              })),
            },
          ]),
      {
        kind: 'facts',
        rows: [
          { name: 'Window', value: minutesText(windowMinutes) },
          { name: isOver ? 'Began' : 'Since', value: clockTime(startedAt) },
          ...outcome.group.map(({ name, value: text }) => ({ name, value: text === '' ? '(none)' : text })),
        ],
      },
    ],
    actions: [
      { label: 'Open', path: openPath(saying, path) },
      { label: 'Why', path },
      { label: 'Snooze the alert', path: snooze },
    ],
    thread: threadOf(outcome),
    stage,
    reason: `The alert “${rule.draft.name}” watches this.`,
    about: {
      rule: { id: rule.id, name: rule.draft.name },
      ...(value !== null && limit !== null
        ? { measured: { value, limit, window: minutesText(windowMinutes), windowMinutes, ...measuredBy(rule) } }
        : {}),
    },
  }
}

/** How it is measured, for receivers that show the rule itself. */
const measuredBy = ({ draft: { query, trigger } }: AlertRule) => {
  if (trigger.source !== 'measured') return { query }
  const { aggregate, comparison, dataset, recovery } = trigger
  const direction = comparison.direction === 'below' ? ('below' as const) : ('above' as const)
  return { query, aggregate, dataset, direction, recoversAt: recovery.limit }
}
