import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Erasure, Feedback, Issue, IssueReport, IssueTelling } from '../../packages/contract/src/index.ts'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { axeViolations } from '../lib/axe.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { sendFeedback } from '../lib/feedback.ts'
import { pngOf } from '../lib/png.ts'
import { errorEvent, newEventId, sendEvent } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'people'
const ROOT = `/organizations/${ORGANIZATION}`
const MARTA = { id: '4127', email: 'marta@x.example', username: 'Marta Silva' }
/** Whose names are longer than a phone is wide. */
const LONG = { id: '14', username: 'Wilhelmina', email: 'wilhelmina.featherstonehaugh@customers.example' }
/** Two who have one address. */
const SHARED = 'both@x.example'
const TRACE = 'ab'.repeat(16)

let server: SharedServer
let browser: Browser
let signedIn: SignedIn
let issue: Issue
let anonymous = ''
let thread = ''

const api = () => apiOf(server)
const said = (): Promise<IssueReport[]> => api().get(`${ROOT}/issues/${issue.id}/people/`)
const telling = (): Promise<IssueTelling> => api().get(`${ROOT}/issues/${issue.id}/telling/`)
const status = async (): Promise<string> => (await api().get<Issue>(`${ROOT}/issues/${issue.id}/`)).status

/** In the name of the organisation. */
const call = async (method: string, path: string, body: unknown): Promise<void> => {
  const answer = await fetch(`${originOf(server)}/api/0${path}`, {
    method,
    headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path} was refused: ${answer.status} ${await answer.text()}`)
}
const change = (body: object): Promise<void> => call('PUT', `${ROOT}/issues/?id=${issue.id}`, body)

const report = async (message: string, more: Parameters<typeof sendFeedback>[2], context: object = {}) => {
  const sent = await sendFeedback(server.account.dsn, { message, ...context }, more)
  const row = await until(`the report "${message}"`, async () => {
    const rows = await api().get<Feedback[]>(`${ROOT}/feedback/?mailbox=all`)
    return rows.find((one) => one.eventId === sent.eventId) ?? null
  })
  return { ...sent, id: row.id }
}

beforeAll(async () => {
  ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
  signedIn = await signIn(server)
  const { organization, project, dsn } = server.account
  // Everything here comes from one address, which the default rules would soon take for spam.
  const settings = { spam: { reportsPerAddress: 10_000 } }
  await call('PUT', `/projects/${organization}/${project}/feedback-settings/`, settings)
  const voucher = errorEvent('TypeError', 'Cannot read properties of undefined')
  const [first, traced] = [newEventId(), newEventId()]
  const soon = Date.now() / 1000 - 60
  const more = { release: '2026.11.2', request: { url: 'https://shop.example/cart' } }
  await sendEvent(dsn, { ...voucher, ...more, event_id: first, timestamp: soon, user: MARTA })
  const contexts = { trace: { trace_id: TRACE, span_id: 'ab'.repeat(8) } }
  await sendEvent(dsn, { ...voucher, ...more, event_id: traced, timestamp: soon, contexts, user: { id: '9' } })
  for (const id of ['11', '12', '13']) await sendEvent(dsn, { ...voucher, ...more, timestamp: soon, user: { id } })
  await sendEvent(dsn, { ...errorEvent('RangeError', 'quiet'), user: LONG })
  for (const id of ['77', '78'])
    await sendEvent(dsn, { ...errorEvent('RangeError', 'quiet'), user: { id, email: SHARED } })
  issue = await until('the issue', async () => {
    const rows = await api().get<Issue[]>(`${ROOT}/issues/?query=TypeError`)
    return rows.find(({ userCount }) => userCount === 5) ?? null
  })
  const sentBy = (locale: string, user: object, place: object) => ({
    event: { user, contexts: { culture: { locale }, ...place } },
    files: [{ name: 'screenshot.png', type: 'image/png', bytes: new Uint8Array(pngOf(640, 400)) }],
  })
  const marta = await report('I typed my voucher and the total went away.', sentBy('pt-PT', MARTA, {}), {
    name: 'Marta Silva',
    contact_email: MARTA.email,
    associated_event_id: first,
  })
  thread = marta.threadUrl
  await report('Der Gutschein lässt den Gesamtpreis verschwinden.', sentBy('de-AT', { id: '9' }, contexts), {
    name: 'Jonas Weber',
  })
  anonymous = (await report('Cannot pay, the total is empty.', {})).id
  await until('what was linked', async () => ((await said()).length === 2 ? true : null))
})
afterAll(async () => {
  await closePages(browser)
})

const visit = async (path: string): Promise<{ page: Page; leave: () => Promise<void> }> => {
  const { page, complaints, close } = await openPage(browser, signedIn)
  await page.goto(`${originOf(server)}${path}`)
  return {
    page,
    leave: async () => {
      expect(complaints.list).toEqual([])
      await close()
    },
  }
}

/** In light and dark, wide and narrow: nothing that axe finds, and nothing to scroll sideways. */
const looksRight = async (page: Page): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const size of [
      { width: 1440, height: 900 },
      { width: 320, height: 800 },
    ]) {
      await page.setViewportSize(size)
      const found = await axeViolations(page)
      expect(found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(wide).toBeLessThanOrEqual(0)
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

describe('what people said', () => {
  it('A108: the row says how many told us, and the list is sorted by harmed people', async () => {
    const { page, leave } = await visit(`${ROOT}/issues?sort=harmed`)
    const row = page.getByRole('row').filter({ hasText: 'TypeError' })
    await row.getByText('2 people told us').waitFor()
    await row
      .getByTitle(/counts as 25/)
      .first()
      .waitFor()
    const titles = await page
      .getByRole('row')
      .filter({ hasText: /TypeError|RangeError/ })
      .allInnerTexts()
    expect(titles[0]).toContain('TypeError')
    await leave()
  })

  it('A110: stands on the issue, linked by event, by trace and by hand, in any light and width', async () => {
    const { page, leave } = await visit(`${ROOT}/issues/${issue.id}`)
    await page.getByRole('link', { name: /What people said/ }).click()
    await page.getByRole('heading', { name: '5 people ran into it, 2 told us' }).waitFor()
    const marta = page.getByRole('article', { name: 'What Marta Silva said' })
    await marta.getByText('“I typed my voucher and the total went away.”').waitFor()
    await marta.getByText('by its event').waitFor()
    await marta.getByRole('link', { name: 'The picture that Marta Silva sent' }).waitFor()
    await page.getByRole('article', { name: 'What Jonas Weber said' }).getByText('by its trace').waitFor()

    const linkAnonymous = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Link a report …' }).click()
      await page.getByLabel('Words of what was said').fill('total is empty')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Cannot pay/ })
        .click()
      await page
        .getByRole('article', { name: 'What anonymous said' })
        .getByText(/linked by/)
        .waitFor()
    }
    await linkAnonymous()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('z')
    await page.getByRole('article', { name: 'What anonymous said' }).waitFor({ state: 'detached' })
    await linkAnonymous()
    await looksRight(page)
    await leave()
    expect((await said()).map(({ linkedBy }) => linkedBy.by).toSorted()).toEqual(['event', 'person', 'trace'])
  })
})

describe('resolving', () => {
  const openDialog = async (page: Page): Promise<void> => {
    await page.getByRole('heading', { name: 'TypeError' }).waitFor()
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: `Resolve ${issue.shortId}` }).waitFor()
  }

  it('A106: Review asks who is told as well, before anything is resolved', async () => {
    const { page, leave } = await visit(`${ROOT}/review`)
    const card = page.getByRole('article')
    const next = page.getByRole('button', { name: /^Next/ })
    await card.getByRole('heading').waitFor()
    while ((await card.getByText(issue.shortId).count()) === 0 && (await next.isEnabled()))
      await page.keyboard.press('j')
    await card.getByText('3 people told us').waitFor()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: `Resolve ${issue.shortId}` })
    await dialog.getByRole('button', { name: 'Resolve, tell 3' }).waitFor()
    expect(await status()).toBe('unresolved')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await leave()
  })

  it('A106: says who is told and what they read, each language by itself; an undo within the time sends nothing', async () => {
    const { page, leave } = await visit(`${ROOT}/issues/${issue.id}`)
    await openDialog(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('on their private page, in Portuguese').waitFor()
    await dialog.getByText('on their private page, in German').waitFor()
    await dialog.getByRole('checkbox', { name: 'Tell anonymous' }).click()
    await dialog.getByRole('heading', { name: 'Tells 2 people' }).waitFor()
    await dialog.getByRole('radio', { name: 'Portuguese' }).click()
    await dialog.getByLabel('What they read in Portuguese').fill('Olá {name}, “{quote}” está corrigido.')
    await dialog.getByRole('button', { name: 'See it as Marta Silva does' }).click()
    await dialog.getByText('Olá Marta Silva, “I typed my voucher and the total went away.” está corrigido.').waitFor()
    await looksRight(page)
    await dialog.getByRole('button', { name: 'Resolve, tell 2' }).click()
    await page.getByText('2 people are told in 10 minutes.').waitFor()
    await eventually(status).toBe('resolved')
    const planned = await telling()
    expect(planned.planned).toMatchObject({ when: 'now' })
    expect(planned.notTold).toMatchObject([{ id: anonymous, why: 'left_out' }])
    expect(planned.texts.find(({ language }) => language === 'pt')).toMatchObject({ isEdited: true })

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('dialog').getByRole('radio', { name: 'In 10 minutes' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('z')
    await eventually(status).toBe('unresolved')
    await eventually(async () => (await telling()).planned).toBe(null)
    await leave()
  })

  it('A107: what waits for a release says so, can be changed, and can be taken back', async () => {
    const { page, leave } = await visit(`${ROOT}/issues/${issue.id}`)
    await openDialog(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /In the next release/ }).click()
    await dialog.getByRole('radio', { name: 'When the next release is first seen' }).waitFor()
    await dialog.getByRole('button', { name: 'Resolve, tell 3 later' }).click()
    await page.getByRole('link', { name: /What people said/ }).click()
    // The note of what was just done says the same beside it.
    const waits = page.locator('main').getByRole('status')
    await waits.getByText('3 people are told when the next release is first seen.').waitFor()
    await page.getByRole('button', { name: 'Tell nobody' }).click()
    await page.getByText('Nobody is told').waitFor()
    await eventually(async () => (await telling()).planned).toBe(null)
    await change({ status: 'unresolved' })
    await leave()
  })

  it('A106: once the time is over each is told on their page, where “it still happens” opens the issue again', async () => {
    await change({ status: 'resolved', tell: { when: 'now' } })
    await eventually(async () => (await telling()).planned?.when).toBe('now')
    const ledger = new DatabaseSync(join(server.dataDir, 'ledger.sqlite'), { timeout: 60_000 })
    ledger.exec(`UPDATE tellings SET due_at = 1 WHERE state = 'planned'`)
    ledger.close()
    // Whatever happens makes the server look.
    await change({ priority: 'low' })
    await eventually(async () => (await telling()).told).toBe(3)

    const { page, close } = await openPage(browser)
    await page.goto(thread)
    await page.getByText('Olá Marta Silva,').waitFor()
    const text = await page.locator('main').innerText()
    expect(text).not.toContain(issue.shortId)
    expect(text).not.toContain('TypeError')
    await page.getByRole('button', { name: 'Ainda acontece' }).click()
    await page.getByText('Obrigado. Vamos verificar de novo.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await close()
    expect(await status()).toBe('unresolved')
    const { activity } = await api().get<{ activity: { type: string; data: object }[] }>(
      `${ROOT}/issues/${issue.id}/activities/`,
    )
    expect(activity.find(({ type }) => type === 'people_told')).toMatchObject({ data: { people: 3 } })
    expect(activity.find(({ type }) => type === 'set_unresolved')).toMatchObject({ data: { reason: 'still_happens' } })
  })
})

describe('a person', () => {
  it('A109: what they ran into and said stands on one page, found from the issue and by ⌘K', async () => {
    const { page, leave } = await visit(`${ROOT}/issues/${issue.id}?tab=people`)
    await page
      .getByRole('article', { name: 'What Marta Silva said' })
      .getByRole('link', { name: 'Marta Silva', exact: true })
      .click()
    await page.getByRole('heading', { name: 'Marta Silva', level: 1 }).waitFor()
    const visitOfHer = page.getByRole('article', { name: /^Wrote to us/ })
    await visitOfHer.getByText('“I typed my voucher and the total went away.”').waitFor()
    await visitOfHer.getByText(/Cannot read properties/).waitFor()
    await visitOfHer.getByRole('link', { name: issue.shortId }).first().waitFor()
    await looksRight(page)

    await page.getByRole('link', { name: /^Said/ }).click()
    await page
      .getByText(/Cannot read properties/)
      .first()
      .waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').getByRole('combobox').fill('marta@x')
    await page
      .getByRole('option', { name: /Marta Silva/ })
      .first()
      .waitFor()
    expect(new URL(page.url()).searchParams.get('tab')).toBe('said')
    await leave()
  })

  it('is found by a part of their address, however long it is', async () => {
    const { page, leave } = await visit(`${ROOT}/people`)
    await page.getByRole('textbox', { name: 'Find a person' }).fill('featherstone')
    const found = page.getByRole('list', { name: 'People found' })
    await found.getByText(LONG.email).waitFor()
    await looksRight(page)
    await found.getByRole('link', { name: LONG.username }).click()
    await page.getByRole('heading', { name: LONG.username, level: 1 }).waitFor()
    expect(new URL(page.url()).searchParams.get('user')).toContain(LONG.id)
    await leave()
  })

  it('is told apart from others of the same name and address, and that there are more of them is said', async () => {
    const twin = { username: 'Twin Crowd', email: 'twin@crowd.example' }
    for (let id = 0; id < 22; id += 1)
      await sendEvent(server.account.dsn, { ...errorEvent('RangeError', 'quiet'), user: { ...twin, id: `c${id}` } })
    await until('all of them', async () => {
      const found = await api().get<unknown[]>(`${ROOT}/people/?query=crowd`)
      return found.length === 20 ? true : null
    })
    const { page, leave } = await visit(`${ROOT}/people`)
    await page.getByRole('textbox', { name: 'Find a person' }).fill('crowd')
    await page.getByText('These are the 20 seen last. Write more of the name to find others.').waitFor()
    const found = page.getByRole('list', { name: 'People found' })
    expect(await found.getByRole('listitem').count()).toBe(20)
    const hints = await found.getByText(/^id:c\d+, twin@crowd\.example$/).allInnerTexts()
    expect(new Set(hints).size).toBe(20)
    await looksRight(page)
    await leave()
  })

  it('is reached by a whole name, though nobody was seen under it', async () => {
    const { page, leave } = await visit(`${ROOT}/people`)
    await page.getByRole('textbox', { name: 'Find a person' }).fill('long.ago@x.example')
    await page.getByText('Nobody has this in their name.').waitFor()
    await looksRight(page)
    await page.getByRole('link', { name: 'Open the page of email:long.ago@x.example' }).click()
    await page.getByText('Nothing is known of them in this time').waitFor()
    expect(new URL(page.url()).searchParams.get('user')).toBe('email:long.ago@x.example')
    await leave()
  })

  it('says what to do when nothing is known of them', async () => {
    const { page, leave } = await visit(`${ROOT}/people?user=id:nobody`)
    await page.getByText('Nothing is known of them in this time').waitFor()
    await looksRight(page)
    await page.getByRole('button', { name: 'Look at the last 90 days' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('statsPeriod')).toBe('90d')
    await leave()
  })
})

describe('everything of a person', () => {
  const erasures = (): Promise<Erasure[]> => api().get(`${ROOT}/person/erasures/`)
  const path = (user: string): string => `${ROOT}/people?user=${encodeURIComponent(user)}`

  it('is deleted under the names that were chosen, after it could be taken back', async () => {
    await until('both of one address', async () => {
      const { counts } = await api().get<{ counts: { errors: number } }>(`${ROOT}/person/?user=id%3A77`)
      return counts.errors === 2 ? true : null
    })
    const { page, leave } = await visit(path('id:77'))
    const dialog = page.getByRole('dialog')
    const askForIt = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Delete everything …' }).click()
      await dialog.getByText('1 error,', { exact: false }).waitFor()
      await dialog.getByText('may be of several people', { exact: false }).waitFor()
      const others = ['id:78', `email:${SHARED}`].map((name) => dialog.getByRole('checkbox', { name }))
      for (const other of others) expect(await other.isChecked()).toBe(false)
      await others[0]?.click()
      await dialog.getByText('2 errors', { exact: false }).waitFor()
      await others[0]?.click()
      await dialog.getByText('1 error,', { exact: false }).waitFor()
    }
    await askForIt()
    await looksRight(page)
    await dialog.getByRole('button', { name: 'Delete everything' }).click()
    const notice = page.getByText(/^Everything under id:77 is deleted at/)
    await notice.waitFor()
    await looksRight(page)
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await notice.waitFor({ state: 'detached' })
    expect(await erasures()).toMatchObject([{ state: 'withdrawn', names: [] }])

    await askForIt()
    await dialog.getByRole('button', { name: 'Delete everything' }).click()
    await notice.waitFor()
    expect(await erasures()).toMatchObject([{ state: 'planned', names: ['id:77'] }, { state: 'withdrawn' }])
    const ledger = new DatabaseSync(join(server.dataDir, 'ledger.sqlite'), { timeout: 10_000 })
    ledger.prepare(`UPDATE erasures SET due_at = 0 WHERE state = 'planned'`).run()
    ledger.close()
    // Whatever is asked for makes the server look.
    await call('POST', `${ROOT}/person/erasures/`, { names: ['id:nobody'] })
    await until('the end of it', async () => ((await erasures())[1]?.state === 'done' ? true : null))
    expect(await erasures()).toMatchObject([{}, { names: [], counts: [{ what: 'errors', count: 1 }] }, {}])
    await page.reload()
    await page.getByText('Nothing is known of them in this time').waitFor()
    await page.goto(`${originOf(server)}${path('id:78')}`)
    await page.getByRole('heading', { name: SHARED, level: 1 }).waitFor()
    await page.goto(`${originOf(server)}${ROOT}/people`)
    await page
      .getByRole('region', { name: 'Deletions of people' })
      .getByText(/^Done: 1 error/)
      .waitFor()
    await looksRight(page)
    await leave()
  })
})
