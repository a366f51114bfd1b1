import { newId, newSpanId, type SpanPart, type Transaction } from './traces.ts'

/** Page views of the last days, made up: how fast the shop was for whom. The same each time but for ids and clocks. */

const VIEWS = 160
const DAYS = 3
const SECONDS_PER_DAY = 86_400

interface Page {
  readonly route: string
  readonly url: string
  /** Usual seconds of a page load. */
  readonly seconds: number
  readonly element: string
}

const PAGES: readonly [Page, ...Page[]] = [
  { route: '/', url: '/', seconds: 1.1, element: 'main > ul > li > img.picture' },
  { route: '/product/$id', url: '/product/morning-cup', seconds: 0.9, element: 'article > img.picture' },
  { route: '/product/$id', url: '/product/moon-teapot', seconds: 1.9, element: 'article > img.picture' },
  { route: '/basket', url: '/basket', seconds: 0.7, element: 'main > h1' },
  { route: '/checkout', url: '/checkout', seconds: 1.3, element: 'section > h1' },
]

/** Between 0 and 1, the same for the same number (a common hash of shader programs). */
const drawn = (seed: number): number => {
  const value = Math.sin(seed * 12.9898) * 43_758.5453
  return value - Math.floor(value)
}

/** Most are near 1, some far above, as waiting times are. */
const spread = (seed: number): number => 0.6 + 0.5 * drawn(seed) + 3 * drawn(seed + 0.5) ** 12

interface Visitor {
  readonly release: string
  readonly agent: string
  readonly site: string
}

const millisecond = (value: number) => ({ value: Math.round(value * 1000), unit: 'millisecond' })

const pageLoad = (index: number, start: number, traceId: string, visitor: Visitor): Transaction => {
  const page = PAGES[index % PAGES.length] ?? PAGES[0]
  const seconds = page.seconds * spread(index)
  const firstByte = seconds * (0.1 + 0.15 * drawn(index + 0.1))
  const paint = firstByte + seconds * 0.25
  return {
    traceId,
    spanId: newSpanId(),
    name: page.route,
    op: 'pageload',
    source: 'route',
    platform: 'javascript',
    start,
    seconds,
    status: 'ok',
    release: visitor.release,
    parts: [
      { op: 'browser.request', description: `${visitor.site}${page.url}`, from: 0, seconds: firstByte },
      {
        op: 'resource.script',
        description: `${visitor.site}/assets/shop.js`,
        from: firstByte,
        seconds: seconds * 0.3,
        data: { 'http.response_content_length': 94_211 },
      },
      {
        op: 'resource.img',
        description: `${visitor.site}/assets/${page.url.split('/').at(-1) ?? ''}.webp`,
        from: paint,
        seconds: seconds * 0.3,
      },
    ],
    more: {
      request: { url: `${visitor.site}${page.url}`, headers: { 'User-Agent': visitor.agent } },
      user: { id: String(100 + (index % 37)) },
      measurements: {
        ttfb: millisecond(firstByte),
        fcp: millisecond(paint),
        lcp: millisecond(paint + seconds * 0.4),
        cls: { value: drawn(index + 0.2) ** 4 / 3, unit: '' },
        inp: millisecond(0.05 + 0.3 * drawn(index + 0.3) ** 3),
      },
      tags: { 'lcp.element': page.element },
    },
  }
}

/** What the server does for the order that a visitor of the checkout sends. */
const order = (index: number, from: Transaction, release: string): Transaction => {
  const isTaken = index % 4 !== 0
  const seconds = 0.12 * spread(index + 0.7)
  const parts: SpanPart[] = [
    { op: 'db', description: 'SELECT count FROM stock WHERE product = ?', from: 0.002, seconds: seconds * 0.4 },
    { op: 'cache.get', description: 'rate:EUR', from: seconds * 0.45, seconds: seconds * 0.05 },
  ]
  if (isTaken) {
    const description = 'INSERT INTO orders (number, items) VALUES (?, ?)'
    parts.push({ op: 'db', description, from: seconds * 0.55, seconds: seconds * 0.35 })
  }
  return {
    traceId: from.traceId,
    spanId: newSpanId(),
    parentSpanId: from.spanId,
    name: 'POST /api/orders',
    op: 'http.server',
    source: 'route',
    platform: 'node',
    // The visitor looks at the page before they order.
    start: from.start + from.seconds + 20,
    seconds,
    status: isTaken ? 'ok' : 'internal_error',
    release,
    parts,
  }
}

/** @param now seconds since 1970 */
export const viewsOf = (
  now: number,
  site: string,
  releases: readonly string[],
  agents: readonly string[],
): Transaction[] =>
  Array.from({ length: VIEWS }, (_, index) => {
    const age = ((index + drawn(index + 0.9)) / VIEWS) * DAYS * SECONDS_PER_DAY + 120
    const visitor = {
      site,
      release: releases[age > SECONDS_PER_DAY ? 1 : 0] ?? '',
      agent: agents[index % agents.length] ?? '',
    }
    const load = pageLoad(index, now - age, newId(), visitor)
    return load.name === '/checkout' ? [load, order(index, load, visitor.release)] : [load]
  }).flat()
