import { BlockList, isIP } from 'node:net'

/** Where a request came from and under which address it reached us. */
export interface Addressing {
  /**
   * @param remoteAddress of the socket; null in tests without one
   * @param header reads a request header
   */
  resolve(request: {
    readonly remoteAddress: string | null
    readonly secure?: boolean
    readonly header: (name: string) => string | undefined
  }): { readonly clientAddress: string | null; readonly publicUrl: string }
}

/** `::ffff:10.0.0.1` → `10.0.0.1`, `[::1]:80` → `::1`; null when it is no address. */
const readAddress = (text: string): string | null => {
  const bare = text.trim().replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
  const plain = bare.toLowerCase().startsWith('::ffff:') && isIP(bare.slice(7)) === 4 ? bare.slice(7) : bare
  if (isIP(plain) !== 0) return plain
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(plain)?.[1]
  return withPort !== undefined && isIP(withPort) === 4 ? withPort : null
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** @throws RangeError naming the entry that is neither an address nor a CIDR range */
const readRanges = (entries: readonly string[]): BlockList => {
  const ranges = new BlockList()
  for (const entry of entries) {
    const [base = '', bits] = entry.split('/')
    const family = isIP(base)
    const prefix = bits === undefined ? (family === 6 ? 128 : 32) : Number(bits)
    if (family === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > (family === 6 ? 128 : 32)) {
      throw new RangeError(
        `FIRSTHAND_TRUSTED_PROXIES: "${entry}" is neither an address nor a range. Write for example 10.0.0.0/8 or ::1.`,
      )
    }
    ranges.addSubnet(base, prefix, familyOf(base))
  }
  return ranges
}

/** A host as a browser would send it; anything else could put markup or another origin into links. */
const HOST = /^(?:[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * @param options.publicUrl configured address without a final slash, or null to derive it from each request
 * @param options.trustedProxies addresses or CIDR ranges whose `X-Forwarded-For`, `-Proto` and `-Host` are believed
 * @throws RangeError when a range cannot be read
 */
export const createAddressing = (options: {
  readonly publicUrl: string | null
  readonly trustedProxies: readonly string[]
}): Addressing => {
  const proxies = readRanges(options.trustedProxies)
  const isTrusted = (address: string): boolean => proxies.check(address, familyOf(address))
  const first = (value: string | undefined): string | undefined => value?.split(',')[0]?.trim()

  return {
    resolve: ({ remoteAddress, secure = false, header }) => {
      const peer = remoteAddress === null ? null : readAddress(remoteAddress)
      const behindProxy = peer !== null && isTrusted(peer)

      let clientAddress = peer
      if (behindProxy) {
        // From the right: each hop was added by the one after it, so the first untrusted one is the client.
        for (const hop of (header('x-forwarded-for') ?? '').split(',').toReversed()) {
          const address = readAddress(hop)
          if (address === null) break
          clientAddress = address
          if (!isTrusted(address)) break
        }
      }

      if (options.publicUrl !== null) return { clientAddress, publicUrl: options.publicUrl }
      const proto = behindProxy ? first(header('x-forwarded-proto')) : undefined
      const host = (behindProxy ? first(header('x-forwarded-host')) : undefined) ?? header('host') ?? ''
      const scheme = proto === 'https' || (proto === undefined && secure) ? 'https' : 'http'
      return { clientAddress, publicUrl: `${scheme}://${HOST.test(host) ? host.toLowerCase() : 'localhost'}` }
    },
  }
}
