/** The face of the slice: how every item ended. */
export type { ReceiptView } from './telemetry-receipts.view.ts'
export { createTelemetryReceiptView } from './telemetry-receipts.view.ts'
