import type { EventPayload, Frame } from './send.ts'

/** Two weeks in the life of a web shop, for pictures: errors of several kinds, people, releases, places. The same each time. */

const DAY_S = 86_400
const HOUR_S = 3600

/** Mulberry32: the same numbers in every run. */
const randomOf = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

const BROWSERS = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
] as const

const NAMES = [
  'mara',
  'jonas',
  'lucia',
  'amir',
  'sofie',
  'tomek',
  'nadia',
  'felix',
  'ines',
  'oskar',
  'yuki',
  'paul',
  'greta',
  'omar',
  'lena',
  'ravi',
] as const
const COUNTRIES = ['DE', 'AT', 'CH', 'NL', 'FR', 'PL'] as const

/** Oldest first, with the days ago on which each went out. */
const RELEASES = [
  { version: 'shop-web@2026.10.4', daysAgo: 20 },
  { version: 'shop-web@2026.11.0', daysAgo: 11 },
  { version: 'shop-web@2026.11.1', daysAgo: 6 },
  { version: 'shop-web@2026.11.2', daysAgo: 1.2 },
] as const

const releaseAt = (daysAgo: number): string =>
  RELEASES.findLast((release) => release.daysAgo >= daysAgo)?.version ?? RELEASES[0].version

const frame = (name: string, filename: string, lineno: number, more: Partial<Frame> = {}): Frame => ({
  function: name,
  filename,
  lineno,
  colno: 1 + (lineno % 40),
  in_app: !filename.includes('node_modules'),
  ...more,
})

const REACT = [
  frame('dispatchDiscreteEvent', './node_modules/react-dom/cjs/react-dom-client.production.js', 16_280),
  frame('batchedUpdates$1', './node_modules/react-dom/cjs/react-dom-client.production.js', 1498),
  frame('processDispatchQueue', './node_modules/react-dom/cjs/react-dom-client.production.js', 12_317),
]

interface Kind {
  readonly type: string
  readonly value: string
  readonly level?: 'fatal' | 'error' | 'warning' | 'info'
  readonly transaction: string
  readonly frames: readonly Frame[]
  readonly handled?: boolean
  /** Events and when: since so many days ago, growing, steady, fading, or all at once. */
  readonly events: number
  readonly since: number
  readonly until?: number
  readonly shape: 'grows' | 'steady' | 'fades' | 'burst'
  readonly people: number
  readonly environment?: string
}

const SUMMARY_SOURCE = {
  pre_context: [
    'export function summarise(lines: readonly CartLine[], voucher: Voucher | null): Summary {',
    '  const items = lines.map((line) => {',
    '    const product = catalogue.get(line.sku)',
  ],
  context_line: '    return { sku: line.sku, quantity: line.quantity, total: product.price * line.quantity }',
  post_context: [
    '  })',
    '  const subtotal = items.reduce((sum, item) => sum + item.total, 0)',
    '  return { items, subtotal, discount: discountOf(voucher, subtotal) }',
  ],
}

/** The one that the picture of the issue page shows. */
export const FEATURED: Kind = {
  type: 'TypeError',
  value: "Cannot read properties of undefined (reading 'price')",
  transaction: '/cart',
  frames: [
    ...REACT,
    frame('onVoucherApplied', './src/cart/voucher-form.tsx', 58, {
      pre_context: [
        '  async function onVoucherApplied(code: string) {',
        '    const voucher = await vouchers.redeem(code)',
      ],
      context_line: '    setSummary(summarise(cart.lines, voucher))',
      post_context: ['    toast(`${voucher.label} applied`)', '  }'],
    }),
    frame('summarise', './src/cart/summary.ts', 42, SUMMARY_SOURCE),
    frame('<anonymous>', './src/cart/summary.ts', 45, { ...SUMMARY_SOURCE }),
  ],
  handled: false,
  events: 260,
  since: 12,
  shape: 'grows',
  people: 120,
}

const KINDS: readonly Kind[] = [
  {
    type: 'ChunkLoadError',
    value: 'Loading chunk 418 failed. (error: https://shop.example.com/static/418.8f21c0.js)',
    transaction: '/checkout',
    frames: [...REACT, frame('loadCheckout', './src/routes/checkout.tsx', 12)],
    handled: false,
    events: 148,
    since: 1.2,
    shape: 'burst',
    people: 96,
  },
  {
    type: 'PaymentDeclinedError',
    value: 'Card was declined: insufficient_funds',
    level: 'warning',
    transaction: '/checkout/pay',
    frames: [
      frame('confirmPayment', './src/checkout/payment.ts', 131),
      frame('parseOutcome', './src/checkout/outcome.ts', 24),
    ],
    events: 190,
    since: 14,
    shape: 'steady',
    people: 140,
  },
  {
    type: 'TimeoutError',
    value: 'inventory did not answer within 3000 ms',
    transaction: 'POST /api/orders',
    frames: [frame('reserveStock', './src/orders/inventory.ts', 77)],
    events: 120,
    since: 9,
    shape: 'grows',
    people: 64,
  },
  {
    type: 'RangeError',
    value: 'Maximum call stack size exceeded',
    level: 'fatal',
    transaction: '/product/[slug]',
    frames: [frame('flattenCategories', './src/catalogue/tree.ts', 33)],
    handled: false,
    events: 41,
    since: 2,
    shape: 'burst',
    people: 22,
  },
  {
    type: 'SyntaxError',
    value: 'Unexpected token \'<\', "<!doctype "... is not valid JSON',
    transaction: '/search',
    frames: [frame('readSuggestions', './src/search/suggest.ts', 19)],
    events: 84,
    since: 13,
    shape: 'fades',
    people: 51,
  },
  {
    type: 'QuotaExceededError',
    value: "Failed to execute 'setItem' on 'Storage': Setting the value of 'recently-viewed' exceeded the quota.",
    transaction: '/product/[slug]',
    frames: [frame('remember', './src/catalogue/recently-viewed.ts', 28)],
    events: 37,
    since: 10,
    shape: 'steady',
    people: 30,
  },
  {
    type: 'NotFoundError',
    value: "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
    transaction: '/product/[slug]',
    frames: [
      ...REACT,
      frame('removeChildFromContainer', './node_modules/react-dom/cjs/react-dom-client.production.js', 9120),
    ],
    handled: false,
    events: 58,
    since: 14,
    shape: 'steady',
    people: 44,
  },
  {
    type: 'InvalidVoucherError',
    value: 'Voucher AUTUMN15 is not valid before 2026-11-15',
    level: 'info',
    transaction: '/cart',
    frames: [frame('redeem', './src/cart/vouchers.ts', 66)],
    events: 66,
    since: 7,
    until: 5,
    shape: 'fades',
    people: 58,
  },
  {
    type: 'AddressError',
    value: 'postal code 80331 does not belong to AT',
    level: 'warning',
    transaction: '/checkout/address',
    frames: [frame('validateAddress', './src/checkout/address.ts', 90)],
    events: 29,
    since: 8,
    shape: 'steady',
    people: 27,
  },
  {
    type: 'ImageDecodeError',
    value: 'The source image cannot be decoded.',
    transaction: '/product/[slug]/zoom',
    frames: [frame('openZoom', './src/product/zoom.ts', 51)],
    events: 18,
    since: 5,
    shape: 'steady',
    people: 15,
  },
  {
    type: 'Error',
    value: "Hydration failed because the server rendered HTML didn't match the client.",
    transaction: '/',
    frames: [...REACT, frame('HomePage', './src/routes/home.tsx', 20)],
    handled: false,
    events: 73,
    since: 6,
    shape: 'fades',
    people: 70,
    environment: 'staging',
  },
  {
    type: 'AbortError',
    value: 'The user aborted a request.',
    level: 'info',
    transaction: '/search',
    frames: [frame('fetchResults', './src/search/results.ts', 40)],
    events: 52,
    since: 14,
    shape: 'steady',
    people: 48,
  },
  {
    type: 'ReferenceError',
    value: 'analyticsQueue is not defined',
    transaction: '/',
    frames: [frame('trackView', './src/analytics/track.ts', 8)],
    handled: false,
    events: 22,
    since: 0.4,
    shape: 'burst',
    people: 21,
  },
]

const MESSAGES = [
  {
    message: 'Stock of "Lamp Lykta, brass" is below 5',
    level: 'warning',
    transaction: 'job:stock-watch',
    events: 14,
    since: 9,
  },
  {
    message: 'Newsletter export took longer than 10 minutes',
    level: 'info',
    transaction: 'job:newsletter',
    events: 6,
    since: 13,
  },
] as const

const secondsAgo = (kind: Pick<Kind, 'since' | 'until' | 'shape'>, chance: number): number => {
  const start = kind.since * DAY_S
  const end = (kind.until ?? 0) * DAY_S
  const place = { grows: chance ** 2, steady: chance, fades: Math.sqrt(chance), burst: 0.75 + chance * 0.2 }[kind.shape]
  return Math.max(60, end + (start - end) * place)
}

const eventOf = (kind: Kind, now: number, random: () => number): EventPayload => {
  const pick = <Entry>(entries: readonly Entry[]): Entry | undefined => entries[Math.floor(random() * entries.length)]
  const ago = secondsAgo(kind, random())
  const timestamp = now - ago
  const number = Math.floor(random() * kind.people)
  const name = NAMES[number % NAMES.length] ?? 'mara'
  const path = kind.transaction.startsWith('/') ? kind.transaction.replace('[slug]', 'lamp-lykta') : '/checkout'
  return {
    timestamp,
    level: kind.level ?? 'error',
    transaction: kind.transaction,
    release: releaseAt(ago / DAY_S),
    environment: kind.environment ?? (random() < 0.94 ? 'production' : 'staging'),
    user: {
      id: String(4000 + number),
      email: `${name}${number}@example.com`,
      username: name,
      geo: { country_code: pick(COUNTRIES) },
    },
    tags: {
      country: pick(COUNTRIES),
      'cart.size': String(1 + Math.floor(random() * 6)),
      voucher: random() < 0.6 ? 'AUTUMN15' : 'none',
    },
    request: {
      url: `https://shop.example.com${path}`,
      method: 'GET',
      headers: { 'User-Agent': pick(BROWSERS), Referer: 'https://shop.example.com/' },
    },
    contexts: { cart: { lines: 3, currency: 'EUR', guest: random() < 0.5 } },
    breadcrumbs: [
      {
        type: 'navigation',
        category: 'navigation',
        data: { from: '/product/lamp-lykta', to: path },
        timestamp: timestamp - 41,
      },
      { category: 'ui.click', message: 'button.add-to-cart', timestamp: timestamp - 30 },
      {
        type: 'http',
        category: 'fetch',
        data: { method: 'POST', url: '/api/cart/lines', status_code: 201 },
        timestamp: timestamp - 29,
      },
      { category: 'ui.input', message: 'input[name="voucher"]', timestamp: timestamp - 9 },
      { category: 'ui.click', message: 'button.apply-voucher', timestamp: timestamp - 3 },
      {
        type: 'http',
        category: 'fetch',
        data: { method: 'POST', url: '/api/vouchers/redeem', status_code: 200 },
        timestamp: timestamp - 2,
      },
      {
        category: 'console',
        level: 'warning',
        message: 'catalogue: sku LYK-204 is not in the cache',
        timestamp: timestamp - 1,
      },
    ],
    exception: {
      values: [
        {
          type: kind.type,
          value: kind.value,
          mechanism: {
            type: kind.handled === false ? 'auto.browser.global_handlers.onunhandledrejection' : 'generic',
            handled: kind.handled !== false,
          },
          stacktrace: { frames: kind.frames },
        },
      ],
    },
  }
}

export interface ShopData {
  /** Until the featured issue is resolved. */
  readonly before: readonly EventPayload[]
  /** What brings it back, in the newest release. */
  readonly after: readonly EventPayload[]
}

/** @param now Unix time in seconds */
export const shopData = (now: number): ShopData => {
  const random = randomOf(20_261_120)
  const events = (kind: Kind): EventPayload[] => Array.from({ length: kind.events }, () => eventOf(kind, now, random))
  const others = [
    ...KINDS.flatMap(events),
    ...MESSAGES.flatMap(({ events: count, since, ...message }) =>
      Array.from({ length: count }, (): EventPayload => ({
        ...message,
        release: releaseAt(since),
        environment: 'production',
        timestamp: now - HOUR_S - random() * since * DAY_S,
      })),
    ),
  ]
  const featured = events(FEATURED)
  const newest = RELEASES.at(-1)?.version
  const isNew = (event: EventPayload): boolean => event['release'] === newest
  return {
    before: [...others, ...featured.filter((event) => !isNew(event))].toSorted(
      (a, b) => Number(a['timestamp']) - Number(b['timestamp']),
    ),
    after: featured.filter(isNew).toSorted((a, b) => Number(a['timestamp']) - Number(b['timestamp'])),
  }
}
