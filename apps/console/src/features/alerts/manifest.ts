import { createRoute } from '@tanstack/react-router'
import { type CommandContext, feature, pageOf } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { BellIcon, type Command, PlusIcon } from '../../ui/index.ts'
import { spokenKeys } from './model/keys.ts'
import { readAlertsUrl, readAlertUrl, readNewAlertUrl } from './model/alerts-search.ts'

const code = () => import('./index.ts')
const alertsScreen = screen(code, 'AlertsScreen')
const newAlertScreen = screen(code, 'NewAlertScreen')
const alertScreen = screen(code, 'AlertScreen')

// What they ask for comes with their code: every page would carry the schemas of its answers otherwise.
const alertsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'alerts',
  validateSearch: readAlertsUrl,
  loader: ({ context, ...request }) => context.pages.load(request, alertsScreen),
  component: alertsScreen.component,
})

const newAlertRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'alerts/new',
  validateSearch: readNewAlertUrl,
  loader: ({ context, ...request }) => context.pages.load(request, newAlertScreen),
  component: newAlertScreen.component,
})

const alertRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'alerts/$alert',
  validateSearch: readAlertUrl,
  loader: ({ context, ...request }) => context.pages.load(request, alertScreen),
  component: alertScreen.component,
})

/** Searches that speak: rules, what they would have said, and why they did and did not. */
export const alerts = feature({
  routes: [alertsRoute, newAlertRoute, alertRoute],
  navigation: [
    {
      page: pageOf(alertsRoute),
      label: 'Alerts',
      icon: BellIcon,
      place: 'ship',
      shortcut: 'g a',
      command: { keywords: ['rules', 'notifications', 'monitors', 'thresholds', 'messages'] },
      prefetch: false,
    },
  ],
  commands: alertCommands,
  finder: { things: 'alerts', load: code },
  // Under a storm of incidents the lists are asked for this often at most.
  live: [{ message: 'alerts', keys: spokenKeys, minIntervalMs: 2000 }],
})

function alertCommands({ org, navigate, access }: CommandContext): readonly Command[] {
  if (!access.includes('event:write')) return []
  return [
    {
      id: 'new-alert',
      label: 'New alert',
      group: 'Do',
      icon: PlusIcon,
      keywords: ['rule', 'tell me', 'notify', 'threshold'],
      run: () => void navigate({ to: '/organizations/$org/alerts/new', params: { org } }),
    },
  ]
}
