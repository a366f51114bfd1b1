import { livingProjects } from '../accounts/index.ts'
import type { Served, ServerParts } from '../capability.ts'
import { createReceiptRoutes } from './receipts.routes.ts'
import { createTelemetryReceiptView } from './telemetry-receipts.view.ts'

export const serveReceipts = ({ client, clock, ledger }: ServerParts): Served => ({
  routes: createReceiptRoutes({
    receipts: createTelemetryReceiptView({ client }),
    projects: livingProjects(ledger),
    clock,
  }),
})
