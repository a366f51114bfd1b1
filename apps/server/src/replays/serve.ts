import { livingProjects } from '../accounts/index.ts'
import type { Served, ServerParts } from '../capability.ts'
import { createReplayRoutes } from './replays.routes.ts'
import { createReplayView } from './replays.view.ts'

export const serveReplays = ({ client, clock, ledger }: ServerParts): Served => ({
  routes: createReplayRoutes({ replays: createReplayView({ client }), projects: livingProjects(ledger), clock }),
})
