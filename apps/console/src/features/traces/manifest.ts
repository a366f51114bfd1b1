import { createRoute } from '@tanstack/react-router'
import { feature, pageOf } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { TracesIcon } from '../../ui/index.ts'
import { linkedRoutes } from './linked-routes.ts'
import { readTraceSearch } from './model/trace-search.ts'
import { readTracesUrl } from './model/traces-url.ts'

const code = () => import('./index.ts')
const tracesScreen = screen(code, 'TracesScreen')
const traceScreen = screen(code, 'TraceScreen')

const tracesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'traces',
  validateSearch: readTracesUrl,
  loader: ({ context, ...request }) => context.pages.load(request, tracesScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: tracesScreen.component,
})

const traceRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'traces/$trace',
  validateSearch: readTraceSearch,
  // What it asks for comes with its code: every page would carry the schemas of its answers otherwise.
  loader: ({ context, ...request }) => context.pages.load(request, traceScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: traceScreen.component,
})

/** Traces by any of their spans, and each as what all services did for one request or page, on one axis of time. */
export const traces = feature({
  routes: [tracesRoute, traceRoute, ...linkedRoutes],
  finder: { things: 'traces', load: () => import('./find-trace.ts') },
  navigation: [
    {
      page: pageOf(tracesRoute),
      label: 'Traces',
      icon: TracesIcon,
      place: 'understand',
      shortcut: 'g t',
      command: { keywords: ['spans', 'waterfall', 'distributed', 'request'] },
      prefetch: false,
    },
  ],
})
