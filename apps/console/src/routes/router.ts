import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { RouteErrorPage } from '../shell/navigation/error-page.tsx'
import type { Pages } from '../shell/navigation/pages.ts'
import { INTENT_DELAY_MS } from '../shell/navigation/policy.ts'
import { PendingPage } from '../shell/pending-page.tsx'
import { parseSearch, stringifySearch } from '../lib/url-search.ts'
import { feedbackRoute } from './feedback.ts'
import { issueRoutes } from './issues.ts'
import { organizationRoute } from './organization.tsx'
import { gettingStartedRoute, newProjectRoute } from './projects.ts'
import { invitationRoute, logInRoute, setupRoute } from './public.ts'
import { receiptsRoute } from './receipts.ts'
import { rootRoute } from './root.tsx'
import { settingsRoutes } from './settings.ts'
import { homeRoute, signedInRoute } from './signed-in.tsx'

const routeTree = rootRoute.addChildren([
  setupRoute,
  logInRoute,
  invitationRoute,
  signedInRoute.addChildren([
    homeRoute,
    organizationRoute.addChildren([
      ...issueRoutes,
      feedbackRoute,
      receiptsRoute,
      newProjectRoute,
      gettingStartedRoute,
      settingsRoutes,
    ]),
  ]),
])

/** A wait shorter than this keeps the page that is there; after it the next page's outline shows. */
const PENDING_AFTER_MS = 200

export function createConsoleRouter(context: { readonly queryClient: QueryClient; readonly pages: Pages }) {
  return createRouter({
    routeTree,
    context,
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
    router: ReturnType<typeof createConsoleRouter>
  }
}
