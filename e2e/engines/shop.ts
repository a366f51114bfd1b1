import { serveSite, type Site } from '../lib/site.ts'

/**
 * What goes wrong in the shop, by the button that does it: where each engine throws, and its function nearest to the
 * error. Names that a bundler would have made shorter stay, as source maps would give them back.
 */
export const MISHAPS: Readonly<Record<string, string>> = {
  property: 'priceOf',
  call: 'pourAll',
  variable: 'open',
  rejection: 'order',
  syntax: 'readBasket',
  recursion: 'stack',
}

/**
 * @param sender how the page reports, and a tag of its events
 * @param set an expression that sets a tag of all further events: (key, value) => void
 */
const application = (sender: string, set: string): string => `
  const tag = ${set}
  const teas = [{}]
  const on = (id, listener) => document.getElementById(id).addEventListener('click', function () {
    tag('mishap', id)
    tag('sender', '${sender}')
    listener()
  })
  function priceOf(tea) { return tea.price.amount }
  function total() { return teas.map((tea) => priceOf(tea)) }
  on('property', total)
  function pourAll() { teas.forEach((tea) => { tea.pour() }) }
  on('call', pourAll)
  class Till { open() { return drawer.coins } }
  on('variable', () => new Till().open())
  async function order() { await Promise.resolve(); throw new RangeError('out of lapsang') }
  on('rejection', () => { void order() })
  function readBasket() { return JSON.parse('<html>') }
  on('syntax', readBasket)
  function stack(cups) { return stack(cups + 1) + 1 }
  on('recursion', () => stack(0))
`

const BUTTONS = Object.keys(MISHAPS)
  .map((name) => `<button id="${name}">${name}</button>`)
  .join('')

/** The shop with our script tag. */
export const serveTagShop = (origin: string, dsn: string): Promise<Site> =>
  serveSite(
    application('tag', 'Firsthand.setTag'),
    `<script src="${origin}/sdk.js" data-dsn="${dsn}"></script>${BUTTONS}`,
  )

/** The shop with Sentry's SDK as it is. */
export const serveSentryShop = (dsn: string): Promise<Site> =>
  serveSite(
    `import * as Sentry from 'sentry-browser-11'
     Sentry.init({ dsn: ${JSON.stringify(dsn)} })
     ${application('sentry', 'Sentry.setTag')}`,
    BUTTONS,
  )

/** A page that is green, so that its picture can be told from an empty one, with the widget. */
export const serveWidgetShop = (origin: string, dsn: string): Promise<Site> =>
  serveSite(
    'document.documentElement.style.background = "rgb(0, 128, 0)"',
    `<h1>A shop</h1><script src="${origin}/sdk.js" data-dsn="${dsn}" data-feedback='{"showName":false,"showEmail":false}'></script>`,
  )
