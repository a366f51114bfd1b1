import { createRoute } from '@tanstack/react-router'
import { type CommandContext, feature } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { type Command, UsersIcon } from '../../ui/index.ts'
import { readPersonUrl } from './model/person-search.ts'
import { personKey } from './query-keys.ts'

/** Whoever looks at a person is not interrupted by all that comes of others. Milliseconds. */
const LIVE_INTERVAL_MS = 15_000

const personScreen = screen(() => import('./index.ts'), 'PersonScreen')

const personRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'people',
  validateSearch: readPersonUrl,
  loader: ({ context, ...request }) => context.pages.load(request, personScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: personScreen.component,
})

/** The people behind issues: the page of one of them. What they said about an issue stands on its page. */
export const people = feature({
  routes: [personRoute],
  commands: peopleCommands,
  finder: { things: 'people', load: () => import('./find.ts') },
  live: [
    {
      message: 'feedback',
      keys: (org) => [personKey(org)],
      minIntervalMs: LIVE_INTERVAL_MS,
    },
  ],
})

function peopleCommands({ org, navigate }: CommandContext): readonly Command[] {
  return [
    {
      id: 'people',
      label: 'People',
      group: 'Go to',
      icon: UsersIcon,
      keywords: ['person', 'users', 'visitors', 'customers', 'reporters'],
      run: () => void navigate({ to: '/organizations/$org/people', params: { org } }),
    },
  ]
}
