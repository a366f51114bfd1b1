import { getClient } from '../api.ts'
import type { Integration } from '../types.ts'

/** What a router tells the tracing of the page, if there is one. */
export interface RouterListener {
  /** The router tells of its navigations itself: the page's address is no longer looked at. */
  followRouter(): void
  /**
   * The page is on its way to this address.
   *
   * @param route its pattern, `/product/:id`; undefined where it is not known yet
   */
  startNavigation(url: string, route?: string): void
  /** The route that is shown. */
  setRoute(route: string): void
}

export const tracing = (): Partial<RouterListener> | undefined =>
  getClient()?.getIntegrationByName<Integration & Partial<RouterListener>>('BrowserTracing')
