import type { ClickHouseClient } from '@clickhouse/client'
import type { FeedbackVerdict, LedgerFeedback } from '../../src/feedback/feedback.store.ts'
import { applyReports } from '../../src/feedback/ledger/apply-reports.ts'
import type { OutcomeRow, SpoolPosition } from '../../src/ingest/index.ts'
import type { LedgerPart } from '../../src/ingest/digest/digest-ledger.ts'
import type { LedgerWork } from '../../src/ingest/index.ts'
import type { EventRow, EventToStore, StoredEvent } from '../../src/issues/events.store.ts'
import type { LedgerEvent, LedgerVerdict } from '../../src/issues/issues.store.ts'
import { applyEvents } from '../../src/issues/ledger/apply-events.ts'
import { createEventRows } from '../../src/issues/telemetry/event-rows.ts'
import { KEPT_ITEMS } from '../../src/kept-items/kept-item-row.ts'
import type { KeptItem } from '../../src/kept-items/kept-item.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Logger } from '../../src/lib/logger.ts'
import { createOutcomeRows } from '../../src/receipts/outcome-rows.ts'
import type { Ledger } from '../../src/storage/index.ts'
import { createDigestLedger } from '../../src/storage/ledger/digest-ledger.ts'
import { noteBlobs } from '../../src/storage/ledger/note-blobs.ts'
import type { LedgerBlob } from '../../src/storage/ledger/note-blobs.ts'
import { createRowWriter } from '../../src/storage/telemetry/row-writer.ts'

/** Whole batches of events, reports and kept items for tests of single stores, written as the digest writes them. */

export interface LedgerBatch {
  readonly spool: string
  readonly number: number
  readonly end: SpoolPosition
  readonly events: readonly LedgerEvent[]
  readonly blobs: readonly LedgerBlob[]
  readonly feedback?: readonly LedgerFeedback[]
}

export interface LedgerResult {
  readonly events: readonly LedgerVerdict[]
  readonly feedback: readonly FeedbackVerdict[]
}

export interface IssueStore {
  apply(batch: LedgerBatch): Promise<LedgerResult>
  settle(spool: string, batch: number): Promise<void>
  progress(spool: string): ReturnType<ReturnType<typeof createDigestLedger>['progress']>
}

export const createIssueStore = ({ ledger, clock }: { ledger: Ledger; clock: Clock }): IssueStore => {
  const digest = createDigestLedger({ ledger, clock })
  return {
    ...digest,
    apply: async ({ events, feedback = [], blobs, ...batch }) => {
      let result: LedgerResult = { events: [], feedback: [] }
      const part: LedgerPart = async (work: LedgerWork) => {
        result = { events: await applyEvents(work, events), feedback: await applyReports(work, feedback) }
        if (!work.isRepeated) await noteBlobs(work.transaction, blobs)
        return []
      }
      await digest.apply({ ...batch, waitingTypes: [], parts: [part] })
      return result
    },
  }
}

export interface RefusedRows {
  readonly events: ReadonlyMap<number, string>
  readonly keptItems: ReadonlyMap<number, string>
}

export interface TelemetryBatch {
  readonly token: string
  readonly events: readonly StoredEvent[]
  readonly keptItems: readonly KeptItem[]
  readonly outcomes: (refused: RefusedRows) => readonly OutcomeRow[]
}

export interface TelemetryStore {
  encode(event: EventToStore): EventRow
  write(batch: TelemetryBatch, again?: boolean): Promise<RefusedRows>
}

export const createTelemetryStore = (parts: {
  readonly client: ClickHouseClient
  readonly logger?: Pick<Logger, 'warn'>
}): TelemetryStore => {
  const writer = createRowWriter(parts)
  const rows = createEventRows(writer)
  const outcomeRows = createOutcomeRows(writer)
  return {
    encode: (event) => rows.encode(event),
    write: async ({ token, events, keptItems, outcomes }, again = false) => {
      const to = { token, again }
      const [ofEvents, ofItems] = await Promise.all([
        rows.write(events, to),
        writer.insertRows(KEPT_ITEMS, keptItems, to),
      ])
      const refused = { events: ofEvents, keptItems: ofItems }
      await outcomeRows.write(outcomes(refused), token)
      return refused
    },
  }
}
