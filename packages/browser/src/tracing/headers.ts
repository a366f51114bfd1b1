import { guard, hex } from '../guard.ts'
import { matches } from '../filter.ts'
import type { DsnParts, Pattern } from '../types.ts'
import type { Trace } from './types.ts'

/** What goes from one service to the next (protocol.md 4.1), and to whom. */

const MAX_BAGGAGE = 8192
const PREFIX = 'sentry-'

type Entries = Readonly<Record<string, string>>

/** Members of Sentry's SDKs, without the prefix; undefined where there is none. */
const readBaggage = (header: string): Entries | undefined => {
  const found: Record<string, string> = {}
  for (const member of header.split(',')) {
    const [, key = '', value = ''] = /^\s*sentry-([\w.-]+)\s*=\s*([^;\s]*)/.exec(member) ?? []
    if (key) found[key] = guard(() => decodeURIComponent(value), value)
  }
  return Object.keys(found).length > 0 ? found : undefined
}

/** A trace of one's own, or the one that the page's server began. */
export const beginTrace = (sentryTrace = '', baggage = ''): Trace => {
  const [, id, parentId, decision] = /^[ \t]*([\da-f]{32})-([\da-f]{16})(?:-([01]))?[ \t]*$/.exec(sentryTrace) ?? []
  const own = { id: hex(32), rand: Math.random(), count: 0 }
  if (id === undefined) return own
  const inherited = readBaggage(baggage) ?? {}
  const sampled = decision === undefined ? undefined : decision === '1'
  const rate = Number(inherited['sample_rate'])
  const said = Number.parseFloat(inherited['sample_rand'] ?? '')
  return {
    ...own,
    id,
    parentId,
    inherited,
    sampled,
    ...(said >= 0 && said < 1 && { rand: said }),
    ...(rate >= 0 && { rate }),
  }
}

/** What the head of a trace says about it. */
export const samplingContext = (
  { id, rand, rate, sampled, inherited, route }: Trace,
  { publicKey }: Partial<DsnParts> = {},
  { release, environment = 'production' }: { release?: string | undefined; environment?: string | undefined } = {},
): Entries => {
  const own = {
    release,
    environment,
    transaction: route,
    sample_rate: rate,
    sampled,
    sample_rand: rate === undefined ? undefined : rand,
  }
  const entries = Object.entries({ trace_id: id, public_key: publicKey, ...(inherited ?? own) })
  return Object.fromEntries(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])))
}

export const writeBaggage = (context: Entries): string =>
  Object.entries(context)
    .map(([key, value]) => `${PREFIX}${key}=${encodeURIComponent(value)}`)
    .join(',')

/** What of ours stands beside what was there before: as much as fits, and nothing where it is another SDK's. */
export const fittingBaggage = (existing: string, ours: string): string => {
  if (existing.includes(PREFIX)) return ''
  let left = MAX_BAGGAGE - existing.length - 2
  return ours
    .split(',')
    .filter((member) => (left -= member.length + 1) >= 0)
    .join(',')
}

export const sentryTrace = ({ id, sampled }: Trace, spanId: string): string =>
  `${id}-${spanId}${sampled === undefined ? '' : sampled ? '-1' : '-0'}`

export const traceparent = ({ id, sampled }: Trace, spanId: string): string => `00-${id}-${spanId}-0${sampled ? 1 : 0}`

/**
 * Only the page's own origin, unless the site says otherwise: a header that the other side does not allow breaks the request.
 *
 * @param url absolute
 * @param origin of the page
 */
export const isTarget = (url: string, origin: string, targets: unknown): boolean => {
  const parsed = guard(() => new URL(url))
  if (!parsed) return false
  const isOwn = parsed.origin === origin
  if (!Array.isArray(targets)) return isOwn
  const patterns = targets as Pattern[]
  return matches(parsed.href, patterns) || (isOwn && matches(parsed.pathname, patterns))
}
