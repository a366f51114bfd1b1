import type { FindingTrial } from '@firsthand/contract'
import { createSlices, type Steps } from '../lib/sliced-work.ts'
import { DETECTORS } from './detectors/index.ts'
import { findSteps, type Finding } from './find.ts'
import { LIMITS } from './limits.ts'
import { needsOf } from './needs.ts'
import { segmentSteps, type StoredSpan } from './segment.ts'
import type { FindingSettings } from './settings.ts'
import { readApart } from './telemetry/read-apart.ts'
import type { TracedSpans } from './telemetry/traced-spans.ts'

interface Found {
  readonly first: Finding
  occurrences: number
  readonly inTraces: Set<string>
}

const isIssue = ({ first, inTraces }: Pick<Found, 'first' | 'inTraces'>): boolean => inTraces.size >= first.seen

/** What the settings would have found lately: by the same rules, and counted in the same way, as when spans come. */
export const tryOut = async (
  spans: TracedSpans,
  projectId: number,
  settings: FindingSettings,
  now: number,
): Promise<FindingTrial> => {
  const since = now - LIMITS.FINDING_TRIAL_HOURS * 3_600_000
  const candidates = await spans.candidates(projectId, needsOf(settings), since, LIMITS.FINDING_TRIAL_TRACES)
  const traces = candidates.slice(0, LIMITS.FINDING_TRIAL_TRACES).map((traceId) => ({ projectId, traceId }))
  const found = new Map<string, Found>()
  const inSlices = createSlices(LIMITS.FINDING_SLICE_MS)
  let unread = 0
  for (let from = 0; from < traces.length; from += LIMITS.FINDING_TRACES_PER_LOOK) {
    for await (const part of readApart(spans, traces.slice(from, from + LIMITS.FINDING_TRACES_PER_LOOK), since)) {
      if (part.spans === null) unread += part.traces.length
      for (const own of Map.groupBy(part.spans ?? [], ({ traceId }) => traceId).values()) {
        for (const finding of await inSlices(allSteps(own, settings))) {
          const known = found.get(finding.fingerprint) ?? { first: finding, occurrences: 0, inTraces: new Set() }
          found.set(finding.fingerprint, known)
          known.occurrences += 1
          known.inTraces.add(finding.segment.traceId)
        }
      }
    }
  }
  const problems = [...found.values()].toSorted((one, other) => other.occurrences - one.occurrences)
  return {
    traces: traces.length - unread,
    truncated: candidates.length > traces.length || unread > 0,
    detectors: DETECTORS.map(({ id }) => {
      const own = problems.filter(({ first }) => first.detector.id === id)
      return {
        id,
        occurrences: own.reduce((sum, { occurrences }) => sum + occurrences, 0),
        problems: own.length,
        issues: own.filter(isIssue).length,
      }
    }),
    examples: problems.slice(0, LIMITS.FINDING_TRIAL_EXAMPLES).map(({ first, occurrences, inTraces }) => ({
      detector: first.detector.id,
      title: first.detector.title,
      text: first.text.slice(0, LIMITS.FINDING_TEXT_CHARS),
      sentence: first.sentence,
      transaction: first.segment.transaction,
      occurrences,
      isIssue: isIssue({ first, inTraces }),
      traceId: first.segment.traceId,
    })),
  }
}

const allSteps = function* (trace: readonly StoredSpan[], settings: FindingSettings): Steps<readonly Finding[]> {
  const findings: Finding[] = []
  for (const segment of yield* segmentSteps(trace)) findings.push(...(yield* findSteps(segment, settings)))
  return findings
}
