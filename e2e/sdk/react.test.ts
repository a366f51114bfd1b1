import type { Browser, Page } from 'playwright-core'
import type * as sentry10 from 'sentry-browser-10'
import type * as sentry11 from 'sentry-browser-11'
import type * as sentry8 from 'sentry-browser-8'
import type * as sentry9 from 'sentry-browser-9'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import type * as firsthand from '../../packages/browser/src/index.ts'
import type { ReportingSdk } from '../../packages/react/src/index.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'
import { type ReactVersion, serveReactSite } from './react-site.ts'

const ORGANIZATION = 'react'

const FIRSTHAND = `
  import * as sdk from '@firsthand/browser'
  import { feedbackIntegration } from '@firsthand/feedback'
`
const SENTRY = (version: string): string => `
  import * as sdk from 'sentry-browser-${version}'
  import { feedbackIntegration } from '@firsthand/feedback'
  configure(sdk)
`

const page = (dsn: string, sdk: string, root: string): string => `
  import { useState, version } from 'react'
  import { createRoot } from 'react-dom/client'
  import { configure, ErrorBoundary, FeedbackButton, reactErrorHandler, setRouteName, useFeedback } from '@firsthand/react'
  ${sdk}
  sdk.init({ dsn: '${dsn}', integrations: [feedbackIntegration({ autoInject: false, showName: false, showEmail: false, enableScreenshot: false })] })
  setRouteName('/product/:id')
  document.title = version

  function Basket({ error }) {
    if (error) throw error
    return <p>A basket</p>
  }
  function Availability() {
    return <output>{String(useFeedback().isAvailable)}</output>
  }
  function Shop() {
    const [error, setError] = useState(null)
    const [key, setKey] = useState(0)
    return <>
      <Availability />
      <button onClick={() => setError(new RangeError('no such basket', { cause: new TypeError('no price') }))}>break</button>
      <button onClick={() => { setError(null); setKey(1) }}>next basket</button>
      <ErrorBoundary
        resetKeys={[key]}
        beforeCapture={(scope) => scope.setTag('area', 'basket')}
        onError={(error, componentStack, eventId) => { window.told = { message: error.message, eventId } }}
        onReset={() => { window.reset = true }}
        fallback={({ eventId, error, resetError, tellUs }) => <section role="alert">
          <p>{error.message}</p><code>{eventId}</code>
          <button onClick={() => { setError(null); resetError() }}>try again</button>
          <button onClick={() => tellUs()}>tell us</button>
          <FeedbackButton>by the button</FeedbackButton>
        </section>}
      >
        <Basket error={error} />
      </ErrorBoundary>
    </>
  }
  ${root}
`

const PLAIN = `createRoot(document.getElementById('root')).render(<Shop />)`
const WITH_OPTIONS = `
  createRoot(document.getElementById('root'), {
    onCaughtError: reactErrorHandler((error, info, eventId) => { window.caught = eventId }),
    onUncaughtError: reactErrorHandler(),
  }).render(<><Shop /><Outside /></>)
  function Outside() {
    const [isBroken, setBroken] = useState(false)
    if (isBroken) throw new Error('nobody catches this')
    return <button onClick={() => setBroken(true)}>break everything</button>
  }
`

type Accepted<Sdk> = Sdk extends ReportingSdk ? true : never
/** Compiles when `configure` takes each of them as it is. */
const ACCEPTED: readonly [
  Accepted<typeof firsthand>,
  Accepted<typeof sentry8>,
  Accepted<typeof sentry9>,
  Accepted<typeof sentry10>,
  Accepted<typeof sentry11>,
] = [true, true, true, true, true]

interface Report {
  readonly id: string
  readonly message: string
}

describe('React', () => {
  let server: SharedServer
  let browser: Browser
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
  })
  afterAll(async () => {
    await closePages(browser)
  })

  const visit = async (
    version: ReactVersion,
    sdk: string,
    root: string,
    work: (page: Page) => Promise<void>,
  ): Promise<void> => {
    const site = await serveReactSite(version, page(server.account.dsn, sdk, root))
    const { page: opened, close } = await openPage(browser)
    try {
      await opened.goto(site.url)
      expect(await opened.title()).toBe(site.react)
      expect(site.react.split('.')[0]).toBe(version)
      await work(opened)
    } finally {
      await close()
      await site.close()
    }
  }

  /** Id of the event that the report with this message is about. */
  const eventOfReport = async (message: string): Promise<string | undefined> => {
    const { get } = apiOf(server)
    const path = `/organizations/${server.account.organization}/feedback/`
    const report = await until(`a report "${message}"`, async () => {
      const reports = await get<Report[]>(path)
      return reports.find((one) => one.message === message) ?? null
    })
    const detail = await get<{ associatedEvent: { eventId: string } | null }>(`${path}${report.id}/`)
    return detail.associatedEvent?.eventId
  }

  const eventOf = (eventId: string) =>
    until(`the event ${eventId}`, async () => {
      const { get } = apiOf(server)
      const { organization, project } = server.account
      return get<
        { entries: { type: string; data: { values?: { type: string; value: string }[] } }[] } & Record<string, unknown>
      >(`/projects/${organization}/${project}/events/${eventId}/`).catch(() => null)
    })

  it.each<[ReactVersion, string, string, string]>([
    ['18', '@firsthand/browser', FIRSTHAND, PLAIN],
    ['19', '@firsthand/browser', FIRSTHAND, PLAIN],
    ['19', '@firsthand/browser with root options', FIRSTHAND, WITH_OPTIONS],
    ['18', '@sentry/browser 8', SENTRY('8'), PLAIN],
    ['19', '@sentry/browser 11', SENTRY('11'), PLAIN],
  ])(
    'React %s, %s: an error in a component is an event, and the visitor can say what happened',
    async (version, name, sdk, root) => {
      await visit(version, sdk, root, async (opened) => {
        await opened.locator('output', { hasText: 'true' }).waitFor()
        await opened.getByRole('button', { name: 'break', exact: true }).click()
        const alert = opened.getByRole('alert')
        await alert.getByText('no such basket').waitFor()
        const eventId = await alert.locator('code').innerText()
        expect(eventId).toMatch(/^[0-9a-f]{32}$/)
        await eventually(() => opened.evaluate(() => Reflect.get(window, 'told') as unknown)).toEqual({
          message: 'no such basket',
          eventId,
        })

        const event = await eventOf(eventId)
        const exceptions = event.entries.find((entry) => entry.type === 'exception')?.data.values ?? []
        expect(exceptions.map(({ type, value }) => `${type}: ${value}`)).toEqual([
          'React ErrorBoundary RangeError: no such basket',
          'TypeError: no price',
          'RangeError: no such basket',
        ])
        expect(event).toMatchObject({
          tags: expect.arrayContaining([
            { key: 'area', value: 'basket' },
            { key: 'handled', value: 'yes' },
            { key: 'transaction', value: '/product/:id' },
          ]),
          contexts: { react: { componentStack: expect.stringContaining('Basket') } },
        })

        const message = `I pressed break with React ${version} and ${name}`
        await alert.getByRole('button', { name: 'tell us' }).click()
        await opened.getByLabel('Description').fill(message)
        await opened.getByRole('button', { name: 'Send Bug Report' }).click()
        expect(await eventOfReport(message)).toBe(eventId)

        await opened.getByRole('button', { name: 'next basket' }).click()
        await opened.getByText('A basket').waitFor()
        await eventually(() => opened.evaluate(() => Reflect.get(window, 'reset') as unknown)).toBe(true)
      })
    },
  )

  it('takes every SDK by its types', () => expect(ACCEPTED).toHaveLength(5))

  it('a feedback button inside of a fallback is linked to the event, too', async () => {
    await visit('19', FIRSTHAND, PLAIN, async (opened) => {
      await opened.getByRole('button', { name: 'break', exact: true }).click()
      const eventId = await opened.getByRole('alert').locator('code').innerText()
      await opened.getByRole('button', { name: 'by the button' }).click()
      await opened.getByLabel('Description').fill('by the button, I said')
      await opened.getByRole('button', { name: 'Send Bug Report' }).click()
      expect(await eventOfReport('by the button, I said')).toBe(eventId)
      await opened.getByRole('button', { name: 'try again' }).click()
      await opened.getByText('A basket').waitFor()
    })
  })

  it('root options of React 19: one event for what a boundary catches, and one for what nobody catches', async () => {
    await visit('19', FIRSTHAND, WITH_OPTIONS, async (opened) => {
      await opened.getByRole('button', { name: 'break', exact: true }).click()
      const eventId = await opened.getByRole('alert').locator('code').innerText()
      await eventually(() => opened.evaluate(() => Reflect.get(window, 'caught') as unknown)).toBe(eventId)
      await opened.getByRole('button', { name: 'break everything' }).click()
      const issue = await apiOf(server).issue('nobody catches this')
      const event = await apiOf(server).latestEvent(issue.id)
      expect(event.tags).toContainEqual({ key: 'handled', value: 'no' })
      expect(event.contexts['react']?.['componentStack']).toContain('Outside')
    })
  })
})
