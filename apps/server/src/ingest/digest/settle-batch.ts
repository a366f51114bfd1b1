import type { FeedbackVerdict } from '../../feedback/feedback.store.ts'
import type { KeptItem, RefusedRows, StoredEvent, TelemetryBatch } from '../../issues/events.store.ts'
import type { LedgerResult, LedgerVerdict } from '../../issues/issues.store.ts'
import { LIMITS } from '../../limits.ts'
import type { DigestItem, Outcome } from '../road.ts'
import type { Kept } from './keep.ts'
import { createOutcomeTally, type OutcomeTally } from './outcome-tally.ts'
import { itemOutcome } from './prepare-batch.ts'
import type { PoisonItem, PreparedBatch } from './prepare-batch.ts'

/** What a settled batch changed in one project: posted to the main thread for live updates. */
export interface SettledFacts {
  readonly organizationId: number
  readonly projectId: number
  /** Issues that got an event. */
  readonly issueIds: readonly number[]
  readonly opened: readonly number[]
  readonly regressed: readonly number[]
  /** At most `FACT_EVENTS`, the newest. */
  readonly events: readonly { readonly projectId: number; readonly eventId: string; readonly issueId: number }[]
  /** Reports of visitors. */
  readonly reports: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What goes to telemetry, and the items behind it. */
interface SettledRows {
  readonly events: readonly StoredEvent[]
  readonly keptItems: readonly KeptItem[]
  readonly outcomes: OutcomeTally
  /** Items whose rows telemetry refused, with its reason. */
  readonly refused: readonly PoisonItem[]
}

const NONE_REFUSED: RefusedRows = { events: new Map(), keptItems: new Map() }
const INTERNAL_ERROR: Outcome = { kind: 'invalid', reason: 'internal_error' }

const isNone = (refused: RefusedRows): boolean => refused.events.size + refused.keptItems.size === 0

/** Rows for telemetry, after the ledger has decided about every event. */
export const telemetryRows = (
  token: string,
  batch: PreparedBatch,
  kept: Kept,
  result: LedgerResult,
): TelemetryBatch => {
  const whole = settleRows(batch, kept, result, NONE_REFUSED)
  const without = (refused: RefusedRows): SettledRows =>
    isNone(refused) ? whole : settleRows(batch, kept, result, refused)
  return {
    token,
    events: whole.events,
    keptItems: whole.keptItems,
    outcomes: (refused) => without(refused).outcomes.rows(),
  }
}

/** The items whose rows telemetry will never take. */
export const refusedItems = (
  batch: PreparedBatch,
  kept: Kept,
  result: LedgerResult,
  refused: RefusedRows,
): readonly PoisonItem[] => (isNone(refused) ? [] : settleRows(batch, kept, result, refused).refused)

const settleRows = (batch: PreparedBatch, kept: Kept, result: LedgerResult, refused: RefusedRows): SettledRows => {
  const verdicts = verdictsOf(batch, result)
  const outcomes = createOutcomeTally()
  const poison: PoisonItem[] = []
  for (const row of batch.outcomes.rows()) outcomes.add(row)
  /** The row of an item is stored, or refused. */
  const end = (item: DigestItem, outcome: Outcome, id: string, error: string | undefined): void => {
    outcomes.add(itemOutcome(item, error === undefined ? outcome : INTERNAL_ERROR))
    if (error !== undefined) poison.push({ item, id, error })
  }
  const events: StoredEvent[] = []
  batch.events.forEach(({ item, row }, index) => {
    const verdict = verdicts[index]
    if (verdict === undefined) return
    const isStored = verdict.kind === 'stored'
    end(item, outcomeOf(verdict), item.eventId ?? '', isStored ? refused.events.get(events.length) : undefined)
    if (!isStored) return
    const { organizationId, projectId } = item.sender
    events.push({ organizationId, projectId, issueId: verdict.issueId, row })
  })
  const reports = result.feedback ?? []
  if (reports.length !== batch.feedback.length) {
    throw new Error(`The ledger answered for ${reports.length} reports, but was given ${batch.feedback.length}.`)
  }
  batch.feedback.forEach(({ item }, index) => {
    const verdict = reports[index]
    if (verdict !== undefined) outcomes.add(itemOutcome(item, outcomeOfReport(verdict)))
  })
  const keptItems: KeptItem[] = []
  batch.kept.forEach((entry, index) => {
    const row = kept.items[index]
    if (row === undefined) return
    const report = entry.report === null ? undefined : reports[entry.report]
    const event = entry.owner === null ? undefined : verdicts[entry.owner]
    const isStored = (report ?? event ?? { kind: 'stored' }).kind === 'stored'
    const error = isStored ? refused.keptItems.get(keptItems.length) : undefined
    end(entry.item, endOfKept(entry.outcome, report, event), entry.id, error)
    if (isStored) keptItems.push(row)
  })
  return { events, keptItems, outcomes, refused: poison }
}

export const factsOf = (batch: PreparedBatch, result: LedgerResult, at: number): SettledFacts[] => {
  interface Draft {
    readonly organizationId: number
    readonly issueIds: Set<number>
    readonly opened: Set<number>
    readonly regressed: Set<number>
    readonly events: { projectId: number; eventId: string; issueId: number }[]
    reports: number
  }
  const projects = new Map<number, Draft>()
  const draftOf = ({ organizationId, projectId }: DigestItem['sender']): Draft => {
    let draft = projects.get(projectId)
    if (draft === undefined) {
      draft = { organizationId, issueIds: new Set(), opened: new Set(), regressed: new Set(), events: [], reports: 0 }
      projects.set(projectId, draft)
    }
    return draft
  }
  batch.events.forEach(({ item, summary }, index) => {
    const verdict = result.events[index]
    if (verdict?.kind !== 'stored') return
    const { projectId } = item.sender
    const draft = draftOf(item.sender)
    draft.issueIds.add(verdict.issueId)
    if (verdict.opened) draft.opened.add(verdict.issueId)
    if (verdict.regressed) draft.regressed.add(verdict.issueId)
    draft.events.push({ projectId, eventId: summary.event.event_id, issueId: verdict.issueId })
  })
  batch.feedback.forEach(({ item }, index) => {
    if (result.feedback?.[index]?.kind === 'stored') draftOf(item.sender).reports += 1
  })
  return [...projects].map(([projectId, draft]) => ({
    organizationId: draft.organizationId,
    projectId,
    issueIds: [...draft.issueIds],
    opened: [...draft.opened],
    regressed: [...draft.regressed],
    events: draft.events.slice(-LIMITS.FACT_EVENTS),
    reports: draft.reports,
    at,
  }))
}

const verdictsOf = (batch: PreparedBatch, result: LedgerResult): readonly LedgerVerdict[] => {
  if (result.events.length !== batch.events.length) {
    throw new Error(`The ledger answered for ${result.events.length} events, but was given ${batch.events.length}.`)
  }
  return result.events
}

const endOfKept = (own: Outcome, report: FeedbackVerdict | undefined, event: LedgerVerdict | undefined): Outcome => {
  if (report !== undefined) return outcomeOfReport(report)
  return event === undefined ? own : outcomeOf(event)
}

const outcomeOfReport = (verdict: FeedbackVerdict): Outcome => {
  if (verdict.kind === 'stored') return { kind: 'accepted', reason: '' }
  if (verdict.kind === 'duplicate') return { kind: 'duplicate', reason: 'duplicate' }
  return { kind: 'invalid', reason: verdict.reason }
}

const outcomeOf = (verdict: LedgerVerdict): Outcome => {
  if (verdict.kind === 'stored') return { kind: 'accepted', reason: '' }
  if (verdict.kind === 'duplicate') return { kind: 'duplicate', reason: 'duplicate' }
  return { kind: verdict.reason === 'discarded_hash' ? 'filtered' : 'invalid', reason: verdict.reason }
}
