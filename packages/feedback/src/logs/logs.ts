import { type ClientLike, endpointsOf } from '../client.ts'
import type { FeedbackOptions } from '../options.ts'
import { foreignBreadcrumbs } from './foreign.ts'
import { watchConsole } from './console.ts'
import { watchFetch, watchXhr } from './network.ts'
import { createRing, type Line, LOG_MS } from './ring.ts'

export { showLines } from './shown.ts'
export type { Line } from './ring.ts'

/** One for the page, however many widgets stand on it. */
const ring = createRing()
const widgets = new Set<(url: string) => boolean>()
let stop: (() => void) | null = null

/** An SDK that notes such lines has put itself around the same functions already. */
const isNoted = (client: ClientLike | undefined): boolean =>
  Boolean(client?.getIntegrationByName?.('Breadcrumbs')) || foreignBreadcrumbs() !== null

/** Notes what the page says on its console and asks of servers, from now on. Returns what ends it. */
export const record = (client: ClientLike | undefined, options: FeedbackOptions): (() => void) => {
  if (isNoted(client)) return () => undefined
  const urls = client ? endpointsOf(client, options.fallbackTunnel).map((url) => new URL(url, location.href).href) : []
  const isOwn = (address: string): boolean => urls.some((url) => address.startsWith(url))
  widgets.add(isOwn)
  if (stop === null) {
    const isOfAny = (address: string): boolean => [...widgets].some((each) => each(address))
    const undo = [watchConsole(ring.add), watchFetch(ring.add, isOfAny), watchXhr(ring.add, isOfAny)]
    stop = () => undo.forEach((back) => back())
  }
  return () => {
    widgets.delete(isOwn)
    if (widgets.size > 0) return
    stop?.()
    stop = null
    ring.clear()
  }
}

/** The last minute: as an SDK on the page noted it, else as the widget did. */
export const recentLines = (): readonly Line[] => {
  const theirs = foreignBreadcrumbs()
  if (theirs === null) return ring.read()
  const since = (Date.now() - LOG_MS) / 1000
  const isLine = ({ timestamp, category }: Line): boolean =>
    timestamp >= since && (category === 'console' || category === 'fetch' || category === 'xhr')
  return (theirs as readonly Line[]).filter(isLine)
}
