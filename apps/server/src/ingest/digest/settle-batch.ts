import type { FeedbackVerdict } from '../../feedback/feedback.store.ts'
import type { KeptItem, StoredEvent, TelemetryBatch } from '../../issues/events.store.ts'
import type { LedgerResult, LedgerVerdict } from '../../issues/issues.store.ts'
import { LIMITS } from '../../limits.ts'
import type { DigestItem, Outcome } from '../road.ts'
import type { Kept } from './keep.ts'
import { createOutcomeTally } from './outcome-tally.ts'
import { itemOutcome } from './prepare-batch.ts'
import type { PreparedBatch } from './prepare-batch.ts'

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

/** Rows for telemetry, after the ledger has decided about every event. */
export const telemetryRows = (
  token: string,
  batch: PreparedBatch,
  kept: Kept,
  result: LedgerResult,
): TelemetryBatch => {
  const verdicts = verdictsOf(batch, result)
  const tally = createOutcomeTally()
  for (const row of batch.outcomes.rows()) tally.add(row)
  const events: StoredEvent[] = []
  batch.events.forEach((event, index) => {
    const verdict = verdicts[index]
    if (verdict === undefined) return
    tally.add(itemOutcome(event.item, outcomeOf(verdict)))
    if (verdict.kind !== 'stored') return
    const { organizationId, projectId } = event.item.sender
    events.push({ organizationId, projectId, issueId: verdict.issueId, row: event.row })
  })
  const reports = result.feedback ?? []
  if (reports.length !== batch.feedback.length) {
    throw new Error(`The ledger answered for ${reports.length} reports, but was given ${batch.feedback.length}.`)
  }
  batch.feedback.forEach(({ item }, index) => {
    const verdict = reports[index]
    if (verdict !== undefined) tally.add(itemOutcome(item, outcomeOfReport(verdict)))
  })
  const keptItems: KeptItem[] = []
  batch.kept.forEach((entry, index) => {
    const row = kept.items[index]
    if (row === undefined) return
    const report = entry.report === null ? undefined : reports[entry.report]
    if (report !== undefined) {
      tally.add(itemOutcome(entry.item, outcomeOfReport(report)))
      if (report.kind === 'stored') keptItems.push(row)
      return
    }
    const verdict = entry.owner === null ? undefined : verdicts[entry.owner]
    if (verdict !== undefined) tally.add(itemOutcome(entry.item, outcomeOf(verdict)))
    if (verdict === undefined || verdict.kind === 'stored') keptItems.push(row)
  })
  return { token, events, outcomes: tally.rows(), keptItems }
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
