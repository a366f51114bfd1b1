import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { describeOpenPages } from '../lib/open-pages.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'

const LONG_LIST = '<p>a cup</p>'.repeat(1000)
const PAGE = `<p>Tea</p><p>is ready</p>${LONG_LIST}<div role="dialog"><p>With milk?</p></div>
<script>fetch("/never"); fetch("/gone")</script>`

/** Answers everything but `/never`. */
const site = createServer((request, response) => {
  if (request.url === '/never') return
  response.setHeader('content-type', 'text/html')
  response.statusCode = request.url === '/gone' ? 404 : 200
  response.end(PAGE)
})
let browser: Browser

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  browser = await joinBrowser()
})
afterAll(async () => {
  await closePages(browser)
  site.closeAllConnections()
  site.close()
})

it('a failed test says what its pages show, wait for and were refused', async () => {
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  const { page, close } = await openPage(browser)
  await page.goto(address)
  const said = async () => (await describeOpenPages()).find((line) => line.startsWith(`page ${address} shows:`))
  await eventually(said).toContain('Tea | is ready')
  await eventually(said).toMatch(/without an answer: GET \S+\/never for [\d.]+ s/)
  await eventually(said).toContain('over it: With milk?')
  await eventually(said).toMatch(/went wrong: GET \S+\/gone 404/)
  await close()
  expect(await said()).toBeUndefined()
})
