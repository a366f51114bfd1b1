import type { Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { createCompatibleAccountRoutes } from './compatible.routes.ts'
import type { Accounts } from './index.ts'
import { createOrganizationRoutes } from './organizations.routes.ts'
import { createProjectRoutes } from './projects.routes.ts'
import { createSessionRoutes } from './session.routes.ts'

/** All routes of this slice. */
export const createAccountRoutes = (options: {
  readonly accounts: Accounts
  readonly clock: Clock
  /** Of this program, shown by `GET /api/0/`. */
  readonly version: string
  /** Share of its own page loads and navigations that the console reports. */
  readonly ownTracesSampleRate: number
}): Route[] => {
  return [
    ...createSessionRoutes(options.accounts, options),
    ...createOrganizationRoutes(options.accounts, options.clock),
    ...createProjectRoutes(options.accounts),
    ...createCompatibleAccountRoutes(options.accounts, options.clock),
  ]
}
