import { createRoute } from '@tanstack/react-router'
import { type CommandContext, feature } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { type Command, GaugeIcon } from '../../ui/index.ts'
import { readCallsUrl, readCallUrl } from './model/calls-url.ts'

const code = () => import('./index.ts')
const callsScreen = screen(code, 'CallsScreen')
const callScreen = screen(code, 'CallScreen')

const callsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'performance/$kind',
  validateSearch: readCallsUrl,
  // What it asks for comes with its code: every page would carry the schemas of its answers otherwise.
  loader: ({ context, ...request }) => context.pages.load(request, callsScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: callsScreen.component,
})

const callRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'performance/$kind/call',
  validateSearch: readCallUrl,
  loader: ({ context, ...request }) => context.pages.load(request, callScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: callScreen.component,
})

/** What pages and services ask of others: databases, other services, caches, queues, models. */
export const calls = feature({
  routes: [callsRoute, callRoute],
  commands: callsCommands,
})

const COMMANDS = [
  ['databases', 'Databases', ['queries', 'sql', 'statements', 'slow', 'performance']],
  ['requests', 'Requests', ['http', 'outbound', 'fetch', 'api', 'performance']],
  ['caches', 'Caches', ['redis', 'hit rate', 'performance']],
  ['queues', 'Queues', ['jobs', 'messages', 'workers', 'performance']],
  ['ai', 'AI', ['models', 'tokens', 'llm', 'cost', 'agents', 'performance']],
] as const

function callsCommands({ org, navigate }: CommandContext): readonly Command[] {
  return COMMANDS.map(([kind, label, keywords]) => ({
    id: `calls-${kind}`,
    label,
    group: 'Go to',
    icon: GaugeIcon,
    keywords,
    run: () => void navigate({ to: '/organizations/$org/performance/$kind', params: { org, kind } }),
  }))
}
