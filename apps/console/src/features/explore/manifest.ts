import { createRoute } from '@tanstack/react-router'
import { feature, pageOf } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { ChartIcon } from '../../ui/index.ts'
import { readExploreUrl } from './model/explore-url.ts'

const exploreScreen = screen(() => import('./index.ts'), 'ExploreScreen')

const exploreRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'explore',
  validateSearch: readExploreUrl,
  // What it asks for comes with its code: every page would carry the schemas of its answers otherwise.
  loader: ({ context, ...request }) => context.pages.load(request, exploreScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: exploreScreen.component,
})

/** Any question to spans, errors, logs and metrics: functions over attributes, by group and over time. */
export const explore = feature({
  routes: [exploreRoute],
  navigation: [
    {
      page: pageOf(exploreRoute),
      label: 'Explore',
      icon: ChartIcon,
      place: 'understand',
      shortcut: 'g e',
      command: { keywords: ['query', 'chart', 'percentile', 'heat map', 'group by', 'discover', 'metrics'] },
      prefetch: false,
    },
  ],
})
