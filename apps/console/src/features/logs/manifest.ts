import { createRoute } from '@tanstack/react-router'
import { feature, pageOf } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { LinesIcon } from '../../ui/index.ts'
import { readLogsUrl } from './model/logs-search.ts'

const logsScreen = screen(() => import('./index.ts'), 'LogsScreen')

const logsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'logs',
  validateSearch: readLogsUrl,
  // What it asks for comes with its code: every page would carry the schemas of its answers otherwise.
  loader: ({ context, ...request }) => context.pages.load(request, logsScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: logsScreen.component,
})

/** What programs wrote while they ran. */
export const logs = feature({
  routes: [logsRoute],
  navigation: [
    {
      page: pageOf(logsRoute),
      label: 'Logs',
      icon: LinesIcon,
      place: 'understand',
      shortcut: 'g l',
      command: { keywords: ['lines', 'tail', 'console', 'output'] },
      prefetch: false,
    },
  ],
})
