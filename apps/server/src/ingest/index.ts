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

export { openSpool } from './spool/spool.ts'
export type { Spool, SpoolLimits, SpoolPressure } from './spool/spool.ts'
export type { SpoolHandle, SpoolReader } from './spool/spool-reader.ts'

export type { Digest, DigestDependencies } from './digest/digest.ts'
export { createDigestHandle } from './digest/digest-handle.ts'
export type { DigestHandle } from './digest/digest-handle.ts'
export type { DigestConfig } from './digest/messages.ts'
export { runDigestWorker } from './digest/run-worker.ts'
export type { ComposeDigest, DigestComposition } from './digest/run-worker.ts'
export type { DigestState } from './digest/retry.ts'
export type { SettledFacts } from './digest/settle-batch.ts'
export { isAllowedOrigin } from './door/allowed-domains.ts'
export { createSubmit } from './submit.ts'
export type { Submission } from './submit.ts'
export { createRefusals } from './digest/refusals.ts'
export type { Refusals } from './digest/refusals.ts'

export type { Expanded, Processor, ProcessorContext } from './digest/processor.ts'
export { createErrorProcessor } from './processors/error-processor.ts'
export type { ErrorSteps } from './processors/error-processor.ts'
export { createKeepProcessor } from './processors/keep-processor.ts'
export { createClientReportProcessor } from './processors/client-report-processor.ts'
export { createUnsupportedProcessor } from './processors/unsupported-processor.ts'
