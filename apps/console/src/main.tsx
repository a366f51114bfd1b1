import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { type AnyRoute, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import { type FeatureRoutes, features } from './features.ts'
import { onSignedOut } from './lib/api.ts'
import { isServerReachable } from './lib/reachable.ts'
import { sessionKey } from './lib/query-keys.ts'
import { watchTheme } from './lib/theme.ts'
import { createConsoleRouter } from './routes/router.ts'
import { ErrorBoundary } from './shell/navigation/error-page.tsx'
import { createPages } from './shell/navigation/pages.ts'
import { createQueryClient } from './shell/query-client.ts'
import { warmParts } from './ui/lazy-part.tsx'
import './ui/tokens.css'
import './ui/base.css'

/** The palette, toasts and the like are fetched so long after the first page, behind what one does first. */
const WARM_AFTER_MS = 2000

/** So long at most is waited for the browser to draw what came. */
const DRAWN_AFTER_MS = 1000

const queryClient = createQueryClient()
const pages = createPages({
  queryClient,
  openDocument: (href) => location.assign(href),
  isServerReachable,
  // A page in the background is never drawn, so it does not wait for it.
  drawn: () =>
    new Promise((resolve) => {
      setTimeout(resolve, DRAWN_AFTER_MS)
      requestAnimationFrame(() => setTimeout(resolve))
    }),
})
const router = createConsoleRouter<FeatureRoutes>({ queryClient, pages, features })

// The code of the page in the address comes while the server is asked who is signed in. What fails is told when it is due.
const routes: Readonly<Record<string, AnyRoute | undefined>> = router.routesById
for (const { routeId } of router.matchRoutes(router.latestLocation) as readonly { readonly routeId: string }[]) {
  void routes[routeId]?.options.component?.preload?.()
}

const unsubscribe = router.subscribe('onResolved', () => {
  pages.firstPageShown()
  setTimeout(warmParts, WARM_AFTER_MS)
  unsubscribe()
})

onSignedOut(() => {
  const { pathname, href } = router.latestLocation
  if (pathname.startsWith('/login')) return
  queryClient.removeQueries({ queryKey: sessionKey })
  void router.navigate({ to: '/login', search: { next: href }, replace: true })
})

watchTheme()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root, so the console has nowhere to draw.')

createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      {/* Base UI would add <style> elements, which the page's Content-Security-Policy forbids. */}
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </ErrorBoundary>
  </StrictMode>,
)
