/** What happened in the shop before anybody looked. Times are minutes before now. */

export interface SeedFrame {
  readonly function: string
  readonly filename: string
  readonly lineno: number
  readonly context?: string
}

export interface SeedIssue {
  readonly type: string
  readonly value: string
  readonly cause?: { readonly type: string; readonly value: string }
  readonly transaction: string
  readonly handled: boolean
  readonly frames: readonly SeedFrame[]
  readonly minutesAgo: readonly number[]
  readonly breadcrumbs: readonly { readonly category: string; readonly message: string; readonly level?: string }[]
}

const SHOP = 'app:///assets/shop.js'
const main = (...inner: readonly SeedFrame[]): readonly SeedFrame[] => [
  { function: 'HTMLDocument.dispatch', filename: 'app:///assets/react-dom.js', lineno: 8120 },
  ...inner,
]

export const ISSUES: readonly SeedIssue[] = [
  {
    type: 'OrderError',
    value: 'The order could not be placed',
    cause: { type: 'HttpError', value: 'POST /api/orders answered 500: No exchange rate for currency "LUN".' },
    transaction: '/checkout',
    handled: true,
    frames: main(
      { function: 'order', filename: SHOP, lineno: 214, context: '      const taken = await placeOrder(lines)' },
      {
        function: 'placeOrder',
        filename: SHOP,
        lineno: 88,
        context: "    throw new OrderError('The order could not be placed', { cause: error })",
      },
    ),
    minutesAgo: [4, 31, 95, 180, 410, 1500, 1630, 2900, 4400, 7100],
    breadcrumbs: [
      { category: 'navigation.route', message: '/basket → /checkout' },
      { category: 'ui.click', message: 'button.main "Pay €120.00"' },
      { category: 'fetch', message: 'POST /api/orders [500]', level: 'error' },
    ],
  },
  {
    type: 'TypeError',
    value: "Cannot destructure property 'left' of 'viewsOf(...)' as it is undefined.",
    transaction: '/product/$id',
    handled: true,
    frames: main({
      function: 'AllSides',
      filename: SHOP,
      lineno: 41,
      context: '  const { left, right } = viewsOf(product)',
    }),
    minutesAgo: [12, 47, 260, 900, 2300, 5200],
    breadcrumbs: [
      { category: 'navigation.route', message: '/ → /product/$id' },
      { category: 'ui.click', message: 'button.quiet "See all sides"' },
    ],
  },
  {
    type: 'PriceError',
    value: 'Prices could not be loaded',
    transaction: '/',
    handled: false,
    frames: main({
      function: 'loadPrices',
      filename: SHOP,
      lineno: 17,
      context: "  if (!answer.ok) throw new PriceError('Prices could not be loaded')",
    }),
    minutesAgo: [66, 1210, 3600],
    breadcrumbs: [{ category: 'fetch', message: 'GET /api/prices [503]', level: 'error' }],
  },
  {
    type: 'ReferenceError',
    value: 'lightTheKiln is not defined',
    transaction: '/plain',
    handled: false,
    frames: [
      { function: 'onclick', filename: 'app:///plain', lineno: 27, context: '<button onclick="lightTheKiln()">' },
    ],
    minutesAgo: [720],
    breadcrumbs: [{ category: 'ui.click', message: 'button "Throw an error"' }],
  },
]

export interface SeedReport {
  readonly name: string
  readonly email: string
  readonly message: string
  readonly path: string
  readonly fields?: Readonly<Record<string, string | number | boolean>>
  readonly tags?: Readonly<Record<string, string>>
  /** Index in ISSUES: the report is about its newest event. */
  readonly about?: number
  readonly hasPicture?: boolean
}

export const REPORTS: readonly SeedReport[] = [
  {
    name: 'Robin Reed',
    email: 'robin@example.com',
    message:
      'I tried to buy the moon teapot three times now. The button says “One moment…”, then a red box. Was my card charged?',
    path: '/checkout',
    about: 0,
    hasPicture: true,
  },
  {
    name: 'Tomás Lima',
    email: 'tomas@example.com',
    message: 'The carafe can be seen from the front only. “See all sides” shows an error instead.',
    path: '/product/glass-carafe',
    about: 1,
  },
  {
    name: '',
    email: '',
    message: 'Lovely shop! Could you sort the things by price?',
    path: '/',
    fields: { satisfaction: 5, found_by: 'A friend', newsletter: true },
  },
  {
    name: 'Aiko',
    email: 'aiko@example.com',
    message: '商品の大きさが分かりません。高さも書いていただけますか。',
    path: '/product/one-stem-vase',
  },
  {
    name: 'Ben Okafor',
    email: 'ben@example.com',
    message: 'On my phone the basket link is hard to hit with the thumb. Everything else is great.',
    path: '/basket',
    tags: { area: 'mobile' },
    fields: { satisfaction: 4 },
  },
]
