import type { Submission } from '../ingest/index.ts'
import type { Clock } from '../lib/clock.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { createSlices } from '../lib/sliced-work.ts'
import { submissionOf } from './evidence.ts'
import { findSteps, type Finding } from './find.ts'
import type { FindingSettingsStore } from './ledger/finding-settings.ts'
import type { Sightings } from './ledger/sightings.ts'
import { LIMITS } from './limits.ts'
import { mayHaveFinding, needsOf, type LeastSums } from './needs.ts'
import { segmentSteps } from './segment.ts'
import type { TracedSpans } from './telemetry/traced-spans.ts'
import { createWaitingTraces, keyOf, type WaitingTrace } from './waiting-traces.ts'

const MINUTE_MS = 60_000

/**
 * Looks at traces once nothing more came of them for a while. What waits is in memory: after a stop it is not looked at any
 * more, because a problem that matters comes again. Looked at twice, a segment gives the same events, which are stored once.
 */
export const createLook = (parts: {
  readonly spans: TracedSpans
  readonly settings: Pick<FindingSettingsStore, 'of'>
  readonly sightings: Pick<Sightings, 'add'>
  readonly submit: (submission: Submission) => Promise<void>
  readonly clock: Clock
}) => {
  const { clock, settings, sightings, spans, submit } = parts
  const waiting = createWaitingTraces(clock)
  /** What was counted already, by id of its event. */
  const counted = new RecentMap<string, true>(LIMITS.FINDING_TRACES_WAITING)
  const mayBeSubmitted = createPace()

  const raise = async (projectId: number, findings: readonly Finding[], now: number): Promise<void> => {
    const fresh = findings.filter(({ eventId }) => counted.get(eventId) === undefined)
    if (fresh.length === 0) return
    const problems = [...Map.groupBy(fresh, ({ fingerprint }) => fingerprint)].slice(
      0,
      LIMITS.FINDING_PROBLEMS_PER_LOOK,
    )
    const seen = problems.flatMap(([fingerprint, own]) =>
      own.slice(0, 1).map(({ detector, seen: least }) => ({
        fingerprint,
        detector: detector.id,
        seen: least,
        times: own.length,
      })),
    )
    const issues = await sightings.add(projectId, seen, now)
    for (const finding of fresh) {
      counted.set(finding.eventId, true)
      if (issues.has(finding.fingerprint) && mayBeSubmitted(finding, now)) await submit(submissionOf(finding))
    }
  }

  /** What is due and may have a finding: a part of it, when there is much. The rest of what is due goes. */
  const takeWorth = async (now: number): Promise<WaitingTrace[]> => {
    const needs = new Map<number, readonly LeastSums[]>()
    const worth: WaitingTrace[] = []
    for (const entry of waiting.due(now)) {
      if (worth.length >= LIMITS.FINDING_TRACES_PER_LOOK) break
      const { projectId, news } = entry
      const own = needs.get(projectId) ?? needsOf(await settings.of(projectId))
      needs.set(projectId, own)
      if (waiting.take(entry) && mayHaveFinding(news, own)) worth.push(entry)
    }
    return worth
  }

  const lookAt = async (worth: readonly WaitingTrace[], now: number): Promise<void> => {
    const since = now - LIMITS.FINDING_SEEN_HOURS * 3_600_000
    const byTrace = Map.groupBy(await spans.load(worth, since), keyOf)
    const inSlices = createSlices(LIMITS.FINDING_SLICE_MS)
    for (const [projectId, entries] of Map.groupBy(worth, (entry) => entry.projectId)) {
      const own = await settings.of(projectId)
      const findings: Finding[] = []
      for (const entry of entries) {
        const isLast = now >= entry.firstAt + LIMITS.FINDING_ROOT_WAIT_MS
        for (const segment of await inSlices(segmentSteps(byTrace.get(keyOf(entry)) ?? []))) {
          const hasRoot = segment.spans.some(({ id }) => id === segment.id)
          if (hasRoot || isLast) findings.push(...(await inSlices(findSteps(segment, own))))
          else waiting.add({ ...entry, dueAt: entry.firstAt + LIMITS.FINDING_ROOT_WAIT_MS })
        }
      }
      await raise(projectId, findings, now)
    }
  }

  let rest = { from: 0, until: 0 }
  return {
    hear: waiting.hear,
    /** Traces that lately gave way and were not looked at. */
    leftOut: waiting.leftOut,

    /**
     * Looks at a part of what waited long enough; the next look takes more. To read spans again costs more than to store
     * them: in a flood there is a rest after each look, the oldest of those that wait give way, and problems that matter
     * come again.
     */
    run: async (): Promise<void> => {
      const now = clock.now()
      // A clock that was put back is in no rest.
      if (now >= rest.from && now < rest.until) return
      const worth = await takeWorth(now)
      if (worth.length === 0) return
      await lookAt(worth, now)
      const end = clock.now()
      const isAll = worth.length < LIMITS.FINDING_TRACES_PER_LOOK
      rest = { from: end, until: isAll ? end : end + (end - now) * LIMITS.FINDING_REST_TIMES }
    },
  }
}

/** Several of one problem in one minute are enough to look at. */
const createPace = () => {
  const submitted = new RecentMap<string, { readonly minute: number; readonly events: number }>(
    LIMITS.FINDING_SIGHTINGS,
  )
  return (finding: Finding, now: number): boolean => {
    const key = `${finding.segment.projectId} ${finding.fingerprint}`
    const minute = Math.floor(now / MINUTE_MS)
    const before = submitted.get(key)
    const events = before?.minute === minute ? before.events + 1 : 1
    submitted.set(key, { minute, events })
    return events <= LIMITS.FINDING_EVENTS_PER_MINUTE
  }
}
