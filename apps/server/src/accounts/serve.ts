import type { Served, ServerParts } from '../capability.ts'
import { createAccountRoutes } from './accounts.routes.ts'
import { createAccountRetention } from './ledger/expiry.ts'

export const serveAccounts = ({ accounts, clock, config, ledger, version }: ServerParts): Served => ({
  routes: createAccountRoutes({ accounts, clock, version, ownTracesSampleRate: config.ownTracesSampleRate }),
  retention: createAccountRetention({ ledger }),
})
