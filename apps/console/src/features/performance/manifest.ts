import { createRoute } from '@tanstack/react-router'
import { type CommandContext, feature, pageOf } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { type Command, GaugeIcon, WarningIcon } from '../../ui/index.ts'
import { FINDINGS } from './model/findings-search.ts'
import { readPerformanceUrl, readTransactionUrl } from './model/performance-search.ts'

const code = () => import('./index.ts')
const performanceScreen = screen(code, 'PerformanceScreen')
const transactionScreen = screen(code, 'TransactionScreen')
const projectNames = screen(code, 'ProjectNames')

const performanceRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'performance',
  validateSearch: readPerformanceUrl,
  // What it asks for comes with its code: every page would carry the schemas of its answers otherwise.
  loader: ({ context, ...request }) => context.pages.load(request, performanceScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: performanceScreen.component,
})

const transactionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'performance/summary',
  validateSearch: readTransactionUrl,
  loader: ({ context, ...request }) => context.pages.load(request, transactionScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: transactionScreen.component,
})

/** How fast pages and services answer: all transactions, and each of them. */
export const performance = feature({
  routes: [performanceRoute, transactionRoute],
  commands: performanceCommands,
  projectSettings: [{ value: 'names', label: 'Names', screen: projectNames }],
  navigation: [
    {
      page: pageOf(performanceRoute),
      label: 'Performance',
      icon: GaugeIcon,
      place: 'understand',
      shortcut: 'g p',
      command: { keywords: ['transactions', 'traces', 'slow', 'apdex', 'tracing'] },
      prefetch: false,
    },
  ],
})

function performanceCommands({ org, navigate }: CommandContext): readonly Command[] {
  return [
    {
      id: 'findings',
      label: 'Findings',
      group: 'Go to',
      icon: WarningIcon,
      keywords: ['n+1', 'slow', 'problems', 'detectors', 'performance'],
      run: () => void navigate({ to: '/organizations/$org/issues', params: { org }, search: { query: FINDINGS } }),
    },
  ]
}
