import { lookup as lookUp } from 'node:dns/promises'
import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestEncrypted } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { addRange } from './address-range.ts'
import { err, ok, type Result } from './result.ts'

/** IPv4 that is no address of somebody else on the Internet: own, private, shared, documentation, multicast, reserved. */
const INNER_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Answers what a machine of Azure may know, passwords included.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** All of IPv6 that is given out lies in this range; */
const OUTER_IPV6 = '2000::/3'
/** and of it, what is documentation, or leads to an IPv4 that is not looked at. */
const INNER_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const listOf = (ranges: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    if (!addRange(list, range)) throw new Error(`"${range}" is neither an address nor a range, as 10.0.0.0/8 or ::1.`)
  }
  return list
}

const INNER = listOf([...INNER_IPV4, ...INNER_IPV6])
const OUTER = listOf([OUTER_IPV6])

/** Whether an address belongs to somebody on the Internet. An IPv4 that is written as an IPv6 is none. */
const isOuter = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !INNER.check(address, 'ipv4')
  return family === 6 && OUTER.check(address, 'ipv6') && !INNER.check(address, 'ipv6')
}

/** Why there is no answer. */
export type NoAnswer =
  /** It is no address of HTTP, or has a name and password in it. */
  | 'no_web_address'
  /** The name has no address, */
  | 'unknown_host'
  /** or one that lies inside of a network, where nobody outside may send us. */
  | 'private_address'
  /** Whoever asked does not want to be led there. */
  | 'not_allowed'
  | 'too_many_redirects'
  | 'too_large'
  | 'too_slow'
  /** The connection failed or broke. */
  | 'failed'

export interface OutgoingAnswer {
  readonly status: number
  /** After redirects. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
}

export interface OutgoingRequest {
  /** From the first look-up to the last byte, redirects included. */
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly maxRedirects: number
  readonly headers?: Readonly<Record<string, string>>
  /** Asked for the first address and for those that redirects lead to. */
  readonly allows?: (url: URL) => boolean
  /** Nobody wants the answer any more: then it came too slowly. */
  readonly signal?: AbortSignal
  /** Told of bytes of bodies as they come, also of an answer that is refused, breaks or is too slow. */
  readonly received?: (bytes: number) => void
}

export interface OutgoingParts {
  /** Addresses and ranges inside of networks that may be asked all the same. */
  readonly allowedRanges: readonly string[]
  /** All addresses of a name. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
}

const resolveByDns = async (host: string): Promise<readonly string[]> =>
  (await lookUp(host, { all: true })).map(({ address }) => address)

class Refused extends Error {
  readonly why: NoAnswer

  constructor(why: NoAnswer) {
    super(why)
    this.why = why
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

const readAddress = (text: string, base?: URL): URL => {
  if (!URL.canParse(text, base?.href)) throw new Refused('no_web_address')
  const url = new URL(text, base)
  const isOfWeb = url.protocol === 'http:' || url.protocol === 'https:'
  if (!isOfWeb || url.username !== '' || url.password !== '') throw new Refused('no_web_address')
  return url
}

/** Fails when the signal fires, whatever it waits for. */
const within = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(new Refused('too_slow'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })

const readBody = async (
  response: IncomingMessage,
  { maxBytes, received }: Pick<OutgoingRequest, 'maxBytes' | 'received'>,
): Promise<Uint8Array> => {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw new Refused('too_large')
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength
    received?.(piece.byteLength)
    if (bytes > maxBytes) throw new Refused('too_large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )

/**
 * Asks others on the Internet, at addresses that came with data. Whoever sends data must not reach by us what only we can
 * reach: our own machine, our network, the secrets that a cloud hands to its machines. So the name is looked up once, all
 * its addresses are judged, and the connection goes to the one that was judged; each redirect begins anew. No cookies,
 * names or passwords are sent, and time, size and redirects have bounds.
 */
export const createOutgoing = ({ allowedRanges, resolve = resolveByDns }: OutgoingParts) => {
  const allowed = listOf(allowedRanges)
  const isAllowed = (address: string): boolean =>
    isOuter(address) || allowed.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  /** The one address that is connected to. A browser's parser has written out every other spelling of it by now. */
  const addressOf = async ({ hostname }: URL, signal: AbortSignal): Promise<string> => {
    const literal = hostname.replace(/^\[(.*)\]$/, '$1')
    const addresses =
      isIP(literal) === 0
        ? await within(
            resolve(hostname).catch(() => []),
            signal,
          )
        : [literal]
    const [first] = addresses
    if (first === undefined) throw new Refused('unknown_host')
    if (!addresses.every(isAllowed)) throw new Refused('private_address')
    return first
  }

  const ask = async (url: URL, { headers }: OutgoingRequest, signal: AbortSignal): Promise<IncomingMessage> => {
    const address = await addressOf(url, signal)
    const family = isIP(address)
    const options: RequestOptions = {
      // No connection is kept: the next one is judged for itself.
      agent: false,
      headers: { 'user-agent': 'Firsthand', accept: '*/*', ...headers, 'accept-encoding': 'identity' },
      lookup: (_host, { all }, done) => {
        if (all === true) done(null, [{ address, family }])
        else done(null, address, family)
      },
      signal,
    }
    return new Promise((answer, fail) => {
      const request = (url.protocol === 'https:' ? requestEncrypted : requestPlain)(url, options, answer)
      request.on('error', fail)
      // An answer that is none, such as 101 that nobody asked for: neither an answer nor an error comes.
      request.on('upgrade', (_, socket) => {
        socket.destroy()
        fail(new Refused('failed'))
      })
      request.on('close', () => fail(new Refused('failed')))
      request.end()
    })
  }

  const follow = async (text: string, asked: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer> => {
    let url = readAddress(text)
    for (let redirects = 0; ; redirects++) {
      if (asked.allows?.(url) === false) throw new Refused('not_allowed')
      const response = await ask(url, asked, signal)
      try {
        const status = response.statusCode ?? 0
        const { location } = response.headers
        if (!REDIRECTS.has(status) || location === undefined) {
          const bytes = await within(readBody(response, asked), signal)
          return { status, url: url.href, headers: headersOf(response), bytes }
        }
        if (redirects >= asked.maxRedirects) throw new Refused('too_many_redirects')
        url = readAddress(location, url)
      } finally {
        response.destroy()
      }
    }
  }

  return {
    get: async (url: string, asked: OutgoingRequest): Promise<Result<OutgoingAnswer, NoAnswer>> => {
      const time = AbortSignal.timeout(asked.timeoutMs)
      const signal = asked.signal === undefined ? time : AbortSignal.any([time, asked.signal])
      try {
        // Whatever it is that never comes: a name, an answer, the rest of a body.
        return ok(await within(follow(url, asked, signal), signal))
      } catch (error) {
        if (error instanceof Refused) return err(error.why)
        return err(signal.aborted ? 'too_slow' : 'failed')
      }
    },
  }
}

export type Outgoing = ReturnType<typeof createOutgoing>
