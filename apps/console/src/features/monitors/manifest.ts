import { createRoute } from '@tanstack/react-router'
import { feature, pageOf, type CommandContext } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { ClockIcon, type Command, PlusIcon } from '../../ui/index.ts'
import { readMonitorsUrl, readMonitorUrl, readUptimeUrl } from './model/monitors-search.ts'
import { monitorsKey } from './query-keys.ts'

const code = () => import('./index.ts')
const monitorsScreen = screen(code, 'MonitorsScreen')
const newMonitorScreen = screen(code, 'NewMonitorScreen')
const monitorScreen = screen(code, 'MonitorScreen')
const uptimeCode = () => import('./uptime/index.ts')
const newUptimeScreen = screen(uptimeCode, 'NewUptimeScreen')
const uptimeScreen = screen(uptimeCode, 'UptimeScreen')
const statusPageScreen = screen(() => import('./status/index.ts'), 'StatusPageScreen')

// What they ask for comes with their code: every page would carry the schemas of the answers otherwise.
const monitorsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'monitors',
  validateSearch: readMonitorsUrl,
  loader: ({ context, ...request }) => context.pages.load(request, monitorsScreen),
  component: monitorsScreen.component,
})

const newMonitorRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'monitors/new',
  loader: ({ context, ...request }) => context.pages.load(request, newMonitorScreen),
  component: newMonitorScreen.component,
})

const newUptimeRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'monitors/uptime/new',
  loader: ({ context, ...request }) => context.pages.load(request, newUptimeScreen),
  component: newUptimeScreen.component,
})

const uptimeRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'monitors/uptime/$check',
  validateSearch: readUptimeUrl,
  loader: ({ context, ...request }) => context.pages.load(request, uptimeScreen),
  component: uptimeScreen.component,
})

const statusPageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'monitors/status-page',
  loader: ({ context, ...request }) => context.pages.load(request, statusPageScreen),
  component: statusPageScreen.component,
})

const monitorRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'monitors/$monitor',
  validateSearch: readMonitorUrl,
  loader: ({ context, ...request }) => context.pages.load(request, monitorScreen),
  component: monitorScreen.component,
})

/** What runs on a schedule, and whether it did. */
export const monitors = feature({
  routes: [monitorsRoute, newMonitorRoute, newUptimeRoute, uptimeRoute, statusPageRoute, monitorRoute],
  navigation: [
    {
      page: pageOf(monitorsRoute),
      label: 'Monitors',
      icon: ClockIcon,
      place: 'ship',
      shortcut: 'g m',
      command: { keywords: ['cron', 'check-ins', 'jobs', 'schedule', 'missed', 'uptime'] },
      prefetch: false,
    },
  ],
  commands: monitorCommands,
  // Jobs check in all the time; nobody watches every second.
  live: [
    { message: 'monitors', keys: (org) => [monitorsKey(org)], minIntervalMs: 3000 },
    { message: 'uptime', keys: (org) => [monitorsKey(org)], minIntervalMs: 5000 },
  ],
})

function monitorCommands({ access, navigate, org }: CommandContext): readonly Command[] {
  if (!access.includes('event:write')) return []
  return [
    {
      id: 'new-monitor',
      label: 'New monitor',
      group: 'Do',
      icon: PlusIcon,
      keywords: ['cron', 'job', 'schedule', 'check-in'],
      run: () => void navigate({ to: '/organizations/$org/monitors/new', params: { org } }),
    },
  ]
}
