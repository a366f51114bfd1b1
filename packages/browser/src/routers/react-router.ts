import { tracing } from './tracing.ts'

/** One of `router.state.matches`, or of what `matchRoutes` answers, outermost first. */
export interface RouteMatch {
  readonly route: { readonly path?: string | undefined }
}

interface Place {
  readonly pathname: string
  readonly search: string
}

interface TracedState {
  readonly location: Place
  readonly matches: readonly RouteMatch[]
  readonly navigation: { readonly state: string; readonly location?: Place | undefined }
}

/** What `createBrowserRouter` and its kin of React Router 6.4 and 7 make. */
export interface TracedRouter {
  readonly state: TracedState
  createHref?(location: never): string
  subscribe(listener: (state: never) => void): () => void
}

/** `/product/:id` from the matches of React Router. */
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

const addressOf = ({ pathname, search }: Place): string => pathname + search

/**
 * Page loads and navigations bear the pattern of their route, and a navigation begins where its data is asked for, not where
 * the address changes. Call it after `init`; returns the same router: `traceReactRouter(createBrowserRouter(routes))`.
 */
export const traceReactRouter = <Router extends TracedRouter>(router: Router): Router => {
  let going = addressOf(router.state.location)
  const tell = (): void => {
    const { location, matches, navigation } = router.state
    const isThere = navigation.state === 'idle'
    const to = isThere ? location : (navigation.location ?? location)
    if (addressOf(to) !== going) {
      going = addressOf(to)
      tracing()?.startNavigation?.(router.createHref?.(to as never) ?? going)
    }
    const name = isThere ? routeNameOf(matches) : undefined
    if (name !== undefined) tracing()?.setRoute?.(name)
  }
  tracing()?.followRouter?.()
  tell()
  router.subscribe(tell)
  return router
}
