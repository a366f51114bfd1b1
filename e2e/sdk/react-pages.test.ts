import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { type ReactVersion, serveReactSite } from './react-site.ts'

const SHOP = `
  import { StrictMode, Suspense, useState } from 'react'
  import { createRoot, hydrateRoot } from 'react-dom/client'
  import * as sdk from '@firsthand/browser'
  import { feedbackIntegration } from '@firsthand/feedback'
  import { ErrorBoundary, FeedbackButton, FirsthandProvider, useFeedback, useRouteName } from '@firsthand/react'
  sdk.init({ dsn: location.origin.replace('//', '//0123456789abcdef0123456789abcdef@') + '/1', integrations: [feedbackIntegration({ autoInject: false, enableScreenshot: false })] })
  const container = document.getElementById('root')
  window.notes = []
  function Availability() {
    useRouteName('/shop/:id')
    return <output>{String(useFeedback().isAvailable)}</output>
  }
`

const HYDRATED = `${SHOP}
  import { renderToString } from 'react-dom/server.browser'
  const App = () => <StrictMode><FirsthandProvider><ErrorBoundary fallback="broken"><Suspense fallback="…"><Availability /><FeedbackButton>Tell us</FeedbackButton></Suspense></ErrorBoundary></FirsthandProvider></StrictMode>
  container.innerHTML = renderToString(<App />)
  window.first = container.innerText
  hydrateRoot(container, <App />, { onRecoverableError: (error) => notes.push(error.message) })
`

const BROKEN = `${SHOP}
  const state = { isBad: false }
  window.state = state
  function Basket() {
    if (state.isBad) throw new Error('no basket')
    return <p>A basket</p>
  }
  function BadFallback() {
    throw new TypeError('no fallback either')
  }
  function App() {
    const [count, setCount] = useState(0)
    return <>
      <button onClick={() => setCount(count + 1)}>render</button>
      <ErrorBoundary onError={(error, stack, id) => notes.push('inner ' + error.message)} fallback={({ error, eventId, resetError }) => <section><b>{error.message}</b><code>{eventId}</code><button onClick={resetError}>again</button></section>}><Basket count={count} /></ErrorBoundary>
      <ErrorBoundary onError={(error) => notes.push('outer ' + error.message)} fallback={<em>outer</em>}><ErrorBoundary fallback={<BadFallback />}><Basket count={count} /></ErrorBoundary></ErrorBoundary>
    </>
  }
  createRoot(container).render(<StrictMode><App /></StrictMode>)
`

interface Sent {
  readonly event_id?: string
  readonly exception?: { readonly values: { readonly value: string }[] }
}

describe('React’s own ways', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await joinBrowser()
  })
  afterAll(() => closePages(browser))

  const visit = async (
    version: ReactVersion,
    script: string,
    mode: 'production' | 'development',
    work: (page: Page, sent: Sent[], complaints: readonly string[]) => Promise<void>,
  ): Promise<void> => {
    const site = await serveReactSite(version, script, mode)
    const { page, complaints, close } = await openPage(browser)
    const sent: Sent[] = []
    try {
      await page.route('**/envelope/**', async (route) => {
        const lines = (route.request().postData() ?? '').split('\n')
        if (lines[1]?.includes('"event"')) sent.push(JSON.parse(lines[2] ?? '{}') as Sent)
        await route.fulfill({ body: '{}' })
      })
      await page.goto(site.url)
      await work(page, sent, complaints.list)
    } finally {
      await close()
      await site.close()
    }
  }
  const notes = (page: Page): Promise<unknown> => page.evaluate(() => Reflect.get(window, 'notes') as unknown)

  it.each(['18', '19'] as const)(
    'React %s: what a server rendered is taken over without a mismatch, in strict mode, and then knows the widget',
    (version) =>
      visit(version, HYDRATED, 'development', async (page, _, complaints) => {
        await page.locator('output', { hasText: 'true' }).waitFor()
        expect(await page.evaluate(() => Reflect.get(window, 'first') as unknown)).toContain('false')
        expect(await notes(page)).toEqual([])
        await page.getByRole('button', { name: 'Tell us' }).click()
        await page.getByRole('dialog', { name: 'Report a Bug' }).waitFor()
        expect(complaints).toEqual([])
      }),
  )

  it.each([
    ['18', 'production'],
    ['18', 'development'],
    ['19', 'production'],
    ['19', 'development'],
  ] as const)(
    'React %s, %s: a fallback that breaks is its parent’s, and the id that is shown is that of an event there is',
    (version, mode) =>
      visit(version, BROKEN, mode, async (page, sent) => {
        await page.getByText('A basket').first().waitFor()
        await page.evaluate(() => Object.assign(Reflect.get(window, 'state') as object, { isBad: true }))
        await page.getByRole('button', { name: 'render' }).click()
        await page.getByText('outer').waitFor()
        await page.getByText('no basket').waitFor()
        const shown = await page.locator('code').innerText()
        await eventually(() => sent.map(({ event_id: id }) => id)).toContain(shown)
        await eventually(() => notes(page)).toEqual(['inner no basket', 'outer no fallback either'])
        // Still broken: the boundary catches it once more. Mended: the children are back.
        await page.getByRole('button', { name: 'again' }).click()
        await page.getByText('no basket').waitFor()
        await page.evaluate(() => Object.assign(Reflect.get(window, 'state') as object, { isBad: false }))
        await page.getByRole('button', { name: 'again' }).click()
        await page.getByText('A basket').waitFor()
      }),
  )
})
