import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router'
import { ServerUnreachableError } from '../../lib/reachable.ts'
import { loadWithTimeout, RouteLoadError } from './load-with-timeout.ts'
import { MAX_PREFETCHES, ROUTE_TIMEOUT } from './policy.ts'
import { createPrefetchQueue } from './prefetch-queue.ts'

/** A screen whose code is loaded when its route is: the component for the route, and its loading for the loader. */
export interface LazyScreen<Props = object> {
  readonly name: string
  readonly component: AsyncRouteComponent<Props>
  readonly load: () => Promise<unknown>
}

/** `screen(() => import('./index.ts'), 'SomeScreen')`. */
export function screen<Module extends object, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
): LazyScreen<PropsOf<Module[Name]>> {
  return { name, component: lazyRouteComponent(load as () => Promise<Record<string, never>>, name), load }
}

type PropsOf<Component> = Component extends () => unknown
  ? object
  : Component extends (props: infer Props) => unknown
    ? Props
    : never

/** A screen that is drawn together with parts of other places: one is not shown without the others. */
export function together(main: LazyScreen, parts: readonly LazyScreen<never>[]): LazyScreen {
  const loadAll = () => Promise.all([main.load(), ...parts.map((part) => part.load().then(part.component.preload))])
  return { ...main, load: loadAll }
}

/** What `queryOptions` makes, whatever its types. */
export interface PageQuery {
  readonly queryKey: QueryKey
}

/** Queries of a page, or how to get at them where every other page can do without the code of theirs. */
export type PageQueries = readonly PageQuery[] | (() => Promise<readonly PageQuery[]>)

/** What a route's loader is told, as far as pages care. */
export interface PageRequest {
  /** True when a link is only being prefetched. */
  readonly preload: boolean
  readonly location: { readonly href: string }
}

export interface Pages {
  /**
   * The loader of every route: its code and its data at the same time.
   *
   * Prefetch: code and data wait in the queue of five. Navigation: waits for the code at most `ROUTE_TIMEOUT`, then
   * opens the page as a document; data is asked for but not waited for, as a screen draws its own loading state and
   * what was prefetched is shown at once.
   */
  load(request: PageRequest, screen: LazyScreen, queries?: PageQueries): Promise<void>
  /** Fetches the code of a screen that is likely to be next, behind everything else. */
  warm(screen: LazyScreen): void
  /** To be told when the first page stands. Before that there is no page to fall back from. */
  firstPageShown(): void
}

export interface PagesDependencies {
  readonly queryClient: QueryClient
  /** Leaves the application for a full page load of the address. */
  readonly openDocument: (href: string) => void
  /** Asked when code cannot be fetched: a document from a server that is gone would be the browser's own error page. */
  readonly isServerReachable: () => Promise<boolean>
  /** Resolves when the browser has drawn what came: guesses would take the processor from it. */
  readonly drawn?: () => Promise<void>
}

export function createPages({
  queryClient,
  openDocument,
  isServerReachable,
  drawn = async () => undefined,
}: PagesDependencies): Pages {
  const queue = createPrefetchQueue(MAX_PREFETCHES)
  let started = false
  // The routes of one address wait for their code at the same time; the page is left once for all of them.
  let left = false
  /** Until what a page is made of has come: guesses would take the network and the server's time from it. */
  const pageLoaded = async (): Promise<void> => {
    const isLoading = (): boolean =>
      queryClient.isFetching({ predicate: ({ meta }) => meta?.['page'] === true || meta?.['content'] === true }) > 0
    if (!isLoading()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = queryClient.getQueryCache().subscribe(() => {
      if (isLoading()) return
      end()
      resolve()
    })
    await promise
    await drawn()
  }
  const prefetchAll = async (queries: PageQueries): Promise<void> => {
    const known = typeof queries === 'function' ? await queries() : queries
    await Promise.all(known.map((query) => queryClient.prefetchQuery(query)))
  }

  return {
    async load({ preload, location }, { name, load }, queries = []) {
      if (preload) {
        // A page and the layout around it share the address, so the screen's name is part of the key.
        await queue.add(`${name} ${location.href}`, async () => {
          await pageLoaded()
          await Promise.all([load(), prefetchAll(queries)])
        })
        return
      }
      left = false
      // Code of queries that cannot be fetched comes with the screen's, whose failure is told.
      void prefetchAll(queries).catch(() => undefined)
      if (!started) {
        await load()
        return
      }
      try {
        await loadWithTimeout(load, ROUTE_TIMEOUT)
      } catch (error) {
        if (!(error instanceof RouteLoadError)) throw error
        if (!error.isLate && !(await isServerReachable())) throw new ServerUnreachableError()
        if (!left) openDocument(location.href)
        left = true
        // The document is on its way out: nothing of this page may be drawn in the meantime.
        await new Promise<never>(() => undefined)
      }
    },
    warm({ name, load }) {
      void queue.add(name, async () => {
        await pageLoaded()
        await load()
      })
    },
    firstPageShown() {
      started = true
    },
  }
}
