import { createRoute } from '@tanstack/react-router'
import { feature } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { readReplaySearch } from './model/replay-search.ts'

const replayScreen = screen(() => import('./index.ts'), 'ReplayScreen')

const replayRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'replays/$replay',
  validateSearch: readReplaySearch,
  // What it asks for comes with its code: every page would carry the schemas of its answers otherwise.
  loader: ({ context, ...request }) => context.pages.load(request, replayScreen),
  component: replayScreen.component,
})

/** What visitors saw and did, played. */
export const replays = feature({ routes: [replayRoute] })
