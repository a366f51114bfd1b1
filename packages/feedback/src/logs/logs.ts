import { type ClientLike, endpointsOf } from '../client.ts'
import type { FeedbackOptions } from '../options.ts'
import { isLine } from '../send/lines.ts'
import { breadcrumbsOf } from '../send/scopes.ts'
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
const notesOf = (client: ClientLike | undefined): readonly unknown[] | null =>
  client?.getIntegrationByName?.('Breadcrumbs') ? breadcrumbsOf(client) : foreignBreadcrumbs()

/** Notes what the page says on its console and asks of servers, from now on. Returns what ends it. */
export const record = (client: ClientLike | undefined, options: FeedbackOptions): (() => void) => {
  if (notesOf(client) !== null) return () => undefined
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
export const recentLines = (client: ClientLike | undefined): readonly Line[] => {
  const theirs = notesOf(client)
  if (theirs === null) return ring.read()
  const since = (Date.now() - LOG_MS) / 1000
  return theirs.filter((note): note is Line => isLine(note) && note.timestamp >= since)
}
