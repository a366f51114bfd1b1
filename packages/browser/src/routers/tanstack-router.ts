import { tracing } from './tracing.ts'

interface TanstackMatch {
  readonly routeId: string
  readonly fullPath?: string
}

interface Place {
  readonly href: string
  /** With the base path of the site. */
  readonly publicHref?: string
}

interface NavigationEvent {
  readonly fromLocation?: object | undefined
  readonly toLocation: Place
  readonly hrefChanged: boolean
}

/** What `createRouter` of TanStack Router makes. */
export interface TracedTanstackRouter {
  readonly state: { readonly location: object }
  matchRoutes(location: never): readonly TanstackMatch[]
  subscribe(event: 'onBeforeNavigate', listener: (event: NavigationEvent) => void): () => void
}

/** `/product/$id` of a place in the site. */
export const tanstackRouteName = (
  router: Pick<TracedTanstackRouter, 'matchRoutes'>,
  location: object,
): string | undefined => {
  const last = router.matchRoutes(location as never).at(-1)
  const name = last?.fullPath ?? last?.routeId
  return name === '/' ? name : name?.replace(/\/$/, '')
}

/**
 * Page loads and navigations bear the pattern of their route, and a navigation begins where its data is asked for. Call it
 * after `init`; returns what ends that.
 */
export const traceTanstackRouter = (router: TracedTanstackRouter): (() => void) => {
  tracing()?.followRouter?.()
  const first = tanstackRouteName(router, router.state.location)
  if (first !== undefined) tracing()?.setRoute?.(first)
  return router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation, hrefChanged }) => {
    const name = tanstackRouteName(router, toLocation)
    // The first one is the page load, which has begun already.
    if (fromLocation !== undefined && hrefChanged)
      tracing()?.startNavigation?.(toLocation.publicHref ?? toLocation.href, name)
    else if (name !== undefined) tracing()?.setRoute?.(name)
  })
}
