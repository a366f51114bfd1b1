import type { NormalisedEvent } from '../event.ts'

const LOCAL_ADDRESS = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|0\.0\.0\.0)$/
const LOCAL_HOST = /^(?:localhost|[\w.-]*\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[::1\])$/i

/** From a developer's own machine: by the visitor's address, or by the page's. */
export const isLocalhost = (event: NormalisedEvent): boolean => {
  const address = event.user?.ip_address
  if (address !== undefined && LOCAL_ADDRESS.test(address)) return true
  const url = event.request?.url
  if (url === undefined) return false
  if (url.startsWith('file://')) return true
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(url)?.[1]
  return host !== undefined && LOCAL_HOST.test(host)
}
