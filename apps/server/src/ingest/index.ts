/** The face of the road: what other slices and compose may see. */
export type {
  AcceptedEnvelope,
  DigestItem,
  Drop,
  Outcome,
  OutcomeKind,
  OutcomeRow,
  RefusedItems,
  Sender,
  SpoolPosition,
  SpoolRecord,
} from './road.ts'

export { fileOf, sizeOf } from './payload-file.ts'
export type { PayloadFile } from './payload-file.ts'

export { openSpool } from './spool/spool.ts'
export type { Spool, SpoolLimits } from './spool/spool.ts'
export type { SpoolPressure } from './spool/spool-health.ts'
export type { SpoolHandle, SpoolReader } from './spool/spool-reader.ts'

export type { Digest, DigestDependencies } from './digest/digest.ts'
export type { Backfill } from './digest/backfill.ts'
export { createBackfillBoard } from './digest/backfill-board.ts'
export type { BackfillBoard } from './digest/backfill-board.ts'
export { createDigestHandle } from './digest/digest-handle.ts'
export type { DigestHandle, ThreadProgress } from './digest/digest-handle.ts'
export type { DigestConfig } from './digest/messages.ts'
export { runDigestWorker } from './digest/run-worker.ts'
export type { ComposeDigest, DigestComposition } from './digest/run-worker.ts'
export type { DigestState } from './digest/retry.ts'
export type { Announcement } from './digest/settle-batch.ts'
export { isAllowedOrigin } from './door/allowed-domains.ts'
export { createSubmit } from './submit.ts'
export { comparePositions } from './spool/position.ts'
export { createSettledClock } from './settled-clock.ts'
export type { SettledClock } from './settled-clock.ts'
export type { Submission } from './submit.ts'
export { createRefusals } from './digest/refusals.ts'
export type { Refusals } from './digest/refusals.ts'

export { drop } from './digest/item-kind.ts'
export type {
  Entry,
  ExpandContext,
  ItemKind,
  ItemPart,
  LedgerWork,
  News,
  RowToken,
  StoredEntry,
  Verdict,
} from './digest/item-kind.ts'
export type { DigestLedger, DigestProgress, LedgerBatch } from './digest/digest-ledger.ts'
export type { OutcomeStore } from './digest/outcome-store.ts'
export { readJsonObject } from './door/admit.ts'
export type { Limits as DoorLimits } from './door/door.ts'
export { makeDraft, makeItem } from './door/draft.ts'
export type { Draft } from './door/draft.ts'
export type { DoorForm, ItemAnswer } from './door/form.ts'
export type { ItemRule, ItemRules } from './door/item-rules.ts'
export type { ExportCheck } from './door/otlp-answer.ts'
export { boundaryOf, CRLF, HEADER_END, readPartHeaders } from './door/multipart.ts'
export type { Part } from './door/multipart.ts'
export { PieceReader } from './door/piece-reader.ts'
export { queryParameter } from './door/query.ts'
export { refuse } from './door/refusal.ts'
export type { Refusal } from './door/refusal.ts'
