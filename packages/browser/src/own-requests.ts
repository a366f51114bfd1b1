import { guard } from './guard.ts'
import type { Client } from './client.ts'

const absolute = (url: string): string => guard(() => new URL(url, document.baseURI).href, url)

/** Tells the requests that an SDK makes itself, so that it reports nothing of its own. */
export const ownRequests = (client: Client): ((url: string) => boolean) => {
  const { host, projectId } = client.getDsn() ?? {}
  const { tunnel } = client.getOptions()
  return (url) =>
    (host !== undefined && url.includes(host) && url.includes(`/api/${projectId}/envelope/`)) ||
    (!!tunnel && absolute(url).startsWith(absolute(tunnel)))
}
