import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes events that look like a shop's: a few hundred different errors of very unequal frequency, thousands of users,
 * real source lines (Firsthand's own) as context, ids and times that do not compress. Deterministic for a seed.
 */
export interface EventFactory {
  /** The JSON of event number `index`, about `targetBytes` long. */
  make(index: number, now: number): string
}

/** mulberry32: small, fast, good enough for test data. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const sourceLines = (): string[] => {
  const folder = join(import.meta.dirname, '..', 'apps', 'server', 'src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.trim().length > 8 && line.length < 120)
}

const TYPES = [
  'TypeError',
  'RangeError',
  'HTTPError',
  'DatabaseError',
  'ChunkMissing',
  'PaymentDeclined',
  'InvariantViolation',
  'AbortError',
]
const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
]
const AREAS = ['cart', 'checkout', 'catalog', 'search', 'account', 'billing', 'stock', 'router']
const VERBS = ['load', 'render', 'update', 'parse', 'charge', 'reserve', 'merge', 'validate', 'format', 'commit']

/**
 * @param targetBytes roughly how long one event's JSON is
 * @param kinds how many different errors there are
 */
export const createEventFactory = (targetBytes: number, kinds = 400, seed = 7): EventFactory => {
  const lines = sourceLines()
  const large = targetBytes > 20_000
  const frameCount = large ? 50 : 5
  const crumbCount = large ? 100 : 6
  const context = large ? 7 : 2
  const shape = (kind: number) => {
    const random = randomFrom(seed * 7919 + kind)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const frames = Array.from({ length: frameCount }, (_, depth) => {
      const start = Math.floor(random() * (lines.length - 20))
      const area = pick(AREAS)
      return {
        filename: `https://shop.example.com/assets/${area}/${pick(VERBS)}-${kind % 37}.js`,
        function: `${pick(VERBS)}${area[0]?.toUpperCase()}${area.slice(1)}${kind % 53}`,
        lineno: 1 + Math.floor(random() * 900),
        colno: 1 + Math.floor(random() * 80),
        in_app: depth % 3 !== 0,
        pre_context: lines.slice(start, start + context),
        context_line: lines[start + context],
        post_context: lines.slice(start + context + 1, start + 2 * context + 1),
      }
    })
    return { type: pick(TYPES), area: pick(AREAS), verb: pick(VERBS), frames }
  }
  const shapes = Array.from({ length: kinds }, (_, kind) => shape(kind))

  return {
    make(index, now) {
      const random = randomFrom(seed + index * 2_654_435_761)
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
      const hex = (length: number): string => {
        let text = ''
        while (text.length < length)
          text += Math.floor(random() * 4_294_967_296)
            .toString(16)
            .padStart(8, '0')
        return text.slice(0, length)
      }
      // A few errors make most of the events, as everywhere.
      const kind = Math.floor(kinds * random() ** 3)
      const { type, area, verb, frames } = shapes[kind] as (typeof shapes)[number]
      const user = Math.floor(random() * 20_000)
      const release = `shop-web@2.${Math.floor(random() * 6)}.${Math.floor(random() * 10)}`
      const crumbs = Array.from({ length: crumbCount }, (_, step) => ({
        timestamp: now / 1000 - (crumbCount - step) * random(),
        category: step % 3 === 0 ? 'fetch' : step % 3 === 1 ? 'ui.click' : 'console',
        type: step % 3 === 0 ? 'http' : 'default',
        level: 'info',
        ...(step % 3 === 0
          ? { data: { method: 'GET', url: `/api/${pick(AREAS)}/${Math.floor(random() * 100_000)}`, status_code: 200 } }
          : {
              message:
                step % 3 === 1
                  ? `main > div.${pick(AREAS)} > button#${pick(VERBS)}`
                  : `${pick(VERBS)} ${hex(12)} in ${Math.floor(random() * 900)} ms`,
            }),
      }))
      return JSON.stringify({
        event_id: hex(32),
        timestamp: now / 1000,
        platform: 'javascript',
        level: kind % 11 === 0 ? 'warning' : 'error',
        environment: user % 9 === 0 ? 'staging' : 'production',
        release,
        transaction: `/${area}/${verb}`,
        server_name: `web-${user % 12}`,
        sdk: { name: 'sentry.javascript.browser', version: '11.10.0' },
        user: { id: String(user), email: `user${user}@example.com`, ip_address: `10.${user % 250}.${index % 250}.7` },
        tags: {
          plan: pick(['free', 'pro', 'team']),
          region: pick(['eu', 'us', 'ap']),
          'cart.size': String(Math.floor(random() * 12)),
        },
        contexts: { trace: { trace_id: hex(32), span_id: hex(16), op: 'pageload' } },
        request: {
          url: `https://shop.example.com/${area}/${Math.floor(random() * 50_000)}`,
          headers: {
            'User-Agent': BROWSERS[user % BROWSERS.length],
            Referer: `https://shop.example.com/${pick(AREAS)}`,
          },
        },
        breadcrumbs: crumbs,
        exception: {
          values: [
            {
              type,
              value: `${verb} of ${area} ${Math.floor(random() * 1_000_000)} failed: ${hex(8)} is not ${pick(VERBS)}able`,
              mechanism: { type: 'auto.browser.global_handlers.onerror', handled: kind % 2 === 0 },
              stacktrace: { frames },
            },
          ],
        },
      })
    },
  }
}
