import { AxeBuilder } from '@axe-core/playwright'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../tools/harness/server.ts'
import { apiOf } from '../lib/api.ts'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { launchBrowser, openPage } from '../lib/browser.ts'
import { sendFeedback } from '../lib/feedback.ts'
import { errorEvent, sendEvents, sendItems } from '../lib/send.ts'

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** WCAG 2.2, 1.4.10: no scrolling in two directions at this width. */
const NARROW = { width: 320, height: 800 }

interface Screen {
  /** The route that it is of, as the router declares it. */
  readonly route: string
  /** With `{issue}`, `{report}` and `{invitation}` for what only the running server knows. */
  readonly path: string
  /** What stands there when it is complete. */
  readonly ready: (page: Page) => Promise<unknown>
  readonly signedIn?: boolean
}

const heading =
  (name: string | RegExp) =>
  (page: Page): Promise<unknown> =>
    page.getByRole('heading', { name }).first().waitFor()

const text =
  (words: string) =>
  (page: Page): Promise<unknown> =>
    page.getByText(words).first().waitFor()

const ORG = '/organizations/acme'

const SCREENS: readonly Screen[] = [
  { route: 'login', path: '/login', ready: heading('Log in'), signedIn: false },
  { route: 'accept-invite/$token', path: '{invitation}', ready: heading('Join acme'), signedIn: false },
  {
    route: 'accept-invite/$token',
    path: '/accept-invite/gone',
    ready: text('This invitation does not work any more'),
    signedIn: false,
  },
  { route: 'issues', path: `${ORG}/issues`, ready: text('basket is undefined') },
  { route: 'issues', path: `${ORG}/issues?query=level%3Afatal%20area%3Anowhere`, ready: text('No issue matches') },
  { route: 'issues/$issue', path: `${ORG}/issues/{issue}`, ready: text('What happened before') },
  {
    route: 'issues/$issue',
    path: `${ORG}/issues/{issue}?tab=events`,
    ready: (page) => page.getByRole('table', { name: 'Events' }).waitFor(),
  },
  { route: 'issues/$issue', path: `${ORG}/issues/999999`, ready: text('There is no such issue') },
  { route: 'feedback', path: `${ORG}/feedback`, ready: text('The basket is empty') },
  {
    route: 'feedback',
    path: `${ORG}/feedback?report={report}`,
    ready: (page) => page.getByRole('form', { name: 'Reply' }).waitFor(),
  },
  { route: 'feedback', path: `${ORG}/feedback?query=nothing`, ready: text('No report matches') },
  {
    route: 'receipts',
    path: `${ORG}/receipts`,
    ready: (page) => page.getByRole('table', { name: 'Receipts' }).waitFor(),
  },
  { route: 'projects/new', path: `${ORG}/projects/new`, ready: heading('New project') },
  {
    route: 'projects/$project/getting-started',
    path: `${ORG}/projects/shop/getting-started`,
    ready: text('Events are arriving'),
  },
  { route: 'organization', path: `${ORG}/settings`, ready: heading('Organisation') },
  { route: 'projects', path: `${ORG}/settings/projects`, ready: heading('Projects') },
  { route: 'projects/$project', path: `${ORG}/settings/projects/shop`, ready: heading('Delete this project') },
  { route: 'projects/$project', path: `${ORG}/settings/projects/shop?tab=keys`, ready: text('Other addresses') },
  {
    route: 'projects/$project',
    path: `${ORG}/settings/projects/shop?tab=filters`,
    ready: heading('Leave out what matches'),
  },
  {
    route: 'projects/$project',
    path: `${ORG}/settings/projects/shop?tab=scrubbing`,
    ready: (page) => page.getByRole('switch').first().waitFor(),
  },
  {
    route: 'projects/$project',
    path: `${ORG}/settings/projects/shop?tab=feedback`,
    ready: heading('What is suspect'),
  },
  {
    route: 'projects/$project',
    path: `${ORG}/settings/projects/shop?tab=grouping`,
    ready: (page) => page.getByRole('textbox').first().waitFor(),
  },
  { route: 'members', path: `${ORG}/settings/members`, ready: text('invited@example.com') },
  { route: 'teams', path: `${ORG}/settings/teams`, ready: heading('Teams') },
  {
    route: 'tokens',
    path: `${ORG}/settings/tokens`,
    ready: (page) =>
      page
        .getByRole('button', { name: /^Revoke / })
        .first()
        .waitFor(),
  },
  { route: 'account', path: `${ORG}/settings/account`, ready: text('Signed in at') },
  { route: '', path: '/nowhere/at/all', ready: text('This page does not exist') },
]

/** Routes that draw nothing of their own: layouts and redirects. `setup` has a test of its own below. */
const WITHOUT_SCREEN = ['/', 'settings', 'organizations/$org', 'setup']

interface Violation {
  readonly at: string
  readonly rule: string
  readonly where: readonly string[]
}

const violations = async (page: Page, at: string, rules?: readonly string[]): Promise<Violation[]> => {
  const builder = new AxeBuilder({ page })
  const { violations: found } = await (rules === undefined ? builder : builder.withRules([...rules])).analyze()
  return found.map((violation) => ({
    at,
    rule: `${violation.id}: ${violation.help}`,
    where: violation.nodes.slice(0, 3).map((node) => `${node.target.join(' ')} ${node.html.slice(0, 160)}`),
  }))
}

const IN_COLOUR = ['color-contrast', 'link-in-text-block'] as const

/** Everything at both sizes in light; what depends on colour in dark too; and how wide the page is in a window of 320 px. */
const examine = async (page: Page): Promise<{ violations: Violation[]; width: number }> => {
  const found: Violation[] = []
  for (const [size, viewport] of [
    ['1440×900', DESKTOP],
    ['390×844', PHONE],
  ] as const) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: 'light' })
    found.push(...(await violations(page, `${size} light`)))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
    found.push(...(await violations(page, `${size} dark`, IN_COLOUR)))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(NARROW)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  await page.setViewportSize(DESKTOP)
  return { violations: found, width }
}

/** Transitions would be measured half way. */
const STILL = { reducedMotion: 'reduce', colorScheme: 'light' } as const

describe('every screen for everybody', () => {
  let server: RunningServer
  let browser: Browser
  let signedIn: SignedIn
  let origin: string
  let issue: string
  let invitation: string
  let report: string
  let inside: Awaited<ReturnType<typeof openPage>>
  let outside: Awaited<ReturnType<typeof openPage>>

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchBrowser()])
    origin = originOf(server)
    signedIn = await signIn(browser, server)
    // Two of the screens are about what is not there.
    inside = await openPage(browser, { ...signedIn, ...STILL }, [/status of 404/])
    outside = await openPage(browser, STILL, [/status of 404/])
    const stack = {
      in: 'basket',
      release: 'shop@1.0.0',
      environment: 'production',
      user: { id: '1', email: 'bob@example.com' },
      tags: { area: 'checkout' },
    }
    await sendEvents(server.account.dsn, [
      errorEvent('TypeError', 'basket is undefined', {
        ...stack,
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
    ])
    issue = (await apiOf(server).issue('TypeError')).id
    const answer = await fetch(`${origin}/api/0/organizations/acme/members/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'invited@example.com', role: 'member' }),
    })
    const { eventId } = await sendFeedback(server.account.dsn, { message: 'The basket is empty', name: 'Marta' })
    report = eventId
    invitation = new URL(((await answer.json()) as { inviteLink: string }).inviteLink).pathname
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    server.remove()
  })

  it('covers every route of the router', () => {
    const folder = join(import.meta.dirname, '..', '..', 'apps', 'console', 'src', 'routes')
    const declared = readdirSync(folder)
      .flatMap((file) => [
        ...readFileSync(join(folder, file), 'utf8').matchAll(/createRoute\(\{[^}]*?path: '([^']*)'/g),
      ])
      .map((match) => match[1] ?? '')
    expect(declared.length).toBeGreaterThan(15)
    const covered = new Set([...WITHOUT_SCREEN, ...SCREENS.map((screen) => screen.route)])
    expect(declared.filter((path) => !covered.has(path))).toEqual([])
  })

  it.each(SCREENS)(
    'axe finds nothing on $path at both sizes and in both themes, and nothing scrolls sideways at 320 px',
    async (screen) => {
      const { page, complaints } = screen.signedIn === false ? outside : inside
      complaints.list.length = 0
      await page.goto(
        `${origin}${screen.path.replace('{issue}', issue).replace('{invitation}', invitation).replace('{report}', report)}`,
      )
      await screen.ready(page)
      expect(await examine(page)).toEqual({ violations: [], width: NARROW.width })
      expect(complaints.list).toEqual([])
    },
  )

  it.each([
    [
      'the search with its completions',
      `${ORG}/issues`,
      async (page: Page) => page.getByRole('combobox', { name: 'Search issues' }).click(),
    ],
    [
      'the bar for selected issues',
      `${ORG}/issues`,
      async (page: Page) => page.getByRole('checkbox', { name: 'Select all loaded issues' }).click(),
    ],
    ['the command palette', `${ORG}/issues`, async (page: Page) => page.keyboard.press('Control+k')],
    ['the help for shortcuts', `${ORG}/issues`, async (page: Page) => page.keyboard.press('?')],
    [
      'the menu of the account',
      `${ORG}/issues`,
      async (page: Page) => page.getByRole('button', { name: /^Account of/ }).click(),
    ],
    [
      'the dialog of a new key',
      `${ORG}/settings/projects/shop?tab=keys`,
      async (page: Page) => page.getByRole('button', { name: 'New key' }).click(),
    ],
    [
      'the dialog of a new token',
      `${ORG}/settings/tokens`,
      async (page: Page) => page.getByRole('button', { name: 'New token' }).click(),
    ],
  ])('axe finds nothing in %s', async (_name, path, open) => {
    const { page } = inside
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${origin}${path}`)
    await page
      .getByText(path.endsWith('issues') ? 'basket is undefined' : /shop|token/i)
      .first()
      .waitFor()
    await open(page)
    const found = await violations(page, 'light')
    await page.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await violations(page, 'dark', IN_COLOUR)))
    // Menus and lists float beside the landmarks, at the end of the document.
    expect(found.filter(({ rule }) => !rule.startsWith('region:'))).toEqual([])
  })

  it('axe finds nothing on the set-up page of a new installation', async () => {
    const fresh = await startServer({ setUp: false })
    const { page, close } = await openPage(browser, STILL)
    await page.goto(`${originOf(fresh)}/`)
    await heading('Set up Firsthand')(page)
    expect(await examine(page)).toEqual({ violations: [], width: NARROW.width })
    await close()
    await fresh.stop()
    fresh.remove()
  })
})
