import { setRouteName } from './route-name.ts'
import type { ReportingSdk } from './sdk.ts'

interface TanstackMatch {
  readonly routeId: string
  readonly fullPath?: string
}

/** What `createRouter` of TanStack Router makes. */
export interface TanstackRouter {
  readonly state: { readonly location: object; readonly matches: readonly TanstackMatch[] }
  matchRoutes(location: never): readonly TanstackMatch[]
  subscribe(event: 'onBeforeLoad', listener: (event: { readonly toLocation: object }) => void): () => void
}

/**
 * Names routes by their pattern, `/product/$id`, from before a route is loaded: what breaks in it bears its name. Returns what
 * ends that. Call it on a browser only: on a server, requests share the page's scope.
 */
export const tanstackRouterBreadcrumbs = (router: TanstackRouter, sdk?: ReportingSdk): (() => void) => {
  const tell = (location: object): void => {
    const last = router.matchRoutes(location as never).at(-1)
    const name = last?.fullPath ?? last?.routeId
    if (name !== undefined)
      setRouteName(name === '/' ? name : name.replace(/\/$/, ''), sdk === undefined ? {} : { sdk })
  }
  tell(router.state.location)
  return router.subscribe('onBeforeLoad', ({ toLocation }) => tell(toLocation))
}
