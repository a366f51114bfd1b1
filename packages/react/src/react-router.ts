import { routeNameOf, type RouteMatch } from '@firsthand/browser/react-router'
import { setRouteName } from './route-name.ts'
import type { ReportingSdk } from './sdk.ts'

interface RouterState {
  readonly matches: readonly RouteMatch[]
  readonly navigation?: { readonly state: string }
}

/** What `createBrowserRouter` and its kin of React Router 6.4 and 7 make. */
export interface DataRouter {
  readonly state: RouterState
  subscribe(listener: () => void): () => void
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
