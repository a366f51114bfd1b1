import type { QueryClient } from '@tanstack/react-query'
import { type AnyRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import type { FeatureRoutes } from '../features.ts'
import { sessionQuery } from '../lib/shared-queries.ts'
import { parseSearch, stringifySearch } from '../lib/url-search.ts'
import { type Feature, homeOf } from '../shell/feature.ts'
import { lastOrganization } from '../shell/last-organization.ts'
import { RouteErrorPage } from '../shell/navigation/error-page.tsx'
import { type Pages, screen } from '../shell/navigation/pages.ts'
import { INTENT_DELAY_MS } from '../shell/navigation/policy.ts'
import { organizationRoute, rootRoute, signedInRoute } from '../shell/parent-routes.tsx'
import { PendingPage } from '../shell/pending-page.tsx'

/** Hardly anybody sees it: it comes with the frame, whose code it shares. */
const noOrganization = screen(() => import('../shell/organization-frame.tsx'), 'NoOrganizationPage')

/** `/` leads to the organisation that was open last. */
const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const { organizations } = await context.queryClient.ensureQueryData(sessionQuery)
    const last = lastOrganization()
    const organization = organizations.find((candidate) => candidate.slug === last) ?? organizations[0]
    if (organization !== undefined) {
      throw redirect({ to: homeOf(context.features).page.path, params: { org: organization.slug }, replace: true })
    }
  },
  loader: ({ context, ...request }) => context.pages.load(request, noOrganization),
  component: noOrganization.component,
})

const shellRoutes = [signedInRoute, homeRoute, organizationRoute] as const

/** Puts every route under the parent that it names. */
function treeOf<Routes extends AnyRoute>(routes: readonly Routes[]) {
  const children = Map.groupBy<AnyRoute, AnyRoute>(routes, (route) => route.options.getParentRoute() as AnyRoute)
  for (const [parent, below] of children) if (parent !== rootRoute) parent.addChildren(below)
  // Types ask a tree for all routes in it, at whatever depth they stand; each one knows its own path.
  return rootRoute.addChildren((children.get(rootRoute) ?? []) as Routes[])
}

/** A wait shorter than this keeps the page that is there; after it the next page's outline shows. */
const PENDING_AFTER_MS = 200

export function createConsoleRouter<Routes extends AnyRoute>({
  features,
  ...context
}: {
  readonly queryClient: QueryClient
  readonly pages: Pages
  readonly features: readonly Feature<Routes>[]
}) {
  return createRouter({
    routeTree: treeOf([...shellRoutes, ...features.flatMap(({ routes }) => routes)]),
    context: { ...context, features },
    parseSearch,
    stringifySearch,
    trailingSlash: 'never',
    defaultPreload: 'intent',
    defaultPreloadDelay: INTENT_DELAY_MS,
    // The query cache alone decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: PENDING_AFTER_MS,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: RouteErrorPage,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter<FeatureRoutes>>
  }
}
