import type { Route } from '../http/index.ts'
import { createAttachmentRoutes } from './attachments/attachments.routes.ts'
import { createBulkRoutes } from './bulk.routes.ts'
import { createCompatibleRoutes } from './compatible.routes.ts'
import { createEventRoutes } from './events.routes.ts'
import { createIssueRoutes } from './issues.routes.ts'
import { createSavedSearchRoutes } from './saved-searches/saved-searches.routes.ts'
import type { IssueServices } from './services.ts'
import { createStatsRoutes } from './stats/stats.routes.ts'
import { createTagRoutes } from './tags/tags.routes.ts'
import { createWorkflowRoutes } from './workflow/workflow.routes.ts'

/** Every route of the slice. */
export const createRoutesOfIssues = (services: IssueServices): Route[] => {
  const routes = [
    ...createIssueRoutes(services),
    ...createBulkRoutes(services),
    ...createEventRoutes(services),
    ...createAttachmentRoutes(services),
    ...createTagRoutes(services),
    ...createStatsRoutes(services),
    ...createWorkflowRoutes(services),
    ...createSavedSearchRoutes(services),
  ]
  return [...routes, ...createCompatibleRoutes(services, routes)]
}
