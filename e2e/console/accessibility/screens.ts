import type { Page } from 'playwright-core'

/** Every screen of the console, by area: each area has a file of tests, so that two workers share them. */

/** WCAG 2.2, 1.4.10: no scrolling in two directions at this width. */
export const NARROW = { width: 320, height: 800 }

export interface Screen {
  /** The route that it is of, as the router declares it. */
  readonly route: string
  /**
   * @param org path of the organisation. `{issue}`, `{report}`, `{invitation}` and `{channel}` stand for what only the
   *   running server knows.
   */
  readonly path: (org: string) => string
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

export const OF_ISSUES: readonly Screen[] = [
  { route: 'login', path: () => '/login', ready: heading('Log in'), signedIn: false },
  { route: 'accept-invite/$token', path: () => '{invitation}', ready: heading(/^Join /), signedIn: false },
  {
    route: 'accept-invite/$token',
    path: () => '/accept-invite/gone',
    ready: text('This invitation is no longer valid'),
    signedIn: false,
  },
  { route: 'issues', path: (org) => `${org}/issues`, ready: text('basket is undefined') },
  {
    route: 'issues',
    path: (org) => `${org}/issues?query=level%3Afatal%20area%3Anowhere`,
    ready: text('No issue matches'),
  },
  { route: 'review', path: (org) => `${org}/review`, ready: (page) => page.getByRole('article').waitFor() },
  { route: 'issues/$issue', path: (org) => `${org}/issues/{issue}`, ready: text('What happened before') },
  {
    route: 'issues/$issue',
    path: (org) => `${org}/issues/{issue}?tab=events`,
    ready: (page) => page.getByRole('table', { name: 'Events' }).waitFor(),
  },
  { route: 'issues/$issue', path: (org) => `${org}/issues/999999`, ready: text('Issue not found') },
]

/** What a visitor saw. */
export const REPLAY = '2b3c4d5e2b3c4d5e2b3c4d5e2b3c4d5e'

export const OF_REPORTS: readonly Screen[] = [
  { route: 'inbox', path: (org) => `${org}/inbox?show=all`, ready: text('Good to know') },
  {
    route: 'inbox',
    path: (org) => `${org}/inbox?show=all&`,
    ready: async (page) => {
      await page.getByText('The basket is empty').first().click()
      await page.getByRole('article').getByText('Read and answer').first().waitFor()
    },
  },
  { route: 'inbox', path: (org) => `${org}/inbox?show=snoozed`, ready: text('Nothing sleeps') },
  { route: 'inbox', path: (org) => `${org}/inbox?query=nowhere`, ready: text('No line matches') },
  { route: 'feedback', path: (org) => `${org}/feedback`, ready: text('The basket is empty') },
  {
    route: 'feedback',
    path: (org) => `${org}/feedback?report={report}`,
    ready: (page) => page.getByRole('form', { name: 'Reply' }).waitFor(),
  },
  { route: 'feedback', path: (org) => `${org}/feedback?query=nothing`, ready: text('No report matches') },
  { route: 'replays', path: (org) => `${org}/replays`, ready: text('marta@example.com') },
  { route: 'replays', path: (org) => `${org}/replays?query=nothing`, ready: text('No replay matches') },
  {
    route: 'replays/clicks',
    path: (org) => `${org}/replays/clicks`,
    ready: (page) => page.getByRole('table', { name: 'Clicked elements' }).waitFor(),
  },
  {
    route: 'replays/$replay',
    path: (org) => `${org}/replays/${REPLAY}`,
    ready: (page) => page.getByRole('slider', { name: 'Time in the replay' }).waitFor(),
  },
  {
    route: 'alerts',
    path: (org) => `${org}/alerts`,
    ready: (page) => page.getByRole('list', { name: 'Alerts' }).getByRole('link').first().waitFor(),
  },
  { route: 'alerts', path: (org) => `${org}/alerts?query=nothing`, ready: text('No alert matches') },
  {
    route: 'alerts/new',
    path: (org) => `${org}/alerts/new?template=people`,
    ready: (page) => page.getByRole('slider', { name: 'Limit' }).waitFor(),
  },
  {
    route: 'alerts/$alert',
    path: (org) => `${org}/alerts?`,
    ready: async (page) => {
      await page.getByRole('list', { name: 'Alerts' }).getByRole('link').first().click()
      await page.getByText('Why, and why not').waitFor()
      await page.getByText(/evaluations, .* rows/).waitFor()
    },
  },
  { route: 'people', path: (org) => `${org}/people?user=id:7`, ready: heading('marta@example.com') },
  { route: 'people', path: (org) => `${org}/people?user=id:nobody`, ready: text('Nothing is known of them') },
  {
    route: 'releases',
    path: (org) => `${org}/releases`,
    ready: (page) => page.getByRole('table', { name: 'Releases' }).waitFor(),
  },
  { route: 'releases', path: (org) => `${org}/releases?query=nothing`, ready: text('No release matches') },
  {
    route: 'releases/$version',
    path: (org) => `${org}/releases/shop@1.0.0`,
    ready: (page) => page.getByRole('table', { name: 'Issues of this release' }).waitFor(),
  },
  { route: 'monitors', path: (org) => `${org}/monitors`, ready: text('Shop front') },
  { route: 'monitors/new', path: (org) => `${org}/monitors/new`, ready: heading('New monitor') },
  { route: 'monitors/uptime/new', path: (org) => `${org}/monitors/uptime/new`, ready: heading('New uptime check') },
  { route: 'monitors/status-page', path: (org) => `${org}/monitors/status-page`, ready: text('What it shows') },
  {
    route: 'monitors/$monitor',
    path: (org) => `${org}/monitors?`,
    ready: async (page) => {
      await page.getByRole('link', { name: 'nightly' }).first().click()
      await page.getByText('newest first').first().waitFor()
    },
  },
  {
    route: 'monitors/uptime/$check',
    path: (org) => `${org}/monitors?`,
    ready: async (page) => {
      await page.getByRole('link', { name: 'Shop front' }).first().click()
      await heading('Shop front')(page)
    },
  },
  {
    route: 'receipts',
    path: (org) => `${org}/receipts`,
    ready: (page) => page.getByRole('table', { name: 'Receipts' }).waitFor(),
  },
  { route: 'projects/new', path: (org) => `${org}/projects/new`, ready: heading('New project') },
  {
    route: 'projects/$project/getting-started',
    path: (org) => `${org}/projects/shop/getting-started`,
    ready: text('Events are arriving'),
  },
  { route: '', path: () => '/nowhere/at/all', ready: text('This page does not exist') },
]

/** Of the trace that the exhibition has. */
export const TRACE = '7f3c19e0b2d84f8aa1c0de7f3c19e0b2'
export const SPAN = 'b41e07d2b41e07d2'
export const PROFILE = '0f1e2d3c0f1e2d3c0f1e2d3c0f1e2d3c'

export const OF_PERFORMANCE: readonly Screen[] = [
  { route: 'performance', path: (org) => `${org}/performance`, ready: text('GET /basket') },
  { route: 'performance', path: (org) => `${org}/performance?query=nothing`, ready: text('No transaction matches') },
  {
    route: 'performance',
    path: (org) => `${org}/performance?start=2020-01-01T00:00:00Z&end=2020-01-02T00:00:00Z`,
    ready: text('tracesSampleRate: 1.0'),
  },
  {
    route: 'performance/summary',
    path: (org) => `${org}/performance/summary?transaction=GET%20/basket`,
    ready: (page) => page.getByRole('table', { name: 'Slowest samples' }).waitFor(),
  },
  { route: 'performance/vitals', path: (org) => `${org}/performance/vitals`, ready: text('/basket') },
  {
    route: 'performance/vitals/page',
    path: (org) => `${org}/performance/vitals/page?page=/basket&vital=inp`,
    ready: (page) => page.getByRole('table', { name: 'Worst samples' }).waitFor(),
  },
  {
    route: 'performance/$kind',
    path: (org) => `${org}/performance/databases`,
    ready: (page) => page.getByRole('table', { name: 'Databases' }).waitFor(),
  },
  {
    route: 'performance/$kind/call',
    path: (org) => `${org}/performance/databases`,
    ready: async (page) => {
      await page.getByRole('table', { name: 'Databases' }).getByRole('link').first().click()
      await page.getByRole('table', { name: 'Samples' }).getByRole('link').first().waitFor()
    },
  },
  { route: 'traces/$trace', path: (org) => `${org}/traces/${TRACE}`, ready: text('Parent is missing') },
  {
    route: 'traces/$trace',
    path: (org) => `${org}/traces/${TRACE}?span=${SPAN}&query=select`,
    ready: text('server.address'),
  },
  {
    route: 'traces/$trace',
    path: (org) => `${org}/traces/${'0'.repeat(32)}`,
    ready: text('Nothing is known of this trace'),
  },
  { route: 'profiles', path: (org) => `${org}/profiles`, ready: text('POST /orders') },
  { route: 'profiles/$profile', path: (org) => `${org}/profiles/${PROFILE}`, ready: text('loadTable') },
  { route: 'profiles/sum', path: (org) => `${org}/profiles/sum?transaction=POST%20/orders`, ready: text('loadTable') },
  { route: 'traces', path: (org) => `${org}/traces?query=span.op:db.sql.query`, ready: text('GET /basket') },
  { route: 'explore', path: (org) => `${org}/explore`, ready: text('http.client') },
  { route: 'explore', path: (org) => `${org}/explore?show=samples&query=nothing`, ready: text('No spans match') },
  {
    route: 'explore',
    path: (org) => `${org}/explore?dataset=tracemetrics&visualise=p95(value,wait,distribution,second)`,
    ready: text('No values in this time'),
  },
  {
    route: 'logs',
    path: (org) => `${org}/logs`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'the lamp is dim' }).click()
      await page.getByRole('link', { name: 'Open trace' }).waitFor()
    },
  },
  { route: 'logs', path: (org) => `${org}/logs?query=nothing`, ready: text('No line matches') },
]

export const OF_SETTINGS: readonly Screen[] = [
  { route: 'notifications', path: (org) => `${org}/settings/notifications`, ready: heading('When mail comes') },
  { route: 'organization', path: (org) => `${org}/settings`, ready: heading('Organisation') },
  { route: 'projects', path: (org) => `${org}/settings/projects`, ready: heading('Projects') },
  { route: 'projects/$project', path: (org) => `${org}/settings/projects/shop`, ready: heading('Delete this project') },
  {
    route: 'projects/$project',
    path: (org) => `${org}/settings/projects/shop?tab=keys`,
    ready: text('Other addresses'),
  },
  {
    route: 'projects/$project',
    path: (org) => `${org}/settings/projects/shop?tab=filters`,
    ready: heading('Filter out by pattern'),
  },
  {
    route: 'projects/$project',
    path: (org) => `${org}/settings/projects/shop?tab=scrubbing`,
    ready: (page) => page.getByRole('switch').first().waitFor(),
  },
  {
    route: 'projects/$project',
    path: (org) => `${org}/settings/projects/shop?tab=feedback`,
    ready: heading('What is suspicious'),
  },
  {
    route: 'projects/$project',
    path: (org) => `${org}/settings/projects/shop?tab=grouping`,
    ready: (page) => page.getByRole('textbox').first().waitFor(),
  },
  {
    route: 'projects/$project',
    path: (org) => `${org}/settings/projects/shop?tab=ownership`,
    ready: heading('CODEOWNERS'),
  },
  {
    route: 'projects/$project',
    path: (org) => `${org}/settings/projects/shop?tab=source-maps`,
    ready: text('No source maps yet'),
  },
  {
    route: 'projects/$project',
    path: (org) => `${org}/settings/projects/shop?tab=source-code`,
    ready: text('apps/web/src/'),
  },
  { route: 'members', path: (org) => `${org}/settings/members`, ready: text('invited@example.com') },
  { route: 'teams', path: (org) => `${org}/settings/teams`, ready: heading('Teams') },
  { route: 'channels', path: (org) => `${org}/settings/channels`, ready: text('On call') },
  { route: 'channels/$channel', path: (org) => `${org}/settings/channels/{channel}`, ready: heading('Deliveries') },
  { route: 'repositories', path: (org) => `${org}/settings/repositories`, ready: text('acme/shop') },
  { route: 'trackers', path: (org) => `${org}/settings/trackers`, ready: text('Plans') },
  {
    route: 'tokens',
    path: (org) => `${org}/settings/tokens`,
    ready: (page) =>
      page
        .getByRole('button', { name: /^Revoke / })
        .first()
        .waitFor(),
  },
  { route: 'account', path: (org) => `${org}/settings/account`, ready: text('Signed in at') },
]
