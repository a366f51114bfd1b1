import { hash } from 'node:crypto'
import type { Occurrence } from '../event/event.ts'
import type { Submission } from '../ingest/index.ts'
import { cut, tenth } from './evidence.ts'
import { shownMs } from './finding.ts'
import type { Sender } from './left-out.ts'
import { LIMITS } from './limits.ts'
import { HOUR_MS, SLOWDOWN, type Slowdown } from './slowdown.ts'

/** What is shown of a transaction that became slower, and kept with its event. */

export interface SlowerTransaction extends Slowdown {
  readonly transaction: string
  readonly op: string
  /** 32 hex characters: the same for the same transaction. */
  readonly fingerprint: string
}

export const fingerprintOf = ({ op, transaction }: Pick<SlowerTransaction, 'op' | 'transaction'>): string =>
  hash('md5', [SLOWDOWN.type, op, transaction].join('\0'))

const instant = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const occurrenceOf = (found: SlowerTransaction): Occurrence => {
  const { after, before, fingerprint, op, samplesAfter, samplesBefore, since, transaction, until } = found
  const change = `from ${shownMs(before)} to ${shownMs(after)}`
  const hours = (until - since) / HOUR_MS
  const sentence = `Its p95 went ${change} at ${instant(since)}.`
  return {
    type: SLOWDOWN.type,
    typeId: SLOWDOWN.typeId,
    category: 'performance',
    title: SLOWDOWN.title,
    subtitle: `p95 went ${change} in ${cut(transaction, LIMITS.FINDING_TEXT_CHARS)}`,
    fingerprint: [fingerprint],
    evidence: {
      detector: SLOWDOWN.id,
      rule: SLOWDOWN.rule,
      sentence,
      transactionName: transaction,
      op,
      p95Before: tenth(before),
      p95After: tenth(after),
      samplesBefore,
      samplesAfter,
      // Milliseconds since the epoch: what was compared, and where it changed.
      comparedFrom: since - LIMITS.SLOWDOWN_BEFORE_HOURS * HOUR_MS,
      slowSince: since,
      slowUntil: until,
      // The same by Sentry's names; seconds.
      transaction,
      breakpoint: since / 1000,
      aggregateRange1: tenth(before),
      aggregateRange2: tenth(after),
      trendDifference: tenth(after - before),
      trendPercentage: before > 0 ? after / before : 0,
    },
    evidenceDisplay: [
      { name: 'Finding', value: sentence, important: true },
      { name: 'Transaction', value: transaction, important: true },
      {
        name: 'Samples',
        value: `${samplesBefore} in the ${LIMITS.SLOWDOWN_BEFORE_HOURS} hours before, ${samplesAfter} in the ${hours} hours since`,
        important: false,
      },
    ],
  }
}

/** The item that opens the issue, or is one more event of it. One change gives the same event, however often it is found. */
export const slowdownSubmission = ({ organizationId, projectId }: Sender, found: SlowerTransaction): Submission => {
  const eventId = hash('md5', `${projectId} ${found.fingerprint} ${found.since}`)
  return {
    organizationId,
    projectId,
    eventId,
    itemType: 'occurrence',
    payload: {
      event_id: eventId,
      // Within the time that its page shows.
      timestamp: (found.until - 1) / 1000,
      platform: 'other',
      level: 'info',
      transaction: found.transaction,
      occurrence: occurrenceOf(found),
    },
  }
}
