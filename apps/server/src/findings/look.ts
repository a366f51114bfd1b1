import type { Submission } from '../ingest/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { createSlices } from '../lib/sliced-work.ts'
import { findSteps, type Finding } from './find.ts'
import type { FindingSettingsStore } from './ledger/finding-settings.ts'
import type { Sightings } from './ledger/sightings.ts'
import { LIMITS } from './limits.ts'
import { mayHaveFinding, needsOf, type LeastSums } from './needs.ts'
import { createRaise } from './raise.ts'
import { segmentSteps, type StoredSpan } from './segment.ts'
import { readApart } from './telemetry/read-apart.ts'
import type { TracedSpans } from './telemetry/traced-spans.ts'
import { createWaitingTraces, keyOf, type WaitingTrace } from './waiting-traces.ts'

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
  readonly logger: Logger
}) => {
  const { clock, settings, sightings, spans, submit } = parts
  const waiting = createWaitingTraces(clock)
  const raise = createRaise({ sightings, submit, logger: parts.logger })

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

  const lookAt = async (traces: readonly WaitingTrace[], read: readonly StoredSpan[], now: number): Promise<void> => {
    const byTrace = Map.groupBy(read, keyOf)
    const inSlices = createSlices(LIMITS.FINDING_SLICE_MS)
    for (const [projectId, entries] of Map.groupBy(traces, (entry) => entry.projectId)) {
      const [first] = entries
      if (first === undefined) continue
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
      waiting.leaveOut(first, await raise(projectId, findings, now))
    }
  }

  /** While the store does not answer, what was not looked at goes on waiting. */
  const lookAtAll = async (worth: readonly WaitingTrace[], now: number): Promise<void> => {
    const since = now - LIMITS.FINDING_SEEN_HOURS * 3_600_000
    const left = new Set(worth)
    try {
      for await (const { traces, spans: read } of readApart(spans, worth, since)) {
        const isAll = read !== null && read.length < LIMITS.FINDING_SPANS
        if (!isAll) for (const entry of traces) waiting.leaveOut(entry, 1)
        if (read !== null) await lookAt(traces, read, now)
        for (const entry of traces) left.delete(entry)
      }
    } catch (error) {
      for (const entry of left) waiting.putBack(entry)
      throw error
    }
  }

  let rest = { from: 0, until: 0 }
  return {
    hear: waiting.hear,
    /** Traces of which lately not all was looked at, by organisation. */
    leftOut: waiting.leftOut,

    /**
     * Looks at a part of what waited long enough; the next look takes more. To read spans again costs more than to store
     * them: in a flood there is a rest after each look, of those that wait some give way, and problems that matter come again.
     */
    run: async (): Promise<void> => {
      const now = clock.now()
      // A clock that was put back is in no rest.
      if (now >= rest.from && now < rest.until) return
      const worth = await takeWorth(now)
      if (worth.length === 0) return
      await lookAtAll(worth, now)
      const end = clock.now()
      const isAll = worth.length < LIMITS.FINDING_TRACES_PER_LOOK
      rest = { from: end, until: isAll ? end : end + (end - now) * LIMITS.FINDING_REST_TIMES }
    },
  }
}
