import type { AlertDryRun } from '@firsthand/contract'
import type { ProjectReference } from '../../accounts/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import { Unanswerable } from '../../lib/unanswerable.ts'
import type { Dataset } from '../../search/index.ts'
import type { Sensitivity } from '../measure/baseline.ts'
import { batchesOf, measureOf, type Batch, type Member, type ReadRule } from '../measure/batch.ts'
import type { NamesOf } from '../measure/evaluate.ts'
import type { CountedSince } from '../measure/counted-since.ts'
import { valuesOfKey } from '../measure/found.ts'
import { endOf, MINUTE_MS, minuteOf } from '../measure/minute.ts'
import type { AskNumbers } from '../measure/numbers.ts'
import type { Outcome } from '../measure/outcome.ts'
import { hourOf } from '../measure/past.ts'
import { isMeasured, isSilence, type MeasuredRule, type SilenceRule, type WatchedRule } from '../measure/rule.ts'
import { THINGS } from '../measure/say.ts'
import { readShape, type Shape } from '../measure/shape.ts'
import type { AlertRule } from '../rule.ts'
import type { Message } from '../../channels/index.ts'
import { createFirings, type Gathered } from './gather-firings.ts'
import type { Shown } from './message-json.ts'
import { rungsOf } from './ladder.ts'
import { LIMITS } from '../limits.ts'
import { countOf, Line, stepsBetween, type Steps } from './line.ts'
import { readDays } from './read-days.ts'
import { readPast, replay, sensitivityOf, type Past } from './replay.ts'
import { firstCame, replaySilence, silenceBegins } from './silence-replay.ts'

/**
 * When a rule about how much, or about nothing, would have fired: evaluated over the past by the rules by which it is
 * watched. Nothing is sent and nothing is kept.
 */

export interface DryRunParts {
  readonly numbers: AskNumbers
  readonly namesOf: NamesOf
  readonly datasets: readonly Dataset[]
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  /** When the first of these projects was made. */
  readonly projectsSince: (projectIds: readonly number[]) => Promise<number>
  readonly countedSince: CountedSince
}

export interface DryRunRequest {
  /** With the mutes of the rule that is being changed. */
  readonly rule: AlertRule
  readonly slug: string
  readonly days: number
  readonly timezone: string
  /** Up to when all that was received is stored. */
  readonly until: number
  /** A message as the channels of the rule would send it, by the time at which they would. */
  readonly render: (message: Message, at: number) => Shown['rendered']
}

type Result = Omit<AlertDryRun, 'receivers'> & Pick<Gathered, 'first' | 'updates'>

const watchedOf = ({ draft, id, organizationId, projectIds, version }: AlertRule): WatchedRule => {
  const { environments, query, trigger } = draft
  if (trigger.source === 'happened') throw new Error('A rule about what happens is no rule about how much.')
  return { id, version, organizationId, projectIds, query, environments, trigger, since: 0 }
}

/** A group as it is called in a chart. */
const labelOf = (names: readonly string[]): string => names.map((name) => (name === '' ? '(none)' : name)).join(' · ')

const worst = (lines: ReadonlyMap<string, Line>, direction: 'above' | 'below'): [string, Line][] => {
  const sign = direction === 'above' ? -1 : 1
  return [...lines]
    .filter(([, { worst: value }]) => value !== null)
    .toSorted(([, left], [, right]) => sign * ((left.worst ?? 0) - (right.worst ?? 0)))
    .slice(0, LIMITS.DRY_RUN_LINES)
}

const sampledOf = (read: number, asked: number): AlertDryRun['sampled'] =>
  read >= asked
    ? null
    : {
        days: read,
        of: asked,
        sentence: `There is too much to look through in ${(LIMITS.DRY_RUN_READ_MS / 1000).toLocaleString('en-GB')} s: only the last ${read} of ${asked} days were looked at.`,
      }

const batchOf = async <Rule extends WatchedRule>(
  { datasets, projects }: DryRunParts,
  rule: Rule,
): Promise<{ batch: Batch<Rule>; member: Member<Rule>; projectIds: readonly number[] }> => {
  const { aggregate, groupBy } = measureOf(rule)
  const shape = readShape(datasets, { dataset: rule.trigger.dataset, aggregate, groupBy })
  if (!shape.ok) throw new Unanswerable(shape.error)
  const living = (await projects(rule.organizationId)).map(({ id }) => id)
  const projectIds = rule.projectIds === null ? living : living.filter((id) => rule.projectIds?.includes(id) === true)
  const read: ReadRule<Rule> = { rule, shape: shape.value, projectIds }
  const [batch] = batchesOf([read])
  const [member] = batch?.members ?? []
  if (batch === undefined || member === undefined) throw new Unanswerable('The alert watches no project that there is.')
  return { batch, member, projectIds }
}

const namesBy = async ({ namesOf }: DryRunParts, member: Member<WatchedRule>, keys: readonly string[]) => {
  const names = await namesOf(member, keys.map(valuesOfKey))
  const byKey = new Map(keys.map((key, index) => [key, names[index] ?? []]))
  return (key: string): readonly string[] => byKey.get(key) ?? []
}

interface Collected {
  readonly steps: Steps
  readonly lines: Map<string, Line>
  readonly gathered: Gathered
  readonly evaluations: number
}

/** Goes through a replay once: lines of the chart, and what fired. */
const collect = (
  request: DryRunRequest,
  from: number,
  direction: 'above' | 'below',
  go: (tell: (outcome: Outcome) => void) => void,
): Collected => {
  const steps = stepsBetween(from, request.until)
  const lines = new Map<string, Line>()
  const firings = createFirings(request)
  let evaluations = 0
  go((outcome) => {
    evaluations += 1
    const line = lines.get(outcome.key) ?? new Line(steps, direction)
    lines.set(outcome.key, line)
    // What decides nothing, as it is of too few, would stand out most.
    line.add(endOf(outcome.minute) - 1, outcome.reason === 'few' ? null : outcome.value)
    firings.hear(outcome)
  })
  return { steps, lines, gathered: firings.end(), evaluations }
}

const answer = (
  collected: Collected,
  names: (key: string) => readonly string[],
  direction: 'above' | 'below',
  more: Pick<
    AlertDryRun,
    'band' | 'ladder' | 'learning' | 'limit' | 'milliseconds' | 'missing' | 'rows' | 'sampled' | 'unit'
  >,
  request: DryRunRequest,
): Result => {
  const { evaluations, gathered, lines, steps } = collected
  return {
    ...more,
    ...gathered,
    firings: [...gathered.firings],
    from: toDate(steps.from),
    to: toDate(request.until),
    interval: steps.stepMs / 1000,
    series: worst(lines, direction).map(([key, line]) => ({ label: labelOf(names(key)), points: line.points() })),
    groups: lines.size,
    evaluations,
  }
}

const momentText = (at: number, timezone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: timezone }).format(at)

/** How far back the values of a rule are held against others. */
const lookedBackMs = ({ trigger: { comparison, windowMinutes } }: MeasuredRule): number => {
  if (comparison.kind === 'unusual') return LIMITS.BASELINE_WEEKS * 7 * 1440 * MINUTE_MS
  return (windowMinutes + (comparison.kind === 'change' ? comparison.against : 0)) * MINUTE_MS
}

/** Of projects that were there before their rows were written. */
const notCounted = (
  { trigger: { dataset } }: WatchedRule,
  { counted, from, made, timezone }: { counted: number; from: number; made: number; timezone: string },
): string[] =>
  counted <= from || made >= counted
    ? []
    : [
        `${capitalised(THINGS[dataset] ?? dataset)} are counted since ${momentText(counted, timezone)}, when this server was brought to a version that counts them: times before look as if nothing had come.`,
      ]

const capitalised = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`

const missingOf = (rule: MeasuredRule, past: Past): string[] => [
  'Times in which the server was away look as if nothing had come.',
  ...(past.stepMinutes > 1
    ? [`It was evaluated every ${past.stepMinutes} minutes here, and is each minute when it is watched.`]
    : []),
  ...(rule.trigger.groupBy.length > 0 && past.groups.size >= LIMITS.MEASURE_GROUPS
    ? [`Of the groups only the ${LIMITS.MEASURE_GROUPS} worst of each step were looked at.`]
    : []),
]

const ladderOf = (
  request: DryRunRequest,
  member: Member,
  past: Past,
  names: (key: string) => readonly string[],
): AlertDryRun['ladder'] => {
  // Each rung goes through all minutes of all groups again.
  if (past.steps * Math.max(1, past.groups.size) > LIMITS.DRY_RUN_LADDER_STEPS) return []
  return rungsOf(member.rule, member.shape.aggregate.type === 'percentage').map(({ limit, rule }) => {
    const firings = createFirings(request)
    replay({ ...member, rule }, past, names, firings.hear)
    return { limit, messages: firings.end().messages }
  })
}

const ofMeasured = async (parts: DryRunParts, request: DryRunRequest, rule: MeasuredRule): Promise<Result> => {
  const { batch, member, projectIds } = await batchOf(parts, rule)
  const end = minuteOf(request.until) * MINUTE_MS
  const counted = await parts.countedSince(batch.dataset)
  const made = counted === 0 ? 0 : await parts.projectsSince(projectIds)
  const past = await readPast(parts.numbers, batch, member, { days: request.days, end })
  const names = await namesBy(parts, member, [...past.groups.keys()])
  const { comparison } = rule.trigger
  const direction = comparison.direction === 'below' ? 'below' : 'above'
  const from = end - past.daysRead * 1440 * MINUTE_MS
  const collected = collect(request, from, direction, (tell) => replay(member, past, names, tell))
  const { steps } = collected
  return answer(
    collected,
    names,
    direction,
    {
      band: bandOf(past, sensitivityOf(rule), steps, worst(collected.lines, direction)[0]?.[0] ?? '[]'),
      ladder: ladderOf(request, member, past, names),
      learning:
        past.daysKnown === null || past.daysKnown >= LIMITS.BASELINE_LEARNING_DAYS
          ? null
          : { days: Math.floor(past.daysKnown), of: LIMITS.BASELINE_LEARNING_DAYS },
      limit: comparison.kind === 'fixed' ? comparison.limit : null,
      milliseconds: past.milliseconds,
      missing: [
        ...notCounted(rule, { counted, made, from: from - lookedBackMs(rule), timezone: request.timezone }),
        ...missingOf(rule, past),
      ],
      rows: past.rows,
      sampled: sampledOf(past.daysRead, request.days),
      unit: unitText(member.shape),
    },
    request,
  )
}

/** Of what nobody knows whether it was there before: what is told of it may be no more than that it had not begun. */
const beforeTheFirst = (
  { trigger: { groupBy, minutes } }: SilenceRule,
  { begun, came }: { readonly begun: number; readonly came: number | null },
  timezone: string,
): string[] => {
  if (groupBy.length > 0) return []
  if (came === null) return ['Nothing came in all this time: it would have told that once.']
  if (came - begun < minutes * MINUTE_MS) return []
  return [`Nothing came before ${momentText(came, timezone)}: what is told until then says only that it had not begun.`]
}

const ofSilence = async (parts: DryRunParts, request: DryRunRequest, rule: SilenceRule): Promise<Result> => {
  const { batch, member, projectIds } = await batchOf(parts, rule)
  const end = minuteOf(request.until) * MINUTE_MS
  const past = await readDays(parts.numbers, batch, { end, days: request.days, stepMinutes: 1, windowMinutes: 1 })
  const names = await namesBy(parts, member, [...past.groups.keys()])
  const from = end - past.days * 1440 * MINUTE_MS
  const made = await parts.projectsSince(projectIds)
  const counted = await parts.countedSince(batch.dataset)
  const begun = silenceBegins(past, Math.max(made, counted))
  const collected = collect(request, from, 'above', (tell) => replaySilence(rule, past, begun, names, tell))
  const ladder = [0.5, 1, 2, 4].map((share) => {
    const minutes = Math.max(1, Math.round(rule.trigger.minutes * share))
    const firings = createFirings(request)
    replaySilence({ ...rule, trigger: { ...rule.trigger, minutes } }, past, begun, names, firings.hear)
    return { limit: minutes, messages: firings.end().messages }
  })
  return answer(
    collected,
    names,
    'above',
    {
      band: null,
      ladder,
      learning: null,
      limit: rule.trigger.minutes,
      milliseconds: past.milliseconds,
      missing: [
        ...notCounted(rule, { counted, made, from, timezone: request.timezone }),
        ...beforeTheFirst(rule, { begun, came: firstCame(past) }, request.timezone),
        'Times in which the server was away look like silence.',
      ],
      rows: past.rows,
      sampled: sampledOf(Math.floor(past.days), request.days),
      unit: 'minute',
    },
    request,
  )
}

export const createMeasuredDryRun =
  (parts: DryRunParts) =>
  /** @throws Unanswerable */
  (request: DryRunRequest): Promise<Result> => {
    const rule = watchedOf(request.rule)
    if (isMeasured(rule)) return ofMeasured(parts, request, rule)
    if (isSilence(rule)) return ofSilence(parts, request, rule)
    throw new Error('There is no other kind of rule.')
  }

const unitText = ({ aggregate }: Shape): string =>
  aggregate.unit ?? (aggregate.type === 'percentage' ? 'percentage' : '')

/** What was usual of the group that is drawn first. */
const bandOf = ({ baselines }: Past, sensitivity: Sensitivity, steps: Steps, key: string): AlertDryRun['band'] => {
  if (baselines === null) return null
  return Array.from({ length: countOf(steps) }, (_, step) => steps.from + step * steps.stepMs).flatMap((at) => {
    const baseline = baselines(key, hourOf(minuteOf(at)), sensitivity)
    return baseline === null
      ? []
      : [[Math.round(at / 1000), baseline.lower, baseline.middle, baseline.upper] as [number, number, number, number]]
  })
}
