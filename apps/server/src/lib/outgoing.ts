import { lookup as lookUp } from 'node:dns/promises'
import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestEncrypted } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import { addRange, readAddressRange } from './address-range.ts'
import { createGatheredPieces } from './gathered-pieces.ts'
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

/** What tells a machine its cloud's secrets: no range opens it, only its very address. */
const METADATA = ['169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254']

const INNER = listOf([...INNER_IPV4, ...INNER_IPV6])
const OUTER = listOf([OUTER_IPV6])

/** Whether an address belongs to somebody on the Internet. An IPv4 that is written as an IPv6 is none. */
const isOuter = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !INNER.check(address, 'ipv4')
  return family === 6 && OUTER.check(address, 'ipv6') && !INNER.check(address, 'ipv6')
}

/** Pieces in which an answer may come, however small they are, and the bytes that each further one has on average. */
const FREE_PIECES = 2000
const PIECE_BYTES = 64

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
  /** Its certificate is not to be trusted: it ended, is of another name, or nobody known stands for it. */
  | 'insecure'
  /** The connection failed or broke. */
  | 'failed'

/** Why there is no answer, and whom it is about. */
export interface OutgoingFailure {
  readonly why: NoAnswer
  /** '' where the address names none. */
  readonly host: string
  /** The one that was connected to, or that was refused; null before it was known. */
  readonly address: string | null
}

/** Milliseconds since the call began, of the last request when redirects were followed; null for what did not happen. */
export interface OutgoingTimes {
  readonly resolved: number
  readonly connected: number | null
  readonly secured: number | null
  readonly firstByte: number
  readonly total: number
}

export interface OutgoingAnswer {
  readonly status: number
  /** After redirects. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  /** The one that was connected to. */
  readonly address: string
  readonly times: OutgoingTimes
  /** When the other side's certificate ends, milliseconds since the epoch; null without TLS. */
  readonly certificateEndsAt: number | null
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

export interface OutgoingCall extends OutgoingRequest {
  /** Redirects of `GET` and `HEAD` alone are followed; of the others, and where none may be, they are the answer. */
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly body?: string
  /** Of an answer that is too large the beginning is enough. */
  readonly cut?: boolean
}

export interface OutgoingParts {
  /** Addresses and ranges inside of networks that may be asked all the same. */
  readonly allowedRanges: readonly string[]
  /** All addresses of a name. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
}

/** The setting by which the operator opens ranges; every refusal of an address names it. */
export const REACHABLE_SETTING = 'FIRSTHAND_REACHABLE_RANGES'

/** What went wrong, why, and what to do, for whoever entered the address. */
export const explainFailure = ({ why, host, address }: OutgoingFailure): string => {
  const target = address === null || address === host ? host : `${host} (${address})`
  switch (why) {
    case 'no_web_address':
      return 'This is no address that can be called. Write one that begins with https:// and has no name or password in it.'
    case 'unknown_host':
      return `The name ${host} has no address. Check how it is spelt, and that this server can look it up.`
    case 'private_address':
      return `${target} lies inside of a network, which Firsthand does not call on behalf of others. If it should, the operator adds ${address ?? host} to ${REACHABLE_SETTING} and starts the server again.`
    case 'not_allowed':
      return `${target} is not among the addresses that may be called.`
    case 'too_many_redirects':
      return `${target} leads on and on. Enter the address at which it ends.`
    case 'too_large':
      return `The answer of ${target} is too large.`
    case 'too_slow':
      return `${target} did not answer in time.`
    case 'insecure':
      return `The certificate of ${target} cannot be trusted: it ended, belongs to another name, or nobody that is known stands for it. Renew it, or send the whole chain.`
    case 'failed':
      return `The connection to ${target} failed. Check that it runs and can be reached from this server, and its certificate.`
  }
}

const resolveByDns = async (host: string): Promise<readonly string[]> =>
  (await lookUp(host, { all: true })).map(({ address }) => address)

class Refused extends Error {
  readonly why: NoAnswer
  readonly address: string | null

  constructor(why: NoAnswer, address: string | null = null) {
    super(why)
    this.why = why
    this.address = address
  }
}

/** Words of errors of certificates. */
const UNTRUSTED = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/

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
  { maxBytes, received, cut = false, method }: Pick<OutgoingCall, 'maxBytes' | 'received' | 'cut' | 'method'>,
): Promise<Uint8Array> => {
  const isSaidTooLarge = method !== 'HEAD' && Number(response.headers['content-length'] ?? 0) > maxBytes
  if (isSaidTooLarge && !cut) throw new Refused('too_large')
  const gathered = createGatheredPieces()
  let pieces = 0
  const take = (piece: Uint8Array): 'more' | 'enough' => {
    gathered.add(piece)
    pieces += 1
    received?.(piece.byteLength)
    // Each costs us some work, however small it is; who wants to be read does not answer so.
    if ((pieces - FREE_PIECES) * PIECE_BYTES > gathered.bytes()) throw new Refused('failed')
    if (gathered.bytes() <= maxBytes) return 'more'
    if (cut) return 'enough'
    throw new Refused('too_large')
  }
  await new Promise<void>((resolve, reject) => {
    response.on('data', (piece: Uint8Array) => {
      try {
        if (take(piece) === 'enough') resolve()
      } catch (error) {
        // Nothing more of it is wanted.
        response.destroy()
        reject(error)
      }
    })
    response.on('end', resolve).on('error', reject)
    response.on('close', () => reject(new Refused('failed')))
  })
  return Buffer.concat(gathered.all()).subarray(0, maxBytes)
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )

/** Headers that say nothing of who asks: all that a redirect to somebody else takes along. */
const HARMLESS = new Set(['accept', 'accept-language', 'user-agent'])

const harmless = (headers: OutgoingRequest['headers'] = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name.toLowerCase())))

/** What is known of one request on its way. */
interface Trip {
  readonly response: IncomingMessage
  readonly times: Omit<OutgoingTimes, 'total'>
  readonly certificateEndsAt: number | null
}

/** Which addresses may be called. */
const createJudgement = (allowedRanges: readonly string[]): ((address: string) => boolean) => {
  const allowed = listOf(allowedRanges)
  const metadata = listOf(METADATA)
  const exact = listOf(
    allowedRanges.filter((range) => {
      const read = readAddressRange(range)
      return read !== null && read.bits === (read.family === 'ipv4' ? 32 : 128)
    }),
  )
  return (address) => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isOuter(address)) return true
    return metadata.check(address, family) ? exact.check(address, family) : allowed.check(address, family)
  }
}

type AddressOf = (url: URL, signal: AbortSignal) => Promise<string>

/** The one address that is connected to. A browser's parser has written out every other spelling of it by now. */
const createAddressOf = ({ allowedRanges, resolve = resolveByDns }: OutgoingParts): AddressOf => {
  const isAllowed = createJudgement(allowedRanges)
  return async ({ hostname }, signal) => {
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
    const inner = addresses.find((address) => !isAllowed(address))
    if (inner !== undefined) throw new Refused('private_address', inner)
    return first
  }
}

/** One request to the address that was judged. */
const ask = async (
  url: URL,
  address: string,
  { method, body }: Pick<OutgoingCall, 'method'> & { readonly body: string | undefined },
  headers: OutgoingRequest['headers'],
  { signal, ms }: { readonly signal: AbortSignal; readonly ms: () => number },
): Promise<Trip> => {
  const family = isIP(address)
  const resolved = ms()
  let connected: number | null = null
  let secured: number | null = null
  const options: RequestOptions = {
    method,
    // No connection is kept: the next one is judged for itself.
    agent: false,
    headers: { 'user-agent': 'Firsthand', accept: '*/*', ...headers, 'accept-encoding': 'identity' },
    lookup: (_host, { all }, done) => {
      if (all === true) done(null, [{ address, family }])
      else done(null, address, family)
    },
    signal,
  }
  const broken = (): Refused => new Refused('failed', address)
  const brokenBy = ({ code = '' }: NodeJS.ErrnoException): Refused =>
    UNTRUSTED.test(code) ? new Refused('insecure', address) : broken()
  return new Promise((answer, fail) => {
    const request = (url.protocol === 'https:' ? requestEncrypted : requestPlain)(url, options, (response) => {
      const certificate = response.socket instanceof TLSSocket ? response.socket.getPeerCertificate() : null
      const endsAt = Date.parse(certificate?.valid_to ?? '')
      answer({
        response,
        times: { resolved, connected, secured, firstByte: ms() },
        certificateEndsAt: Number.isNaN(endsAt) ? null : endsAt,
      })
    })
    request.on('socket', (socket) => {
      socket.on('connect', () => {
        connected = ms()
      })
      socket.on('secureConnect', () => {
        secured = ms()
      })
    })
    request.on('error', (error) => fail(brokenBy(error)))
    // An answer that is none, such as 101 that nobody asked for: neither an answer nor an error comes.
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(broken())
    })
    request.on('close', () => fail(broken()))
    // Without its length Node would not frame the body of a GET or DELETE: the rest would be read as another request.
    if (body === undefined) request.end()
    else request.setHeader('content-length', Buffer.byteLength(body)).end(body)
  })
}

/** @param at where it is, for whoever has to say at which host it ended */
const follow = async (
  addressOf: AddressOf,
  text: string,
  asked: OutgoingCall,
  signal: AbortSignal,
  at: (url: URL) => void,
): Promise<OutgoingAnswer> => {
  const begin = performance.now()
  const ms = (): number => Math.round(performance.now() - begin)
  const follows = (asked.method === 'GET' || asked.method === 'HEAD') && asked.maxRedirects > 0
  let url = readAddress(text)
  let { headers, body } = asked
  for (let redirects = 0; ; redirects++) {
    at(url)
    if (asked.allows?.(url) === false) throw new Refused('not_allowed')
    const address = await addressOf(url, signal)
    const { response, times, certificateEndsAt } = await ask(url, address, { method: asked.method, body }, headers, {
      signal,
      ms,
    })
    try {
      const status = response.statusCode ?? 0
      const { location } = response.headers
      if (!follows || !REDIRECTS.has(status) || location === undefined) {
        const bytes = await within(readBody(response, asked), signal).catch((error: unknown) => {
          throw error instanceof Refused ? new Refused(error.why, address) : new Refused('failed', address)
        })
        return {
          status,
          url: url.href,
          headers: headersOf(response),
          bytes,
          address,
          times: { ...times, total: ms() },
          certificateEndsAt,
        }
      }
      if (redirects >= asked.maxRedirects) throw new Refused('too_many_redirects', address)
      const next = readAddress(location, url)
      if (next.origin !== url.origin) {
        headers = harmless(headers)
        body = undefined
      }
      url = next
    } finally {
      response.destroy()
    }
  }
}

/**
 * Asks others on the Internet, at addresses that came with data or from a member. Whoever sends data must not reach by us what only we can
 * reach: our own machine, our network, the secrets that a cloud hands to its machines. So the name is looked up once, all
 * its addresses are judged, and the connection goes to the one that was judged; each redirect begins anew. No cookies,
 * names or passwords are sent, and time, size and redirects have bounds.
 */
export const createOutgoing = (parts: OutgoingParts) => {
  const addressOf = createAddressOf(parts)

  const send = async (url: string, asked: OutgoingCall): Promise<Result<OutgoingAnswer, OutgoingFailure>> => {
    const time = AbortSignal.timeout(asked.timeoutMs)
    const signal = asked.signal === undefined ? time : AbortSignal.any([time, asked.signal])
    let host = ''
    const at = ({ hostname }: URL): void => {
      host = hostname
    }
    try {
      // Whatever it is that never comes: a name, an answer, the rest of a body.
      return ok(await within(follow(addressOf, url, asked, signal, at), signal))
    } catch (error) {
      const address = error instanceof Refused ? error.address : null
      if (signal.aborted) return err({ why: 'too_slow', host, address })
      return err({ why: error instanceof Refused ? error.why : 'failed', host, address })
    }
  }

  return {
    /** Asks; an answer that leads further than it may is none. */
    get: async (url: string, asked: OutgoingRequest): Promise<Result<OutgoingAnswer, NoAnswer>> => {
      const answer = await send(url, { ...asked, method: 'GET' })
      if (!answer.ok) return err(answer.error.why)
      const { status, headers } = answer.value
      return asked.maxRedirects === 0 && REDIRECTS.has(status) && headers['location'] !== undefined
        ? err('too_many_redirects')
        : answer
    },
    /** Sends something, and tells what came of it with all that its sender may want to know. */
    send,
    /** Whether an address may be called at all, as it is looked up now; for forms that take one. */
    judge: async (
      text: string,
      { timeoutMs }: Pick<OutgoingRequest, 'timeoutMs'>,
    ): Promise<Result<{ readonly address: string }, OutgoingFailure>> => {
      const signal = AbortSignal.timeout(timeoutMs)
      let host = ''
      try {
        const url = readAddress(text)
        host = url.hostname
        return ok({ address: await addressOf(url, signal) })
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        return err({ why: error.why, host, address: error.address })
      }
    },
  }
}

export type Outgoing = ReturnType<typeof createOutgoing>
