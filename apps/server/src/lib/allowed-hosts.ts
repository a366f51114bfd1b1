/** From which hosts something may be fetched, as an admin wrote it. Pure. */

/** `cdn.shop.example`, `*.shop.example`, with a port or a scheme if need be; no path. */
const HOST =
  /^(?:(https?):\/\/)?(\*\.)?([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?\/?$/

interface AllowedHost {
  /** With its colon; null for both. */
  readonly protocol: string | null
  readonly isWildcard: boolean
  /** As a browser writes it. */
  readonly hostname: string
  /** '' for the usual one of the protocol. */
  readonly port: string
}

const readHost = (written: string): AllowedHost | null => {
  const found = HOST.exec(written.trim().toLowerCase())
  if (found === null) return null
  const [, scheme, wildcard, name = '', port = ''] = found
  const address = `${scheme ?? 'http'}://${name}${port === '' ? '' : `:${port}`}/`
  if (!URL.canParse(address)) return null
  const { hostname, port: kept } = new URL(address)
  // A wildcard of a whole top level is nobody's own.
  if (wildcard !== undefined && !hostname.includes('.')) return null
  return {
    protocol: scheme === undefined ? null : `${scheme}:`,
    isWildcard: wildcard !== undefined,
    hostname,
    port: kept,
  }
}

/** A host as it is kept; null for what is none. */
export const normalHost = (written: string): string | null => {
  const host = readHost(written)
  if (host === null) return null
  const { hostname, isWildcard, port, protocol } = host
  return `${protocol === null ? '' : `${protocol}//`}${isWildcard ? '*.' : ''}${hostname}${port === '' ? '' : `:${port}`}`
}

const matches = ({ hostname, isWildcard, port, protocol }: AllowedHost, url: URL): boolean =>
  (protocol === null || protocol === url.protocol) &&
  port === url.port &&
  (isWildcard ? url.hostname.endsWith(`.${hostname}`) : url.hostname === hostname)

/** @returns whether something may be fetched from an address */
export const allowing = (hosts: readonly string[]): ((url: URL) => boolean) => {
  const read = hosts.flatMap((written) => readHost(written) ?? [])
  return (url) => read.some((host) => matches(host, url))
}
