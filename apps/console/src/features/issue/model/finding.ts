import type { ApiEvent } from '@firsthand/contract'
import { readSlowdown } from './slowdown.ts'

/** A problem that spans show, as its evidence says it. */
export interface FindingView {
  readonly title: string
  readonly sentence: string
  /** The rule by which it was found. */
  readonly rule: string
  /** What is wrong, without values. */
  readonly text: string
  readonly count: number
  /** Milliseconds. */
  readonly saved: number
  readonly formula: string
  readonly transaction: string
  readonly transactionMs: number
  readonly spans: readonly FindingSpan[]
}

export interface FindingSpan {
  readonly id: string
  readonly role: 'parent' | 'cause' | 'offender'
  readonly op: string
  readonly text: string
  /** Milliseconds after its transaction began. */
  readonly start: number
  readonly duration: number
}

export const ROLES: Readonly<Record<FindingSpan['role'], string>> = {
  parent: 'below',
  cause: 'after',
  offender: '',
}

/** Null for what no spans show: an error, what a visitor said, or a transaction that became slower. */
export function readFinding(occurrence: ApiEvent['occurrence']): FindingView | null {
  const evidence = occurrence?.evidenceData
  if (occurrence === null || evidence === undefined || typeof evidence['sentence'] !== 'string') return null
  if (readSlowdown(occurrence) !== null) return null
  const [text] = listOf(evidence['repeatingSpansCompact'])
  return {
    title: occurrence.issueTitle,
    sentence: evidence['sentence'],
    rule: textOf(evidence['rule']),
    text: textOf(text) || occurrence.subtitle,
    count: numberOf(evidence['numberRepeatingSpans']),
    saved: numberOf(evidence['saved']),
    formula: textOf(evidence['formula']),
    transaction: textOf(evidence['transactionName']),
    transactionMs: numberOf(evidence['transactionDuration']),
    spans: listOf(evidence['spans']).flatMap(readSpan),
  }
}

function readSpan(value: unknown): readonly FindingSpan[] {
  if (typeof value !== 'object' || value === null) return []
  const { duration, id, op, role, start, text } = value as Readonly<Record<string, unknown>>
  return [
    {
      id: textOf(id),
      role: role === 'parent' || role === 'cause' ? role : 'offender',
      op: textOf(op),
      text: textOf(text),
      start: numberOf(start),
      duration: numberOf(duration),
    },
  ]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function numberOf(value: unknown): number {
  const number = Number(value)
  return Number.isFinite(number) ? number : 0
}

/** Where a span lies in its transaction, as shares of it. */
export function placeOf(
  { start, duration }: FindingSpan,
  { transactionMs }: FindingView,
): { readonly left: number; readonly width: number } {
  if (transactionMs <= 0) return { left: 0, width: 0 }
  const left = Math.min(Math.max(start / transactionMs, 0), 1)
  return { left, width: Math.min(Math.max(duration / transactionMs, 0), 1 - left) }
}
