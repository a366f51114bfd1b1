import type { JsonObject, Occurrence } from '../event/event.ts'
import { OFFENDING_SPANS } from '../event/index.ts'
import type { Submission } from '../ingest/index.ts'
import { shownMs } from './finding.ts'
import type { Finding } from './find.ts'
import { LIMITS } from './limits.ts'
import type { Segment, SegmentSpan } from './segment.ts'

/** What is shown of a finding, and kept with its event. */

export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`

export const tenth = (value: number): number => Math.round(value * 10) / 10

export const occurrenceOf = (finding: Finding): Occurrence => {
  const { detector, fingerprint, sentence, text } = finding
  return {
    type: detector.type,
    typeId: detector.typeId,
    category: 'performance',
    title: detector.title,
    subtitle: cut(text, LIMITS.FINDING_TEXT_CHARS),
    fingerprint: [fingerprint],
    evidence: evidenceOf(finding),
    evidenceDisplay: [
      { name: 'Finding', value: sentence, important: true },
      { name: 'Transaction', value: finding.segment.transaction, important: true },
      { name: 'Offending Spans', value: cut(text, LIMITS.FINDING_TEXT_CHARS), important: true },
      { name: 'Potential saving', value: `${shownMs(finding.saved)}: ${finding.formula}`, important: false },
    ],
  }
}

/** Sentry's names where it has them, ours beside. */
const evidenceOf = ({
  cause,
  detector,
  formula,
  offenders,
  parent,
  saved,
  segment,
  sentence,
  text,
}: Finding): JsonObject => {
  const at = (places: readonly (number | undefined)[]): SegmentSpan[] =>
    places.flatMap((place) => (place === undefined ? [] : (segment.spans[place] ?? [])))
  const idsOf = (spans: readonly SegmentSpan[]): string[] =>
    spans.slice(0, LIMITS.FINDING_SPANS_NAMED).map(({ id }) => id)
  const [parents, causes, spans] = [at([parent]), at([cause]), at(offenders)]
  return {
    detector: detector.id,
    rule: detector.rule,
    sentence,
    formula,
    saved: tenth(saved),
    traceId: segment.traceId,
    segmentId: segment.id,
    op: segment.op,
    transactionName: segment.transaction,
    transactionDuration: tenth(segment.duration / 1000),
    parentSpanIds: idsOf(parents),
    causeSpanIds: idsOf(causes),
    [OFFENDING_SPANS]: idsOf(spans),
    numberRepeatingSpans: String(spans.length),
    repeatingSpansCompact: [cut(text, LIMITS.FINDING_TEXT_CHARS)],
    spans: [
      ...parents.map(shownAs('parent', segment)),
      ...causes.map(shownAs('cause', segment)),
      ...spans.slice(0, LIMITS.FINDING_SPANS_SHOWN).map(shownAs('offender', segment)),
    ],
  }
}

const shownAs =
  (role: string, segment: Segment) =>
  ({ id, op, name, text, start, duration }: SegmentSpan): JsonObject => ({
    role,
    id,
    op,
    text: cut(name === '' ? text : name, LIMITS.FINDING_TEXT_CHARS),
    /** Milliseconds after its transaction began. */
    start: tenth((start - segment.start) / 1000),
    duration: tenth(duration / 1000),
  })

/** The item that opens the issue, or is one more event of it. */
export const submissionOf = (finding: Finding): Submission => {
  const { eventId, offenders, parent, segment } = finding
  const { environment, platform, release, transaction } = segment
  const span = segment.spans[parent ?? offenders[0] ?? 0]
  return {
    organizationId: segment.organizationId,
    projectId: segment.projectId,
    eventId,
    itemType: 'occurrence',
    payload: {
      event_id: eventId,
      timestamp: (segment.start + segment.duration) / 1_000_000,
      platform: platform === '' ? 'other' : platform,
      level: 'info',
      transaction,
      ...(environment === '' ? {} : { environment }),
      ...(release === '' ? {} : { release }),
      contexts: { trace: { trace_id: segment.traceId, span_id: span?.id ?? segment.id, op: segment.op } },
      occurrence: occurrenceOf(finding),
    },
  }
}
