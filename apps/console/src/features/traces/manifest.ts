import { createRoute } from '@tanstack/react-router'
import { feature } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { readTraceSearch } from './model/trace-search.ts'

const traceScreen = screen(() => import('./index.ts'), 'TraceScreen')

const traceRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'traces/$trace',
  validateSearch: readTraceSearch,
  // What it asks for comes with its code: every page would carry the schemas of its answers otherwise.
  loader: ({ context, ...request }) => context.pages.load(request, traceScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: traceScreen.component,
})

/** One trace: what all services did for one request or page, on one axis of time. */
export const traces = feature({ routes: [traceRoute] })
