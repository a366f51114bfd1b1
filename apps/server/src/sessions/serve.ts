import { livingProjects } from '../accounts/index.ts'
import type { Served, ServerParts } from '../capability.ts'
import { createSessionRoutes } from './sessions.routes.ts'
import { createSessionCounter } from './telemetry/count-sessions.ts'

export const serveSessions = ({ client, clock, ledger }: ServerParts): Served => ({
  routes: createSessionRoutes({ sessions: createSessionCounter(client), projects: livingProjects(ledger), clock }),
})
