import { ALERT_HAPPENINGS, type AlertDryRun } from '@firsthand/contract'
import { factsOfOrganization } from '../../facts/index.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { toDate } from '../../lib/instant-text.ts'
import type { Ledger } from '../../storage/index.ts'
import { isHappening, type Happening, type Noted } from '../happened/happening.ts'
import { judge } from '../happened/judge.ts'
import { headlineOf, messageOf, threadOf } from '../happened/message.ts'
import { overMessage } from '../happened/say-over.ts'
import { endsIncidents } from '../happened/prepare.ts'
import { readFirstSeen, readSurroundings, type Surroundings } from '../happened/surroundings.ts'
import { compileRule } from '../known-rules.ts'
import { nameIssues } from '../ledger/history.ts'
import { readNames } from '../ledger/names.ts'
import type { DryRunRequest } from './dry-run.ts'
import { LIMITS } from '../limits.ts'
import { countOf, stepAt, stepsBetween, type Steps } from './line.ts'
import { shownMessage } from './message-json.ts'
import { hourIn, isNight } from './night.ts'
import { createReplay, type Incident } from './replay-happened.ts'

/**
 * What a rule that waits for something to happen would have said: what was noted is judged again, by the same search and the
 * same conditions. Nothing is sent and nothing is kept.
 */

type Result = Omit<AlertDryRun, 'receivers'> & { readonly first: number; readonly updates: number }

type Firing = AlertDryRun['firings'][number]

const firingOf = (
  { said, until }: Incident,
  request: DryRunRequest,
  surroundings: Surroundings,
  issues: ReadonlyMap<number, NonNullable<Firing['issue']>>,
  hasMessages: boolean,
): Firing[] => {
  const [first] = said
  if (first === undefined) return []
  const { fact, told } = first
  const messages = said.filter((one) => one.told.number !== null)
  const begun = {
    headline: headlineOf(fact, surroundings),
    rule_id: request.rule.id,
    rule_name: request.rule.draft.name,
    started_at: fact.receivedAt,
    subject: threadOf(fact),
  }
  return [
    {
      number: told.number,
      at: toDate(fact.receivedAt),
      until: until === null ? null : toDate(until),
      value: null,
      limit: null,
      group: [],
      issue: issues.get(fact.issueId ?? 0) ?? null,
      decision: told.decision,
      reason: told.reason,
      sentence: `${headlineOf(fact, surroundings)}. ${told.sentence}`,
      messages: !hasMessages
        ? []
        : messages.map(({ at, fact: about, stage }) => {
            const snooze = `/organizations/${request.slug}/alerts`
            const message =
              stage === 'over'
                ? overMessage(about, begun, surroundings, () => snooze)
                : messageOf({ fact: about, rule: request.rule, stage, surroundings, snooze })
            return shownMessage(message, at, request.render)
          }),
    },
  ]
}

/** How often the search found something, by steps. */
const seriesOf = (matched: readonly Happening[], steps: Steps): AlertDryRun['series'] => {
  const counts = Array.from({ length: countOf(steps) }, () => 0)
  for (const { receivedAt } of matched) {
    const step = stepAt(steps, receivedAt)
    if (step >= 0 && step < counts.length) counts[step] = (counts[step] ?? 0) + 1
  }
  return [
    { label: '', points: counts.map((count, step) => [Math.round((steps.from + step * steps.stepMs) / 1000), count]) },
  ]
}

/**
 * The last incidents, and of those that were told the last ones, however many were gathered into the message of another since:
 * after a burst of issues what is shown is the message that tells of them.
 */
const listedOf = (
  incidents: readonly Incident[],
): { readonly listed: readonly Incident[]; readonly speaking: ReadonlySet<Incident> } => {
  const told = incidents.filter(({ said }) => said.some(({ told: { number } }) => number !== null))
  const speaking = new Set(told.slice(-LIMITS.DRY_RUN_MESSAGES))
  const newest = new Set(incidents.slice(-(LIMITS.DRY_RUN_FIRINGS - speaking.size)))
  return { listed: incidents.filter((one) => speaking.has(one) || newest.has(one)), speaking }
}

const sampledOf = (oldest: Happening | undefined, isAll: boolean, { days, until }: DryRunRequest) => {
  if (isAll || oldest === undefined) return null
  const looked = Math.max(0, Math.floor((until - oldest.receivedAt) / DAY_MS))
  return {
    days: looked,
    of: days,
    sentence: `So much happened that only the last ${LIMITS.DRY_RUN_FACTS.toLocaleString('en-GB')} things were looked at: ${looked} of ${days} days.`,
  }
}

const MISSING = 'What other alerts say to the same receivers is not replayed: of two that say the same, one is silent.'

/** What people did by which incidents end, go on or become those of another one. */
const NOT_REPLAYED = [
  'issue_merged',
  'issue_unmerged',
  'issue_deleted',
  'issue_restored',
  'issue_reopened',
] as const satisfies readonly Noted['kind'][]

const SKIPPED =
  'That issues were merged, deleted or opened again by somebody is not replayed: what was told of it then is not counted.'

const HELD = 'Lines that say how many messages were held back are not counted.'

export const createHappenedDryRun =
  ({ ledger }: { readonly ledger: Ledger }) =>
  async (request: DryRunRequest): Promise<Result> => {
    const begun = performance.now()
    const { days, rule, timezone, until } = request
    const { organizationId } = rule
    const compiled = compileRule(rule, await readNames(ledger.db, organizationId))
    if (compiled === null) throw new Error('A rule about how much is no rule about what happens.')
    const from = until - days * DAY_MS
    const read = await factsOfOrganization(ledger.db, organizationId, {
      kinds: [...ALERT_HAPPENINGS.filter((kind) => compiled.kinds.has(kind) || endsIncidents(kind)), ...NOT_REPLAYED],
      from,
      until,
      limit: LIMITS.DRY_RUN_FACTS + 1,
    })
    const facts = read.slice(-LIMITS.DRY_RUN_FACTS).filter(isHappening)
    const dated = rule.draft.query.includes('latest') ? await readSurroundings(ledger, facts) : null
    const replay = createReplay(rule, await readFirstSeen(ledger, facts))
    const matched: Happening[] = []
    let evaluations = 0
    for (const fact of facts) {
      if (compiled.kinds.has(fact.kind)) {
        evaluations += 1
        const latestRelease = dated?.latestRelease(fact.projectId, fact.receivedAt) ?? null
        const judgement = judge(compiled, { fact, latestRelease })
        if (judgement.decision === 'fired') {
          matched.push(fact)
          replay.hear(fact, judgement)
        }
      }
      if (endsIncidents(fact.kind)) replay.end(fact)
    }
    const isSkipped = read.some(({ kind }) => NOT_REPLAYED.some((one) => one === kind))
    const { held, incidents, messages, summaries } = replay.close(until)
    const { listed, speaking } = listedOf(incidents)
    const about = listed.flatMap(({ said }) => said.map(({ fact }) => fact))
    const [surroundings, issues] = await Promise.all([
      readSurroundings(ledger, about),
      nameIssues(
        ledger,
        organizationId,
        about.map(({ issueId }) => issueId),
      ),
    ])
    const numbered = incidents.flatMap(({ said }) => said.filter(({ told }) => told.number !== null))
    const isFirst = [
      ...numbered.map(({ stage }) => stage === 'first' || stage === 'single'),
      ...summaries.map(({ isOver }) => !isOver),
    ]
    const hourOf = hourIn(timezone)
    const steps = stepsBetween(from, until)
    return {
      from: toDate(steps.from),
      to: toDate(until),
      interval: steps.stepMs / 1000,
      unit: '',
      series: seriesOf(matched, steps),
      groups: 1,
      band: null,
      limit: null,
      ladder: [],
      firings: listed.flatMap((incident) => firingOf(incident, request, surroundings, issues, speaking.has(incident))),
      incidents: incidents.length,
      messages,
      atNight: [...numbered, ...summaries].filter(({ at }) => isNight(hourOf(at))).length,
      first: isFirst.filter(Boolean).length,
      updates: isFirst.filter((one) => !one).length,
      evaluations,
      rows: read.length,
      milliseconds: Math.round(performance.now() - begun),
      sampled: sampledOf(facts[0], read.length <= LIMITS.DRY_RUN_FACTS, request),
      missing: [MISSING, ...(isSkipped ? [SKIPPED] : []), ...(held > 0 ? [HELD] : [])],
      learning: null,
    }
  }
