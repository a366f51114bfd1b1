import type { Browser, Page } from 'playwright-core'
import type { Account } from '../../../tools/harness/server.ts'
import { apiOf } from '../../lib/api.ts'
import { originOf, signIn } from '../../lib/account.ts'
import { axeViolations } from '../../lib/axe.ts'
import { type Complaints, openPage } from '../../lib/browser.ts'
import { eventually } from '../../lib/eventually.ts'
import { sendFeedback } from '../../lib/feedback.ts'
import { type PageLoad, sendStreamedVitals } from '../../lib/page-loads.ts'
import { sendProfile } from '../../lib/profiles.ts'
import { errorEvent, sendEvents, sendItems } from '../../lib/send.ts'
import { joinBrowser, joinServer } from '../../lib/shared.ts'
import { newSpanId, sendTransaction, type TransactionToSend } from '../../lib/transactions.ts'
import { sendVisit, type VisitSpec } from '../../lib/visits.ts'
import { NARROW, PROFILE, REPLAY, type Screen, SPAN, TRACE } from './screens.ts'

/** What axe says of a page, and an organisation in which every screen has something to show. */

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

export interface Violation {
  readonly at: string
  readonly rule: string
  readonly where: readonly string[]
}

/**
 * @param at for the reader of a failure: size and theme
 * @param rules all of them by default
 */
export const violations = async (page: Page, at: string, rules?: readonly string[]): Promise<Violation[]> => {
  const found = await axeViolations(page, rules === undefined ? {} : { rules })
  return found.map((violation) => ({
    at,
    rule: `${violation.id}: ${violation.help}`,
    where: violation.nodes.slice(0, 3).map((node) => `${node.target.join(' ')} ${node.html.slice(0, 160)}`),
  }))
}

/** Rules that colours decide. */
export const IN_COLOUR = ['color-contrast', 'link-in-text-block'] as const

/** Sets the scheme of the device, and waits until the console has followed. */
export const showIn = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction((wanted) => document.documentElement.dataset['theme'] === wanted, colorScheme)
}

/** Everything at both sizes in light, and what depends on colour in dark too. Nothing may scroll sideways at 320 px. */
export const examine = async (page: Page): Promise<Violation[]> => {
  const found: Violation[] = []
  for (const [size, viewport] of [
    ['1440×900', DESKTOP],
    ['390×844', PHONE],
  ] as const) {
    await page.setViewportSize(viewport)
    await showIn(page, 'light')
    found.push(...(await violations(page, `${size} light`)))
    await showIn(page, 'dark')
    found.push(...(await violations(page, `${size} dark`, IN_COLOUR)))
  }
  await showIn(page, 'light')
  await page.setViewportSize(NARROW)

  // What follows from the width is drawn a moment after it has changed.
  await eventually(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width)
  await page.setViewportSize(DESKTOP)
  return found
}

/** Transitions would be measured half way. */
export const STILL = { reducedMotion: 'reduce', colorScheme: 'light' } as const

export interface Exhibition {
  readonly browser: Browser
  readonly origin: string
  /** A page that is signed in. */
  readonly inside: { readonly page: Page; readonly complaints: Complaints }
  /** Opens a screen in the page that is made for it, and waits until it is complete. */
  open(screen: Screen): Promise<{ readonly page: Page; readonly complaints: Complaints }>
}

const startMs = Date.now() - 60_000

/** A value of each rating, one with all that is told of it. */
const PAGE_LOADS: readonly PageLoad[] = [
  { page: '/basket', country: 'AT', vitals: { lcp: 1900, cls: 0.2, fcp: 3100, ttfb: 300 } },
  {
    page: '/basket',
    vitals: { inp: 640 },
    attributes: {
      'browser.web_vital.inp.target': 'button.place',
      'browser.web_vital.inp.input_delay': 40,
      'browser.web_vital.inp.processing_duration': 520,
      'browser.web_vital.inp.presentation_delay': 80,
    },
  },
]

/** A trace with everything that a waterfall marks: alike spans, one that failed, one whose parent is not there. */
const TRANSACTIONS: readonly TransactionToSend[] = [
  {
    traceId: TRACE,
    startMs,
    root: {
      op: 'http.server',
      name: 'GET /basket',
      from: 0,
      to: 1200,
      children: [
        ...[0, 1, 2, 3, 4, 5].map((index) => ({
          op: 'db.sql.query',
          name: 'SELECT lamps',
          from: 10 + index * 20,
          to: 25 + index * 20,
        })),
        {
          id: SPAN,
          op: 'http.client',
          name: 'GET https://prices.example.com/a/long/address/with/many/parts?of=it&and=more',
          from: 400,
          to: 1100,
          status: 'deadline_exceeded',
          data: { 'server.address': 'prices.example.com', 'http.request.method': 'GET' },
        },
      ],
    },
  },
  {
    traceId: TRACE,
    startMs,
    parent: newSpanId(),
    root: { op: 'queue.process', name: 'process baskets', from: 300, to: 900 },
  },
]

/** With pages, and an element that did not answer. */
const VISIT: VisitSpec = {
  replayId: REPLAY,
  startMs,
  urls: ['https://shop.example/', 'https://shop.example/basket'],
  dead: [[{ tagName: 'button', attributes: { class: 'buy', 'aria-label': 'Buy' } }, 6]],
  event: { user: { id: '7', email: 'marta@example.com' }, release: 'shop@1.0.0', trace_ids: [TRACE] },
}

const sendPerformance = async (dsn: string): Promise<void> => {
  for (const transaction of TRANSACTIONS) await sendTransaction(dsn, transaction)
  await sendStreamedVitals(dsn, PAGE_LOADS)
  await sendProfile(dsn, { id: PROFILE, transaction: 'POST /orders' })
}

const STACK = {
  in: 'basket',
  release: 'shop@1.0.0',
  environment: 'production',
  user: { id: '1', email: 'bob@example.com' },
  tags: { area: 'checkout' },
}

const postTo = (url: string, token: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** A job that came once, and an address that is not asked. */
const prepareMonitors = async (
  { dsn, projectId, token }: Pick<Account, 'dsn' | 'projectId' | 'token'>,
  base: string,
): Promise<void> => {
  await sendItems(dsn, [
    {
      type: 'check_in',
      payload: {
        check_in_id: '8'.repeat(32),
        monitor_slug: 'nightly',
        status: 'ok',
        duration: 4,
        monitor_config: { schedule: { type: 'crontab', value: '0 3 * * *' } },
      },
    },
  ])
  await postTo(`${base}/uptime/`, token, {
    name: 'Shop front',
    project: projectId,
    url: 'https://shop.invalid/',
    status: 'disabled',
  })
}

/**
 * Where messages and tickets go, and where the code is.
 * @returns id of the channel: other organisations of the server may have some before it
 */
const prepareOutside = async ({ token }: { readonly token: string }, base: string): Promise<string> => {
  const channel = await postTo(`${base}/channels/`, token, {
    kind: 'mail',
    name: 'On call',
    settings: { addresses: ['on-call@example.com'] },
  })
  await postTo(`${base}/trackers/`, token, {
    kind: 'github',
    name: 'Plans',
    settings: { url: 'http://127.0.0.1:9', repository: 'acme/shop' },
    secrets: { token: 'nobody is there' },
  })
  await postTo(`${base}/code-mappings/bulk/`, token, {
    project: 'shop',
    repository: 'acme/shop',
    mappings: [{ stackRoot: 'src/', sourceRoot: 'apps/web/src/' }],
  })
  return ((await channel.json()) as { id: string }).id
}

/** @param organization a slug that no other file uses */
export const prepareExhibition = async (organization: string): Promise<Exhibition> => {
  const [server, browser] = await Promise.all([joinServer(organization), joinBrowser()])
  const origin = originOf(server)
  const signedIn = await signIn(server)
  // Some of the screens are about what is not there.
  const inside = await openPage(browser, { ...signedIn, ...STILL }, [/status of 404/])
  const outside = await openPage(browser, STILL, [/status of 404/])
  await sendEvents(server.account.dsn, [
    errorEvent('TypeError', 'basket is undefined', {
      ...STACK,
      request: {
        url: 'http://shop.example.com/basket?item=1',
        method: 'GET',
        headers: { Referer: 'http://shop.example.com/' },
      },
      extra: { attempt: 2 },
      breadcrumbs: ['info', 'warning', 'error'].map((level) => ({
        category: 'console',
        level,
        message: `${level} message`,
      })),
      frames: [
        { function: 'render', filename: '/node_modules/react-dom/client.js', lineno: 9, in_app: false },
        {
          function: 'basket',
          filename: '/src/basket.js',
          lineno: 7,
          in_app: true,
          context_line: 'const lamp = "red" // 1',
          pre_context: ['// before'],
          post_context: ['}'],
        },
      ],
    }),
    errorEvent('RangeError', 'out of range', { level: 'fatal', in: 'paging' }),
    ...(['warning', 'info', 'debug'] as const).map((level) => ({ message: `a message of level ${level}`, level })),
    { message: 'from localhost', request: { url: 'http://localhost/' } },
  ])
  await sendItems(server.account.dsn, [
    {
      type: 'client_report',
      payload: {
        timestamp: Date.now() / 1000,
        discarded_events: [{ reason: 'before_send', category: 'error', quantity: 3 }],
      },
    },
    {
      type: 'log',
      payload: {
        items: ['trace', 'debug', 'info', 'warn', 'fatal', 'error'].map((level) => ({
          timestamp: startMs / 1000,
          trace_id: TRACE,
          level,
          body: level === 'error' ? 'the lamp is dim' : `{"said at": "${level}", "by": ["a program", "of many words"]}`,
          attributes: {
            'logger.name': { type: 'string', value: `lamps.${level}` },
            'a.long/attribute.name.of.many.parts': { type: 'boolean', value: true },
            watts: { type: 'double', value: 4.5 },
          },
        })),
      },
    },
  ])
  await sendPerformance(server.account.dsn)
  await sendVisit(server.account.dsn, VISIT)
  const issue = (await apiOf(server).issue('TypeError')).id
  const base = `${origin}/api/0/organizations/${organization}`
  const answer = await postTo(`${base}/members/`, server.account.token, {
    email: 'invited@example.com',
    role: 'member',
  })
  const channel = await prepareOutside(server.account, base)
  await prepareMonitors(server.account, base)
  const { eventId: report } = await sendFeedback(server.account.dsn, { message: 'The basket is empty', name: 'Marta' })
  const invitation = new URL(((await answer.json()) as { inviteLink: string }).inviteLink).pathname
  return {
    browser,
    origin,
    inside,
    open: async (screen) => {
      const { page, complaints } = screen.signedIn === false ? outside : inside
      // What the screen before waited for is none of this one's. Another site than this would cost a process of the browser.
      await page.goto(`${origin}/_health/`)
      complaints.list.length = 0
      const path = screen
        .path(`/organizations/${organization}`)
        .replace('{issue}', issue)
        .replace('{invitation}', invitation)
        .replace('{report}', report)
        .replace('{channel}', channel)
      await page.goto(`${origin}${path}`)
      await screen.ready(page)
      return { page, complaints }
    },
  }
}
