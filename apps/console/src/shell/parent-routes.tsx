import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  notFound,
  Outlet,
  redirect,
  rootRouteId,
} from '@tanstack/react-router'
import { projectsQuery, sessionQuery } from '../lib/shared-queries.ts'
import type { Feature } from './feature.ts'
import { rememberOrganization } from './last-organization.ts'
import { type Pages, screen, together } from './navigation/pages.ts'
import { NotFoundPage, NotFoundScreen } from './not-found-page.tsx'
import { PendingFrame } from './pending-page.tsx'
import { RootFrame } from './root-frame.tsx'

/** What every route is given. */
export interface RouterContext {
  readonly queryClient: QueryClient
  readonly pages: Pages
  readonly features: readonly Feature[]
}

/** Parent of what is seen without signing in. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <RootFrame>
      <Outlet />
    </RootFrame>
  ),
  notFoundComponent: NotFoundPage,
})

/** The auth gate: everything below needs a signed-in person. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location, preload }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session.user !== null || preload) return
    const entrance = context.features.map((feature) => feature.entrance).find((way) => way?.applies(session))
    if (entrance === undefined) throw new Error('No feature of features.ts has an entrance for who is not signed in.')
    const next = entrance.leadsOn && location.href !== '/' ? { next: location.href } : {}
    throw redirect({ to: entrance.path, search: next, replace: true })
  },
  pendingComponent: PendingFrame,
})

/** Its own piece of code: log-in and set-up do without it. */
const frame = screen(() => import('./organization-frame.tsx'), 'OrganizationFrame')

/**
 * Everything of one organisation, inside the frame. Paths are those of Sentry's own console
 * (`/organizations/{org}/…`), so that links in tools of others lead to the same places.
 *
 * A screen is a child of this route: `loader: ({ context, ...request }) => context.pages.load(request, someScreen,
 * [someQuery(...)])`, `component: someScreen.component`, with `someScreen = screen(() => import('…'), 'Name')`.
 */
export const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'organizations/$org',
  beforeLoad: async ({ context, params, preload }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!session.organizations.some((membership) => membership.slug === params.org))
      throw notFound({ routeId: rootRouteId })
    if (!preload) rememberOrganization(params.org)
  },
  loader: ({ context, params, ...request }) => {
    const sections = context.features.flatMap(({ section }) => section ?? [])
    return context.pages.load(request, together(frame, sections), [projectsQuery(params.org)])
  },
  component: frame.component,
  notFoundComponent: NotFoundScreen,
})
