import { createRoute, redirect } from '@tanstack/react-router'
import { sessionQuery } from '../../lib/shared-queries.ts'
import { feature } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { rootRoute } from '../../shell/parent-routes.tsx'
import { readLogInSearch } from './model/log-in-search.ts'
import { invitationQuery } from './queries.ts'

const logInScreen = screen(() => import('./screens.ts'), 'LogInScreen')
const invitationScreen = screen(() => import('./screens.ts'), 'InvitationScreen')

const logInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'login',
  validateSearch: readLogInSearch,
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session.setupNeeded) throw redirect({ to: '/setup', replace: true })
  },
  loader: ({ context, ...request }) => context.pages.load(request, logInScreen),
  component: logInScreen.component,
})

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'accept-invite/$token',
  loader: ({ context, params, ...request }) =>
    context.pages.load(request, invitationScreen, [invitationQuery(params.token)]),
  component: invitationScreen.component,
})

/** Log-in and invitations. */
export const auth = feature({
  routes: [logInRoute, invitationRoute],
  entrance: { path: '/login', applies: () => true, leadsOn: true },
})
