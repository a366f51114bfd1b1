import { createRoute, redirect } from '@tanstack/react-router'
import { sessionQuery } from '../../lib/shared-queries.ts'
import { feature } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { rootRoute } from '../../shell/parent-routes.tsx'

const setupScreen = screen(() => import('./index.ts'), 'SetupScreen')

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'setup',
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!session.setupNeeded) throw redirect({ to: '/', replace: true })
  },
  loader: ({ context, ...request }) => context.pages.load(request, setupScreen),
  component: setupScreen.component,
})

/** The set-up of a new installation, which comes before everything else. */
export const setup = feature({
  routes: [setupRoute],
  entrance: { path: '/setup', applies: (session) => session.setupNeeded, leadsOn: false },
})
