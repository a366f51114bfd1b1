import { createRoute, redirect } from '@tanstack/react-router'
import { invitationQuery } from '../features/auth/queries.ts'
import { sessionQuery } from '../lib/shared-queries.ts'
import { screen } from '../shell/navigation/pages.ts'
import { rootRoute } from './root.tsx'

const logInScreen = screen(() => import('../features/auth/index.ts'), 'LogInScreen')
const invitationScreen = screen(() => import('../features/auth/index.ts'), 'InvitationScreen')
const setupScreen = screen(() => import('../features/setup/index.ts'), 'SetupScreen')

export interface LogInSearch {
  /** Where the person was going: a path of this console. */
  readonly next?: string
}

/** Only paths of this console: `//evil.test` and `https://evil.test` would lead away. */
function readLogInSearch(search: Record<string, unknown>): LogInSearch {
  const { next } = search
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {}
}

export const logInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'login',
  validateSearch: readLogInSearch,
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session.setupNeeded) throw redirect({ to: '/setup', replace: true })
  },
  loader: ({ context, ...visit }) => context.pages.load(visit, logInScreen),
  component: logInScreen.component,
})

export const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'setup',
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!session.setupNeeded) throw redirect({ to: '/', replace: true })
  },
  loader: ({ context, ...visit }) => context.pages.load(visit, setupScreen),
  component: setupScreen.component,
})

export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'accept-invite/$token',
  loader: ({ context, params, ...visit }) =>
    context.pages.load(visit, invitationScreen, [invitationQuery(params.token)]),
  component: invitationScreen.component,
})
