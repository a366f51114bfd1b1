import { createRoute } from '@tanstack/react-router'
import { type CommandContext, feature } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { type Command, GaugeIcon } from '../../ui/index.ts'
import { readPerformanceUrl, readTransactionUrl } from '../performance/model/performance-search.ts'
import type { ProfileUrl } from './model/profile-search.ts'

const code = () => import('./index.ts')
const profilesScreen = screen(code, 'ProfilesScreen')
const sumScreen = screen(code, 'SumScreen')
const profileScreen = screen(code, 'ProfileScreen')

const profilesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'profiles',
  validateSearch: readPerformanceUrl,
  // What it asks for comes with its code: every page would carry the schemas of its answers otherwise.
  loader: ({ context, ...request }) => context.pages.load(request, profilesScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: profilesScreen.component,
})

const sumRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'profiles/sum',
  validateSearch: readTransactionUrl,
  loader: ({ context, ...request }) => context.pages.load(request, sumScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: sumScreen.component,
})

const profileRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'profiles/$profile',
  // Its screen reads it: every page would carry that otherwise.
  validateSearch: (raw: Readonly<Record<string, unknown>>): ProfileUrl => raw,
  loader: ({ context, ...request }) => context.pages.load(request, profileScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: profileScreen.component,
})

/** Which functions the time went to: one profile, a stretch of a continuous one, or all of a transaction. */
export const profiles = feature({
  routes: [profilesRoute, sumRoute, profileRoute],
  commands: profileCommands,
})

function profileCommands({ org, navigate }: CommandContext): readonly Command[] {
  return [
    {
      id: 'profiles',
      label: 'Profiles',
      group: 'Go to',
      icon: GaugeIcon,
      keywords: ['flame graph', 'profiling', 'functions', 'cpu', 'performance'],
      run: () => void navigate({ to: '/organizations/$org/profiles', params: { org } }),
    },
  ]
}
