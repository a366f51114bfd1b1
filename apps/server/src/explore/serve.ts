import { livingProjects } from '../accounts/index.ts'
import type { Served, ServerParts } from '../capability.ts'
import { createAttributeRoutes } from './attributes.routes.ts'
import { createIssueReads } from '../issues/index.ts'
import { createTableRoutes } from './events.routes.ts'
import { createExportRoute } from './export.routes.ts'
import { createExploreView } from './explore.view.ts'
import { createHeatMapRoutes } from './heat-map.routes.ts'
import { createSavedQueries } from './ledger/saved-queries.ts'
import { createSavedQueryRoutes } from './saved-queries.routes.ts'
import type { ExploreServices } from './scope.ts'
import { createSeriesRoutes } from './series.routes.ts'
import { createTagRoutes } from './tags.routes.ts'
import { createTraceLogsRoute } from './trace-logs.routes.ts'
import { createFindTracesRoute } from './traces.routes.ts'

export const serveExplore = ({ ask, blobs, client, clock, datasets, ledger }: ServerParts): Served => {
  const services: ExploreServices = {
    view: createExploreView({ client }),
    datasets,
    projects: livingProjects(ledger),
    clock,
    ask,
  }
  const savedQueries = createSavedQueries({ ledger })
  return {
    memberRemoved: savedQueries.forget,
    routes: [
      createExportRoute(services, { ...createIssueReads({ blobs, client, ledger }), clock }),
      ...createTableRoutes(services),
      ...createSeriesRoutes(services),
      ...createAttributeRoutes(services),
      ...createTagRoutes(services),
      createFindTracesRoute(services),
      createTraceLogsRoute(services),
      ...createHeatMapRoutes(services),
      ...createSavedQueryRoutes({ savedQueries, clock }),
    ],
  }
}
