import { createRoute, notFound, rootRouteId } from '@tanstack/react-router'
import { projectsQuery, sessionQuery } from '../lib/shared-queries.ts'
import { rememberOrganization } from '../shell/last-organization.ts'
import { screen } from '../shell/navigation/pages.ts'
import { NotFoundScreen } from '../shell/not-found-page.tsx'
import { signedInRoute } from './signed-in.tsx'

/** Its own piece of code: log-in and set-up do without it. */
const frame = screen(() => import('../shell/organization-frame.tsx'), 'OrganizationFrame')

/**
 * Everything of one organisation, inside the frame. Paths are those of Sentry's own console
 * (`/organizations/{org}/issues/{id}/`), so that links in other people's tools lead to the same places.
 *
 * A screen is a child of this route: `loader: ({ context, ...visit }) => context.pages.load(visit, someScreen,
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
  loader: ({ context, params, ...visit }) => context.pages.load(visit, frame, [projectsQuery(params.org)]),
  component: frame.component,
  notFoundComponent: NotFoundScreen,
})
