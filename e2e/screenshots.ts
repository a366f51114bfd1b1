/**
 * Takes the pictures of the README: `node e2e/screenshots.ts` writes `docs/screenshots/{stream,issue}-{light,dark}.png`
 * from a server of its own that received two weeks of a shop. Build first (`npm run build`).
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { OWNER, startServer } from '../tools/harness/server.ts'
import { originOf, signIn } from './lib/account.ts'
import { apiOf } from './lib/api.ts'
import { launchBrowser, openPage } from './lib/browser.ts'
import { sendEvents } from './lib/send.ts'
import { FEATURED, shopData } from './lib/shop-data.ts'
import { until } from './lib/until.ts'

const folder = join(import.meta.dirname, '..', 'docs', 'screenshots')
const COLLEAGUES = [
  { email: 'ben.ito@example.com', name: 'Ben Ito' },
  { email: 'carla.weiss@example.com', name: 'Carla Weiss' },
]

const OLD = /Timeout|Payment|Quota|Address|NotFound|Stock|Newsletter|Syntax|Hydration/

const [server, browser] = await Promise.all([startServer(), launchBrowser()])
try {
  const origin = originOf(server)
  const api = apiOf(server)
  const signedIn = await signIn(server, OWNER)
  const { page: ann, close: annLeaves } = await openPage(browser, signedIn)
  await ann.goto(`${origin}/login`)
  /** A call as Ann makes it in her browser, so that the activity of issues names her. */
  const call = async (method: string, path: string, body: unknown): Promise<Record<string, unknown>> => {
    const { status, text } = await ann.evaluate(
      async ([verb, address, json]) => {
        const session = (await (await fetch('/api/0/auth/session/')).json()) as { csrfToken: string }
        const headers = { 'content-type': 'application/json', 'x-csrf-token': session.csrfToken }
        const answer = await fetch(`/api/0${address}`, { method: verb, headers, body: json })
        return { status: answer.status, text: await answer.text() }
      },
      [method, path, JSON.stringify(body)] as const,
    )
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`)
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  }
  const issueOf = async (title: string): Promise<string> => (await api.issue(title)).id
  const changeIssue = async (title: string, change: unknown): Promise<unknown> =>
    call('PUT', `/organizations/acme/issues/${await issueOf(title)}/`, change)

  await call('PUT', '/users/me/', { name: 'Ann Keller' })
  await call('PUT', '/organizations/acme/', { name: 'Acme Lamps' })
  await call('PUT', '/projects/acme/shop/', { name: 'shop-web', platform: 'javascript-react' })
  for (const [name, platform] of [
    ['shop-api', 'node'],
    ['warehouse', 'python'],
  ]) {
    await call('POST', '/organizations/acme/projects/', { name, platform })
  }
  const members = new Map<string, string>()
  for (const { email, name } of COLLEAGUES) {
    const { inviteLink } = await call('POST', '/organizations/acme/members/', { email, role: 'member' })
    const token = new URL(String(inviteLink)).pathname.split('/').findLast((part) => part !== '')
    const answer = await fetch(`${origin}/api/0/accept-invite/${token}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ name, password: 'a long and secret phrase' }),
    })
    const joined = (await answer.json()) as { user: { id: string } }
    members.set(name, joined.user.id)
  }

  const data = shopData(Date.now() / 1000)
  const total = data.before.length
  await sendEvents(server.account.dsn, data.before)
  await until(
    `${total} events`,
    async () => {
      const { totals } = await api.receipts()
      return totals.filter((row) => row.outcome === 'accepted').reduce((sum, row) => sum + row.quantity, 0) >= total
        ? true
        : null
    },
    120_000,
  )

  await changeIssue(FEATURED.value, { status: 'resolved', statusDetails: { inRelease: 'latest' } })
  await changeIssue('InvalidVoucherError', { status: 'resolved' })
  await changeIssue('AbortError', { status: 'ignored', substatus: 'archived_until_escalating' })
  await sendEvents(server.account.dsn, data.after)
  await until('the regression', async () => (await api.issues('is:regressed')).length > 0 || null, 60_000)
  await changeIssue(FEATURED.value, { assignedTo: `user:${members.get('Ben Ito')}` })
  await changeIssue('PaymentDeclinedError', { assignedTo: `user:${members.get('Carla Weiss')}` })
  await changeIssue('TimeoutError', { assignedTo: `user:${members.get('Ben Ito')}` })
  // Nearly all of them are known: only what began in the last days is new.
  for (const issue of await api.issues('is:unresolved !is:regressed')) {
    if (OLD.test(issue.title))
      await call('PUT', `/organizations/acme/issues/${issue.id}/`, { status: 'unresolved', substatus: 'ongoing' })
  }
  await call('POST', `/organizations/acme/issues/${await issueOf(FEATURED.value)}/notes/`, {
    text: 'Vouchers re-read the cart before the catalogue is warm. A guard in summarise() is on its way.',
  })

  await annLeaves()
  mkdirSync(folder, { recursive: true })
  const featured = await issueOf(FEATURED.value)
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, close } = await openPage(browser, { ...signedIn, colorScheme, reducedMotion: 'reduce' })
    await page.goto(`${origin}/organizations/acme/issues`)
    await page.getByText('ChunkLoadError').waitFor()
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: join(folder, `stream-${colorScheme}.png`) })
    await page.goto(`${origin}/organizations/acme/issues/${featured}`)
    // The colours of the source come from a worker, a moment after the page.
    await page
      .getByRole('region', { name: /^Source around line/ })
      .first()
      .locator('code span')
      .first()
      .waitFor()
    await page.getByRole('region', { name: 'Activity' }).waitFor()
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: join(folder, `issue-${colorScheme}.png`) })
    await close()
  }
} finally {
  await browser.close()
  await server.stop()
  server.remove()
}
