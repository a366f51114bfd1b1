import { BlockList, isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'

/**
 * Finds the address of the client. `X-Forwarded-For` is believed from right to left as long as the hop that wrote an entry
 * is a trusted proxy; `X-Sentry-Forwarded-For` (written by tunnels) only when that leads to a trusted hop. So nobody else
 * can choose the address that is stored (protocol.md 2.9 and check 50).
 *
 * @param trustedProxies addresses or CIDR ranges; entries that are neither are ignored
 */
export const createClientAddress = (
  trustedProxies: readonly string[],
): ((request: IncomingMessage) => string | null) => {
  const trusted = new BlockList()
  let any = false
  for (const entry of trustedProxies) any = addEntry(trusted, entry) || any
  const isTrusted = (address: string): boolean => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (request) => {
    const peer = normaliseAddress(request.socket.remoteAddress ?? '')
    if (peer === null || !any || !isTrusted(peer)) return peer
    let client = peer
    const hops = headerText(request, 'x-forwarded-for').split(',')
    while (hops.length > 0 && isTrusted(client)) {
      const hop = normaliseAddress(hops.pop() ?? '')
      if (hop === null) break
      client = hop
    }
    if (!isTrusted(client)) return client
    return normaliseAddress(headerText(request, 'x-sentry-forwarded-for').split(',', 1)[0] ?? '') ?? client
  }
}

const headerText = (request: IncomingMessage, name: string): string => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : (value?.join(',') ?? '')
}

const MAPPED = '::ffff:'

/** An IP address without port, brackets or zone; IPv4 in IPv6 becomes IPv4. Null when it is not an address. */
const normaliseAddress = (text: string): string | null => {
  let address = text.trim()
  if (address.startsWith('[')) address = address.slice(1, Math.max(1, address.indexOf(']')))
  else if (address.includes('.') && address.indexOf(':') === address.lastIndexOf(':')) {
    address = address.split(':', 1)[0] ?? ''
  }
  address = address.split('%', 1)[0]?.toLowerCase() ?? ''
  if (address.startsWith(MAPPED) && isIP(address.slice(MAPPED.length)) === 4) address = address.slice(MAPPED.length)
  return isIP(address) === 0 ? null : address
}

const addEntry = (list: BlockList, entry: string): boolean => {
  const [network = '', prefixText] = entry.split('/')
  const address = normaliseAddress(network)
  if (address === null) return false
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (prefixText === undefined) {
    list.addAddress(address, family)
    return true
  }
  const prefix = Number(prefixText)
  if (!/^\d{1,3}$/.test(prefixText) || prefix > (family === 'ipv6' ? 128 : 32)) return false
  list.addSubnet(address, prefix, family)
  return true
}
