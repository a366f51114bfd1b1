import { tanstackRouteName, type TracedTanstackRouter } from '@firsthand/browser/tanstack-router'
import { setRouteName } from './route-name.ts'
import type { ReportingSdk } from './sdk.ts'

/** What `createRouter` of TanStack Router makes. */
export interface TanstackRouter extends Pick<TracedTanstackRouter, 'state' | 'matchRoutes'> {
  subscribe(event: 'onBeforeLoad', listener: (event: { readonly toLocation: object }) => void): () => void
}

/**
 * Names routes by their pattern, `/product/$id`, from before a route is loaded: what breaks in it bears its name. Returns what
 * ends that. Call it on a browser only: on a server, requests share the page's scope.
 */
export const tanstackRouterBreadcrumbs = (router: TanstackRouter, sdk?: ReportingSdk): (() => void) => {
  const tell = (location: object): void => {
    const name = tanstackRouteName(router, location)
    if (name !== undefined) setRouteName(name, sdk === undefined ? {} : { sdk })
  }
  tell(router.state.location)
  return router.subscribe('onBeforeLoad', ({ toLocation }) => tell(toLocation))
}
