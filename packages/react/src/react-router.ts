import { setRouteName } from './route-name.ts'
import type { ReportingSdk } from './sdk.ts'

/** One of `router.state.matches`, or of what `matchRoutes` answers, outermost first. */
export interface RouteMatch {
  readonly route: { readonly path?: string | undefined }
}

interface RouterState {
  readonly matches: readonly RouteMatch[]
  readonly navigation?: { readonly state: string }
}

/** What `createBrowserRouter` and its kin of React Router 6.4 and 7 make. */
export interface DataRouter {
  readonly state: RouterState
  subscribe(listener: () => void): () => void
}

/** `/product/:id` from the matches of React Router. With `<Routes>`: `useRouteName(routeNameOf(matchRoutes(routes, useLocation())))`. */
export const routeNameOf = (matches: readonly RouteMatch[] | null | undefined): string | undefined => {
  if (matches === null || matches === undefined || matches.length === 0) return undefined
  let name = ''
  for (const { route } of matches) {
    const path = route.path ?? ''
    // An absolute path of a child route repeats that of its parents.
    name = path.startsWith('/') ? path : `${name.replace(/\/$/, '')}/${path}`
  }
  return name === '/' ? name : name.replace(/\/+$/, '') || '/'
}

/** Names routes for a data router of React Router 6.4 or 7. Returns the same router: `wrapRouter(createBrowserRouter(routes))`. */
export const wrapRouter = <Router extends DataRouter>(router: Router, sdk?: ReportingSdk): Router => {
  const tell = (): void => {
    const name = routeNameOf(router.state.matches)
    if (name !== undefined) setRouteName(name, sdk === undefined ? {} : { sdk })
  }
  tell()
  router.subscribe(tell)
  return router
}
