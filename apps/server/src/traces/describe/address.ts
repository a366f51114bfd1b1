import { cleanTransactionName } from '../../event/index.ts'
import { LIMITS } from '../limits.ts'

/** An address without what differs from one call to the next. */
export interface DescribedAddress {
  /** `https`; '' when the address says none. */
  readonly scheme: string
  /** Without its port; '' of a path alone. */
  readonly host: string
  /** `:8080`, or ''. */
  readonly port: string
  /** From the first slash, with `*` for each part that looks like an id. */
  readonly path: string
}

const SHORT = /^(?:data|blob|about|javascript):/i
/** Of those no more is told: `data:image/png`, `about:blank`, `blob:`. */
const SHORT_PART = /^(?:data:[\w/+.-]{0,60}|about:\w{0,30}|\w+:)/i
const EXTENSION = /^(?:[a-z]+-)*extension:\/\//i
const ADDRESS = /^(?:([a-z][a-z0-9+.-]{0,30}):)?\/\/(?:[^@/?#]{0,500}@)?([^/?#]*)/i

/** Null when it is no address. */
export const describeAddress = (url: string, clean: (path: string) => string = cleanPath): DescribedAddress | null => {
  const text = url.slice(0, LIMITS.SPAN_URL_CHARS)
  if (SHORT.test(text)) return { scheme: '', host: '', port: '', path: SHORT_PART.exec(text)?.[0] ?? '' }
  if (EXTENSION.test(text)) return { scheme: 'browser-extension', host: '*', port: '', path: '' }
  const found = ADDRESS.exec(text)
  if (found === null) return text.startsWith('/') ? { scheme: '', host: '', port: '', path: clean(text) } : null
  const [whole, scheme = '', place = ''] = found
  const port = /:\d{1,5}$/.exec(place)?.[0] ?? ''
  const host = place.slice(0, place.length - port.length).toLowerCase()
  const shownPort = port === ':443' || port === ':80' ? '' : port
  return { scheme: scheme.toLowerCase(), host, port: shownPort, path: clean(text.slice(whole.length)) }
}

const withoutQuery = (path: string): string => path.split(/[?#]/, 1)[0] ?? path

const cleanPath = (path: string): string => {
  const plain = withoutQuery(path)
  return plain === '/' ? '/' : cleanTransactionName(plain)
}

/** The file's hash and its version say nothing about which file it is. */
const HASH = /(?<=[-._])(?=[a-z_-]{0,30}\d|[a-z]{0,30}[A-Z])[\w-]{6,64}(?=\.|$)/g

/** The same, of those who shorten it: four or five hexadecimal digits. A whole name may be one, too. */
const SHORT_HASH = /(?<=^|[-._])(?=[a-f]{0,30}\d)[\da-f]{4,64}(?=[-._]|$)/g

/** Of a file that a page loads: `app.3f9c1b2e.js` is `app.*.js`. */
export const cleanFilePath = (path: string): string => {
  const plain = withoutQuery(path)
  const slash = plain.lastIndexOf('/')
  const file = plain.slice(slash + 1).slice(-200)
  const folder = slash <= 0 ? plain.slice(0, slash + 1) : `${cleanTransactionName(plain.slice(0, slash))}/`
  return folder + file.replace(HASH, '*').replace(SHORT_HASH, '*').replaceAll(/\d+/g, '*')
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** Hosts that are known by a number say nothing about what answers there. */
export const shownHost = (host: string): string => {
  if (LOOPBACK.test(host)) return host
  if (IPV4.test(host)) return '*.*.*.*'
  return host.startsWith('[') ? '[*]' : host
}

/** What is registered: `api.shop.example.com` → `example.com`; null when the host has no part before it. */
const registered = (host: string): string | null => {
  const parts = host.split('.')
  if (parts.length < 3 || IPV4.test(host)) return null
  // `co.uk`, `com.au`: two short parts belong together.
  const isLong = (parts.at(-1)?.length ?? 0) === 2 && (parts.at(-2)?.length ?? 0) <= 3
  const kept = isLong ? 3 : 2
  return parts.length > kept ? parts.slice(-kept).join('.') : null
}

/**
 * Which hosts of a domain have been seen by a project: where there are very many, one for each customer say, they are one.
 * It is remembered as long as the process lives, and for so many domains.
 */
export const createHosts = () => {
  const seen = new Map<string, Set<string>>()
  return (projectId: number, host: string): string => {
    const domain = registered(host)
    if (domain === null) return shownHost(host)
    const key = `${projectId} ${domain}`
    const hosts = seen.get(key) ?? new Set()
    if (hosts.size <= LIMITS.SPAN_SUBDOMAINS) {
      if (hosts.size === 0) {
        if (seen.size >= LIMITS.SPAN_DOMAINS) seen.clear()
        seen.set(key, hosts)
      }
      hosts.add(host)
    }
    return hosts.size > LIMITS.SPAN_SUBDOMAINS ? `*.${domain}` : host
  }
}
