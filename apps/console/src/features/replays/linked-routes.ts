import { createRoute, redirect } from '@tanstack/react-router'

import { organizationRoute } from '../../shell/parent-routes.tsx'
import { readReplaysUrl } from './model/list-search.ts'
import { readReplaySearch } from './model/replay-search.ts'

/** Addresses that Sentry's clients print, which stand in other people's tools. */

const linkedReplaysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'explore/replays',
  validateSearch: readReplaysUrl,
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/organizations/$org/replays', params, search, replace: true })
  },
})

const linkedReplayRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'explore/replays/$replay',
  validateSearch: readReplaySearch,
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/organizations/$org/replays/$replay', params, search, replace: true })
  },
})

export const linkedRoutes = [linkedReplaysRoute, linkedReplayRoute] as const
