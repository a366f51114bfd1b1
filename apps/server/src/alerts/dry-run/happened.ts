import { ALERT_HAPPENINGS, type AlertDryRun } from '@firsthand/contract'
import { factsOfOrganization } from '../../facts/index.ts'
import { isWithin } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { toDate } from '../../lib/instant-text.ts'
import type { Ledger } from '../../storage/index.ts'
import { isHappening, type Happening } from '../happened/happening.ts'
import { judge, type Judgement } from '../happened/judge.ts'
import { headlineOf, messageOf, threadOf } from '../happened/message.ts'
import { endsIncidents } from '../happened/prepare.ts'
import { GOES_ON } from '../happened/speak.ts'
import { readSurroundings, type Surroundings } from '../happened/surroundings.ts'
import { compileRule } from '../known-rules.ts'
import { nameIssues } from '../ledger/history.ts'
import { readNames } from '../ledger/names.ts'
import type { AlertRule } from '../rule.ts'
import type { DryRunRequest } from './dry-run.ts'
import { LIMITS } from '../limits.ts'
import { countOf, stepAt, stepsBetween, type Steps } from './line.ts'
import { shownMessage } from './message-json.ts'
import { hourIn, isNight } from './night.ts'
import { createTelling, type Telling } from './telling.ts'

/**
 * What a rule that waits for something to happen would have said: what was noted is judged again, by the same search and the
 * same conditions. Nothing is sent and nothing is kept.
 */

type Result = Omit<AlertDryRun, 'receivers'> & { readonly first: number; readonly updates: number }

/** One message, or one that was held back. */
interface Said {
  readonly fact: Happening
  readonly stage: 'first' | 'update' | 'over' | 'single'
  readonly judgement: Judgement | null
  readonly told: Telling
}

/** All that was said of one thing until it was over. */
interface Incident {
  readonly said: Said[]
  until: number | null
}

interface Open {
  readonly incident: Incident
  toldAt: number | null
}

const MINUTE_MS = 60_000

const STILL = (minutes: number): Telling => ({
  decision: 'still',
  reason: 'frequency',
  sentence: `It is told every ${minutes} minutes at most.`,
  number: null,
  isGathered: false,
})

/** In order of time: which incidents there would have been, and what would have been said of each. */
const createReplay = (rule: AlertRule) => {
  const telling = createTelling(rule)
  const open = new Map<string, Open>()
  const incidents: Incident[] = []
  const { frequencyMinutes } = rule.draft

  const begin = (subject: string, goesOn: boolean): Open => {
    const begun: Open = { incident: { said: [], until: null }, toldAt: null }
    incidents.push(begun.incident)
    if (goesOn) open.set(subject, begun)
    return begun
  }

  return {
    /** A person resolved or archived it. */
    end: (fact: Happening): void => {
      const subject = threadOf(fact)
      const known = open.get(subject)
      if (known === undefined) return
      open.delete(subject)
      known.incident.until = fact.receivedAt
      const told = telling.hear({ at: fact.receivedAt, subject, step: 'over', isWorse: false })
      if (known.toldAt !== null) known.incident.said.push({ fact, stage: 'over', judgement: null, told })
    },
    hear: (fact: Happening, judgement: Judgement): void => {
      const subject = threadOf(fact)
      const goesOn = GOES_ON.has(fact.kind)
      const at = fact.receivedAt
      const known = open.get(subject)
      if (judgement.decision === 'held') {
        const told: Telling = { ...judgement, number: null, isGathered: false }
        ;(known ?? begin(subject, false)).incident.said.push({ fact, stage: 'single', judgement, told })
        return
      }
      const isAgain = known !== undefined && goesOn
      const stage = goesOn ? (isAgain ? 'update' : 'first') : 'single'
      const one = isAgain ? known : begin(subject, goesOn)
      const toldAt = known?.toldAt ?? null
      const told =
        isAgain && toldAt !== null && frequencyMinutes > 0 && isWithin(toldAt, frequencyMinutes * MINUTE_MS, at)
          ? STILL(frequencyMinutes)
          : telling.hear({ at, subject, step: stage, isWorse: false })
      if (told.number !== null || told.isGathered) one.toldAt = at
      one.incident.said.push({ fact, stage, judgement, told })
    },
    close: (at: number) => ({ incidents, messages: telling.end(at).messages }),
  }
}

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
  const { fact, judgement, told } = first
  const why = told.sentence ?? judgement?.sentence ?? ''
  const messages = said.filter((one) => one.told.number !== null)
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
      sentence: `${headlineOf(fact, surroundings)}. ${why}`,
      messages: !hasMessages
        ? []
        : messages.map(({ fact: about, stage }) => {
            const snooze = `/organizations/${request.slug}/alerts`
            const message = messageOf({ fact: about, rule: request.rule, stage, surroundings, snooze })
            return shownMessage(message, about.receivedAt, request.render)
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
      kinds: ALERT_HAPPENINGS.filter((kind) => compiled.kinds.has(kind) || endsIncidents(kind)),
      from,
      until,
      limit: LIMITS.DRY_RUN_FACTS + 1,
    })
    const facts = read.slice(-LIMITS.DRY_RUN_FACTS).filter(isHappening)
    const dated = rule.draft.query.includes('latest') ? await readSurroundings(ledger, facts) : null
    const replay = createReplay(rule)
    const matched: Happening[] = []
    let evaluations = 0
    for (const fact of facts) {
      if (endsIncidents(fact.kind)) replay.end(fact)
      if (!compiled.kinds.has(fact.kind)) continue
      evaluations += 1
      const latestRelease = dated?.latestRelease(fact.projectId, fact.receivedAt) ?? null
      const judgement = judge(compiled, { fact, latestRelease })
      if (judgement.decision !== 'fired' && judgement.decision !== 'held') continue
      matched.push(fact)
      replay.hear(fact, judgement)
    }
    const { incidents, messages } = replay.close(until)
    const listed = incidents.slice(-LIMITS.DRY_RUN_FIRINGS)
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
      firings: listed.flatMap((incident, place) =>
        firingOf(incident, request, surroundings, issues, listed.length - place <= LIMITS.DRY_RUN_MESSAGES),
      ),
      incidents: incidents.length,
      messages,
      atNight: numbered.filter(({ fact }) => isNight(hourOf(fact.receivedAt))).length,
      first: numbered.filter(({ stage }) => stage === 'first' || stage === 'single').length,
      updates: numbered.filter(({ stage }) => stage === 'update' || stage === 'over').length,
      evaluations,
      rows: read.length,
      milliseconds: Math.round(performance.now() - begun),
      sampled: sampledOf(facts[0], read.length <= LIMITS.DRY_RUN_FACTS, request),
      missing: [MISSING],
      learning: null,
    }
  }
