import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Feedback, FeedbackDetail } from '../../packages/contract/src/index.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { serveSite } from '../lib/site.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'widget'

/** One site per SDK: our widget as its integration, its own widget, and a call. */
const application = (alias: string, dsn: string): string => `
  import * as Sentry from '${alias}'
  import { feedbackIntegration } from '@firsthand/feedback'
  window.Sentry = Sentry
  Sentry.init({
    dsn: ${JSON.stringify(dsn)},
    release: 'site@${alias}',
    environment: 'e2e',
    replaysSessionSampleRate: 1,
    integrations: [
      feedbackIntegration({ tags: { widget: 'ours' }, showBranding: false }),
      Sentry.replayIntegration(),
    ],
  })
  Sentry.setUser({ id: '7', email: 'bob@example.com', username: 'Bob' })
  Sentry.setTag('plan', 'pro')
  document.getElementById('call').addEventListener('click', () =>
    Sentry.captureFeedback({ message: 'By a call of ${alias}', name: 'Cy', email: 'cy@example.com' }))
  document.getElementById('theirs').addEventListener('click', async () => {
    const theirs = Sentry.feedbackIntegration({ autoInject: false, colorScheme: 'light' })
    Sentry.addIntegration(theirs)
    const form = await theirs.createForm()
    form.appendToDom()
    form.open()
  })
`

const BUTTONS = '<button id="call">Call</button><button id="theirs">Theirs</button>'

describe('the widget inside unmodified SDKs', () => {
  let server: SharedServer
  let browser: Browser
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
  })
  afterAll(async () => {
    await closePages(browser)
  })

  const path = `/organizations/${ORGANIZATION}/feedback/`
  const report = (message: string): Promise<FeedbackDetail> =>
    until(`the report "${message}"`, async () => {
      const rows = await apiOf(server).get<Feedback[]>(`${path}?mailbox=all&limit=100`)
      const found = rows.filter((row) => row.message === message)
      expect(found.length).toBeLessThanOrEqual(1)
      return found[0] === undefined ? null : apiOf(server).get<FeedbackDetail>(`${path}${found[0].id}/`)
    })

  it.each([8, 9, 10, 11])('widget 27: SDK %i, one report with its user, tags, trace and replay', async (major) => {
    const alias = `sentry-browser-${major}`
    const site = await serveSite(application(alias, server.account.dsn), BUTTONS)
    const { page, close } = await openPage(browser)
    await page.goto(`${site.url}?secret=1`)

    await page.getByRole('button', { name: 'Report a Bug' }).click()
    const dialog = page.getByRole('dialog', { name: 'Report a Bug' })
    await eventually(() => dialog.getByLabel('Email').inputValue()).toBe('bob@example.com')
    await dialog.getByLabel('Description').fill(`Ours in ${alias}`)
    await dialog.getByRole('button', { name: 'Send Bug Report' }).click()
    const thread = await page.getByRole('link', { name: 'Follow your report' }).getAttribute('href')
    await page.getByText('Thank you for your report!').waitFor()
    const ours = await report(`Ours in ${alias}`)
    expect(await (await fetch(thread ?? '')).text()).toContain(`Ours in ${alias}`)
    const { replayId, traceId } = await page.evaluate(() => {
      interface Sdk {
        getReplay(): { getReplayId(): string } | undefined
        getCurrentScope(): { getPropagationContext(): { traceId: string } }
      }
      const sdk = (globalThis as unknown as { Sentry: Sdk }).Sentry
      return {
        replayId: sdk.getReplay()?.getReplayId(),
        traceId: sdk.getCurrentScope().getPropagationContext().traceId,
      }
    })
    expect(ours).toMatchObject({
      source: 'widget',
      name: 'Bob',
      email: 'bob@example.com',
      release: `site@${alias}`,
      environment: 'e2e',
      user: { id: '7' },
      replay: { replayId },
      traceId,
      status: 'open',
    })
    expect(ours.url.startsWith(site.url)).toBe(true)
    expect(ours.browser).toMatch(/Chrome/)
    expect(ours.tags).toEqual(
      expect.arrayContaining([
        { key: 'plan', value: 'pro' },
        { key: 'widget', value: 'ours' },
      ]),
    )
    expect(ours.sdk?.name).toMatch(/^sentry\.javascript\.browser/)

    await page.click('#call')
    expect(await report(`By a call of ${alias}`)).toMatchObject({ name: 'Cy', email: 'cy@example.com' })

    await page.click('#theirs')
    const theirs = page.locator('div#sentry-feedback')
    await theirs.getByLabel(/^Description/).fill(`Theirs in ${alias}`)
    await theirs.getByRole('button', { name: 'Send Bug Report' }).click()
    expect(await report(`Theirs in ${alias}`)).toMatchObject({ source: 'widget', email: 'bob@example.com' })

    await close()
    await site.close()
  })
})
