import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWNER, startServer, type RunningServer } from '../../tools/harness/server.ts'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

let server: RunningServer
let browser: Browser
let signedIn: SignedIn

beforeAll(async () => {
  // The project in which Firsthand watches itself is made at a start, once there is somebody to read it.
  const first = await startServer()
  await first.stop()
  ;[server, browser] = await Promise.all([startServer({ dataDir: first.dataDir, setUp: false }), joinBrowser()])
  signedIn = await signIn(server, OWNER)
})
afterAll(async () => {
  await closePages(browser)
  await server.stop()
  server.remove()
})

const ask = <Row>(page: Page, path: string): Promise<readonly Row[]> =>
  page.evaluate(async (address) => (await (await fetch(address)).json()) as Row[], `/api/0/organizations/${path}`)

describe('Firsthand watches itself', () => {
  it('its console carries the widget, reports its own errors through its own tunnel, and either can be switched off', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn, [/the console broke/])
    await page.goto(`${originOf(server)}/organizations/acme/issues`)
    const button = page.getByRole('button', { name: 'Report a problem with Firsthand' })
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Report a problem with Firsthand' }).click()
    const dialog = page.getByRole('dialog', { name: 'What is wrong with Firsthand?' })
    await eventually(() => dialog.getByLabel('Email').inputValue()).toBe(OWNER.email)
    await dialog.getByLabel('Description').fill('I cannot find the receipts')
    // The console's policy forbids inline styles, and fonts or images from anywhere else.
    await dialog.getByRole('button', { name: 'Add a screenshot' }).click()
    await page.getByRole('button', { name: 'Back to the form' }).click()
    await dialog.getByRole('button', { name: 'Draw' }).waitFor()
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('tunnel'))
    await dialog.getByRole('button', { name: 'Send report' }).click()
    expect(new URL((await sent).url()).pathname).toBe('/tunnel')
    await page.getByText('Thank you for your report!').waitFor()
    // Nothing lies over the list unless somebody wants it to.
    await eventually(() => button.count()).toBe(0)
    const report = await until('the report', async () => {
      const rows = await ask<{ message: string; release: string }>(page, 'firsthand-internal/feedback/?mailbox=all')
      return rows.find((row) => row.message === 'I cannot find the receipts') ?? null
    })
    expect(report.release).toMatch(/^firsthand@/)

    await page.evaluate(
      () =>
        void setTimeout(() => {
          throw new RangeError('the console broke')
        }),
    )
    await until('the issue', async () => {
      const issues = await ask<{ title: string }>(page, 'firsthand-internal/issues/?query=')
      return issues.find((issue) => issue.title.includes('the console broke')) ?? null
    })
    expect(await ask(page, 'acme/feedback/?mailbox=all')).toEqual([])

    await page.goto(`${originOf(server)}/organizations/acme/settings/account`)
    // A page that is loaded again may take its request with it.
    const kept = () =>
      page.waitForResponse((response) => response.request().method() === 'PUT' && response.url().includes('/users/me/'))
    const wanted = kept()
    await page.getByRole('switch', { name: 'Feedback button', checked: false }).click()
    await button.waitFor()
    await wanted

    await page.setViewportSize({ width: 390, height: 844 })
    await button.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Report a problem with Firsthand' }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.setViewportSize({ width: 1440, height: 900 })

    await button.waitFor()
    const unwanted = kept()
    await page.getByRole('switch', { name: 'Feedback button', checked: true }).click()
    await button.waitFor({ state: 'detached' })
    await unwanted
    await page.reload()
    await page.getByRole('switch', { name: 'Feedback button', checked: false }).waitFor()
    await eventually(() => button.count()).toBe(0)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('T104 its own page loads and navigations appear, under the names of its routes', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const loaded = page.waitForResponse((response) => response.url().endsWith('/own-reporting/'))
    const sent = (op: string) =>
      page.waitForRequest((request) => {
        const body = request.postData() ?? ''
        return body.includes('"type":"span"') && body.includes(`"value":"${op}"`)
      })
    const first = sent('pageload')
    await page.goto(`${originOf(server)}/organizations/acme/issues`)
    expect(await (await loaded).json()).toMatchObject({ viewsSampleRate: 1 })
    // Each is sent once it is over.
    await first
    const second = sent('navigation')
    await page.getByRole('link', { name: 'Feedback', exact: true }).first().click()
    await eventually(() => page.title()).toContain('Feedback')
    await second
    expect(complaints.list).toEqual([])
    await close()

    const other = await openPage(browser, signedIn)
    await other.page.goto(`${originOf(server)}/organizations/firsthand-internal/issues`)
    const seen = await until('both views', async () => {
      const { transactions } = await other.page.evaluate(
        async (address) =>
          (await (await fetch(address)).json()) as { transactions: { transaction: string; op: string }[] },
        '/api/0/organizations/firsthand-internal/transactions/?sort=transaction',
      )
      const names = new Set(transactions.map(({ transaction }) => transaction))
      return names.has('/organizations/$org/issues') && names.has('/organizations/$org/feedback') ? transactions : null
    })
    expect(seen.find(({ transaction }) => transaction === '/organizations/$org/issues')?.op).toBe('pageload')
    expect(seen.every(({ transaction }) => !transaction.includes('acme'))).toBe(true)
    await other.close()
  })
})
