import type { ApiEvent } from '@firsthand/contract'

/** A transaction that became slower, as the evidence says it. */
export interface SlowdownView {
  readonly title: string
  /** The rule by which it was found. */
  readonly rule: string
  readonly transaction: string
  readonly op: string
  /** Milliseconds. */
  readonly before: number
  readonly after: number
  readonly samplesBefore: number
  readonly samplesAfter: number
  /** Milliseconds since the epoch: what it is compared with began, it became slower, it was looked at. */
  readonly comparedFrom: number
  readonly since: number
  readonly until: number
}

/** Null for what is none: an error, or a problem that spans show. */
export function readSlowdown(occurrence: ApiEvent['occurrence']): SlowdownView | null {
  const evidence = occurrence?.evidenceData
  if (occurrence === null || evidence === undefined) return null
  const numberOf = (name: string): number => (typeof evidence[name] === 'number' ? evidence[name] : NaN)
  const numbers = {
    before: numberOf('p95Before'),
    after: numberOf('p95After'),
    samplesBefore: numberOf('samplesBefore'),
    samplesAfter: numberOf('samplesAfter'),
    comparedFrom: numberOf('comparedFrom'),
    since: numberOf('slowSince'),
    until: numberOf('slowUntil'),
  }
  if (!Object.values(numbers).every(isFinite)) return null
  return {
    title: occurrence.issueTitle,
    rule: textOf(evidence['rule']),
    transaction: textOf(evidence['transactionName']),
    op: textOf(evidence['op']),
    ...numbers,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** `2.3 times as long`; nothing for what took no time before. */
export function timesAsLong({ before, after }: SlowdownView): string {
  return before <= 0 ? '' : `${(after / before).toFixed(1).replace(/\.0$/, '')} times as long`
}

/** Where its p95 is seen over that time, as the parts of a link. */
export function timeOf({ comparedFrom, op, transaction, until }: SlowdownView, projectId: string) {
  return {
    transaction,
    ...(op !== '' && { op }),
    project: [projectId],
    start: new Date(comparedFrom).toISOString(),
    end: new Date(until).toISOString(),
  }
}
