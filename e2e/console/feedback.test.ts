import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Feedback, Issue } from '../../packages/contract/src/index.ts'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { sendFeedback } from '../lib/feedback.ts'
import { errorEvent, sendEvent } from '../lib/send.ts'
import { pngOf } from '../lib/png.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'
import { frameOf } from './pages/frame.ts'

const ORGANIZATION = 'feedback'

const INBOX = `/organizations/${ORGANIZATION}/feedback`

let server: SharedServer
let browser: Browser
let signedIn: SignedIn
let picture: Uint8Array

beforeAll(async () => {
  ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
  signedIn = await signIn(server)
  // Everything here comes from one address, which the default rules would soon take for spam.
  const { organization, project, token } = server.account
  const answer = await fetch(`${originOf(server)}/api/0/projects/${organization}/${project}/feedback-settings/`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ spam: { reportsPerAddress: 10_000 } }),
  })
  if (!answer.ok) throw new Error(`the settings were refused: ${answer.status}`)
  picture = new Uint8Array(pngOf(640, 400))
})
afterAll(async () => {
  await closePages(browser)
})

const inbox = (query: string): Promise<Feedback[]> => apiOf(server).get(`${INBOX}/?${query}`)

/** Sends a report and waits until it is in the inbox. */
const report = async (
  message: string,
  context: Readonly<Record<string, unknown>> = {},
  more: Parameters<typeof sendFeedback>[2] = {},
): Promise<Feedback & { readonly threadUrl: string }> => {
  const { eventId, threadUrl } = await sendFeedback(server.account.dsn, { message, ...context }, more)
  const row = await until(`the report "${message}"`, async () => {
    return (await inbox('mailbox=all')).find((one) => one.eventId === eventId) ?? null
  })
  return { ...row, threadUrl }
}

/** A page that hears of what happens. */
const visit = async (path: string): Promise<{ page: Page; leave: () => Promise<void> }> => {
  const { page, complaints, close } = await openPage(browser, signedIn)
  const live = frameOf(page).live()
  await page.goto(`${originOf(server)}${path}`)
  await live
  return {
    page,
    leave: async () => {
      expect(complaints.list).toEqual([])
      await close()
    },
  }
}

const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

/** What is typed next are keys again, not text. */
const leaveFields = (page: Page) =>
  page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined))

/** The words of the report that is open. */
const said = (page: Page, text: string) => page.getByRole('region', { name: 'What was said' }).getByText(text)

describe('the set-up page', () => {
  it('sends a test event that arrives and goes on waiting for the application, and writes the tag of the widget as it was chosen', async () => {
    const { page, leave } = await visit(
      `/organizations/${ORGANIZATION}/projects/${server.account.project}/getting-started`,
    )
    await page.getByText('Waiting for the first event…').waitFor()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('The way works. Waiting for your application…').waitFor()
    await page.getByRole('button', { name: 'Send a test event' }).waitFor()
    await sendEvent(server.account.dsn, errorEvent('Error', 'sent by the application'))
    await page.getByText('The first event has arrived').waitFor()
    await page.getByText('Error: sent by the application').waitFor()

    await page.getByLabel('Title', { exact: true }).fill('Tell us')
    await page.getByRole('figure', { name: 'Preview of the widget' }).getByText('Tell us').waitFor()
    const preview = page.getByRole('figure', { name: 'Preview of the widget' })
    for (const label of ['Name', 'Email', 'Description (required)', 'Add a screenshot'])
      await preview.getByText(label, { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Ask what kind of report it is' }).check()
    await preview.getByText('What is it about?').waitFor()
    const tag = page.locator('pre').filter({ hasText: 'data-feedback' })
    await eventually(() => tag.innerText()).toContain('"formTitle": "Tell us"')
    expect(await tag.innerText()).toContain(server.account.dsn)
    await leave()
  })
})

describe('the inbox', () => {
  it('says how reports get here, and shows the first one without a reload', async () => {
    const { page, leave } = await visit(INBOX)
    await page.getByText('No feedback yet').waitFor()
    await eventually(() => page.title()).toBe('Feedback · Firsthand')
    await page.locator('pre').filter({ hasText: server.account.dsn }).waitFor()
    const sent = await report('The very first', { name: 'Marta Silva' })
    await row(page, 'The very first').waitFor()
    await page.getByRole('link', { name: /^Feedback 1 unread/ }).waitFor()
    await row(page, 'The very first').getByRole('link').click()
    await page.getByRole('heading', { name: 'Marta Silva' }).waitFor()
    await until('it to be read', async () => ((await inbox('mailbox=unread')).length === 0 ? true : null))
    expect(new URL(page.url()).searchParams.get('report')).toBe(sent.id)
    await leave()
  })

  it('opens a report that a search for issues named, by the link that it has there', async () => {
    const { eventId } = await report('Found among issues', { name: 'Nia Obi' })
    const { permalink } = await apiOf(server).get<Issue>(`/organizations/${ORGANIZATION}/issues/${eventId}/`)
    for (const path of [new URL(permalink).pathname, `/organizations/${ORGANIZATION}/issues/${eventId}`]) {
      const { page, leave } = await visit(path)
      await page.getByRole('heading', { name: 'Nia Obi' }).waitFor()
      await said(page, 'Found among issues').waitFor()
      expect(new URL(page.url()).pathname).toBe(INBOX)
      await leave()
    }
  })

  it('goes by keyboard: down, open, resolve and undo', async () => {
    for (const text of ['Keyboard zero', 'Keyboard one', 'Keyboard two']) await report(text)
    const { page, leave } = await visit(INBOX)
    await row(page, 'Keyboard two').waitFor()
    await page.keyboard.press('j')
    await said(page, 'Keyboard two').waitFor()
    await page.keyboard.press('j')
    await said(page, 'Keyboard one').waitFor()
    await page.keyboard.press('e')
    const message = await frameOf(page).heldMessage('Report resolved')
    await row(page, 'Keyboard one').waitFor({ state: 'detached' })
    await said(page, 'Keyboard zero').waitFor()
    // What is told covers nothing of where one writes.
    const [told, composer] = await Promise.all([
      message.boundingBox(),
      page.getByRole('form', { name: /^(Reply|Note)$/ }).boundingBox(),
    ])
    expect((told?.x ?? Infinity) + (told?.width ?? 0)).toBeLessThan(composer?.x ?? 0)
    const unread = () => eventually(async () => (await inbox('mailbox=unread')).map((one) => one.message))
    await unread().not.toContain('Keyboard zero')
    await page.getByRole('button', { name: 'Undo' }).click()
    // The next key is for the report that came back; the one that nobody chose is as unread as before.
    await said(page, 'Keyboard one').waitFor()
    await row(page, 'Keyboard one').waitFor()
    await unread().toContain('Keyboard zero')
    // The row is back at once; the server hears of it a moment later.
    await eventually(async () => (await inbox('mailbox=open')).map((one) => one.message)).toContain('Keyboard one')
    const search = page.getByLabel('Search feedback')
    await page.keyboard.press('/')
    await eventually(() => search.evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.type('keyboard TWO')
    await row(page, 'Keyboard one').waitFor({ state: 'detached' })
    // Half a word, typed slowly, finds nothing; the whole one finds the other.
    await row(page, 'Keyboard two').waitFor()
    await search.fill('no such words')
    await page.getByText('No report matches').waitFor()
    await leave()
  })

  it('keys that come faster than reports open are for the reports that they lead to', async () => {
    for (const text of ['Hasty zero', 'Hasty one', 'Hasty two']) await report(text)
    const { page, leave } = await visit(`${INBOX}?query=hasty`)
    await row(page, 'Hasty zero').waitFor()
    await frameOf(page).pressAtOnce('j', 'j', 'e')
    await row(page, 'Hasty one').waitFor({ state: 'detached' })
    await eventually(async () => (await inbox('mailbox=resolved&query=hasty')).map((one) => one.message)).toEqual([
      'Hasty one',
    ])
    await leave()
  })

  it('changes many at once, and merges what is alike', async () => {
    const first = await report('Alike: lamp is dark')
    await report('Alike: the lamp stays dark')
    const { page, leave } = await visit(`${INBOX}?query=alike`)
    await row(page, 'Alike: the lamp').getByRole('checkbox').click()
    await row(page, 'Alike: lamp is').getByRole('checkbox').click()
    const bar = page.getByRole('toolbar', { name: 'Change selected reports' })
    await bar.getByRole('button', { name: 'Merge' }).click()
    await row(page, '2 alike').waitFor()
    await row(page, 'Alike: lamp is').getByRole('link').click()
    const merged = page.getByRole('region', { name: 'Merged report' })
    await merged.getByText('Alike: the lamp stays dark').waitFor()
    await merged.getByRole('button', { name: 'Separate' }).click()
    await row(page, 'Alike: the lamp').waitFor()
    await eventually(async () => (await inbox('mailbox=all&query=alike')).map((one) => one.mergedCount)).toEqual([0, 0])
    // What was merged stood in the report as well; only in the list it can be selected.
    const list = page.getByRole('region', { name: 'Reports' }).getByRole('listitem')
    await eventually(() => list.count()).toBe(2)
    await page.keyboard.press('Escape')
    await merged.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+a')
    await bar.getByText('2 selected').waitFor()
    await bar.getByRole('button', { name: 'Spam' }).click()
    await page.getByText('No open reports').or(page.getByText('No report matches')).first().waitFor()
    const spam = await until('both under spam', async () => {
      const rows = await inbox('mailbox=spam&query=alike')
      return rows.length === 2 ? rows : null
    })
    expect(spam.map((one) => one.id)).toContain(first.id)
    await leave()
  })

  it('gathers what different people say in the same words, says what was held, and tells what came before', async () => {
    const words = 'The lamp flickers at night'
    const ada = { name: 'Ada', contact_email: 'ada@shop.example', url: 'https://shop.example/lamps?colour=red' }
    const breadcrumbs = { values: [{ timestamp: Date.now() / 1000 - 5, category: 'ui.click', message: 'button#buy' }] }
    const first = await report(words, ada, { event: { breadcrumbs } })
    await sendFeedback(server.account.dsn, { message: words, name: 'Bob', contact_email: 'bob@shop.example' })
    await until('both in one row', async () => {
      return (await inbox('mailbox=open&query=flickers')).find((one) => one.mergedCount === 1) ?? null
    })
    const again = await report(words, ada)
    expect([again.status, again.spam.reasons.map(({ reason }) => reason)]).toEqual(['spam', ['duplicate']])

    const { page, leave } = await visit(`${INBOX}?query=flickers`)
    await row(page, '2 alike').getByRole('link').click()
    await page.getByRole('heading', { name: 'Ada on /lamps?colour=red' }).waitFor()
    await page.getByRole('region', { name: 'What happened before' }).getByText('button#buy').waitFor()
    const same = page.getByRole('list', { name: 'Reports that say the same' })
    await same.getByRole('link', { name: 'Bob' }).waitFor()
    expect(new URL(page.url()).searchParams.get('report')).toBe(first.id)
    await page.getByText(/held as spam/).waitFor()
    await page.getByRole('button', { name: /^Look at/ }).click()
    await row(page, words).waitFor()
    expect(new URL(page.url()).searchParams.get('mailbox')).toBe('spam')
    await leave()
  })

  it('reads through what is unread: a report that was read leaves, and its change can be taken back', async () => {
    for (const text of ['Unread one', 'Unread two', 'Unread three']) await report(text)
    const { page, leave } = await visit(`${INBOX}?mailbox=unread&query=unread`)
    await row(page, 'Unread two').getByRole('link').click()
    await said(page, 'Unread two').waitFor()
    await row(page, 'Unread two').waitFor({ state: 'detached' })
    await page.keyboard.press('e')
    await frameOf(page).heldMessage('Report resolved')
    // The keys go on from its place, not from the top.
    await said(page, 'Unread one').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    const back = await until('it to be open again', async () => {
      return (await inbox('mailbox=open&query=unread%20two'))[0] ?? null
    })
    expect(back.status).toBe('open')
    await leave()
  })

  it('marks a report as read that only its address leads to, by its event id too', async () => {
    const sent = await report('Linked from elsewhere')
    const { page, leave } = await visit(`${INBOX}?mailbox=archived&report=${sent.eventId}`)
    await said(page, 'Linked from elsewhere').waitFor()
    await until('it to be read', async () => {
      return (await inbox('mailbox=all&query=elsewhere'))[0]?.isRead === true ? true : null
    })
    await page.keyboard.press('e')
    await page.getByText('Report resolved').waitFor()
    await eventually(async () => (await inbox('mailbox=resolved&query=elsewhere')).map((one) => one.id)).toEqual([
      sent.id,
    ])
    await leave()
  })

  it('goes from the list to the report and back on a phone, and the focus with it', async () => {
    const sent = await report('In my hand')
    const { page, complaints, close } = await openPage(browser, {
      ...signedIn,
      viewport: { width: 390, height: 844 },
    })
    await page.goto(`${originOf(server)}${INBOX}?query=hand`)
    await row(page, 'In my hand').getByRole('link').click()
    const title = page.getByRole('heading', { name: 'Anonymous' })
    await until('the focus on the title', () =>
      title.evaluate((node) => (document.activeElement === node ? true : null)),
    )
    await page.getByRole('button', { name: 'All reports' }).click()
    const back = page.locator(`[data-report="${sent.id}"] a`)
    await until('the focus on the row', () => back.evaluate((node) => (document.activeElement === node ? true : null)))
    expect(complaints.list).toEqual([])
    await close()
  })

  it('keeps the answer on screen on a phone, however long the report is', async () => {
    const sent = await report(Array.from({ length: 60 }, (_, index) => `line ${index} of a long story`).join('\n'))
    const { page, complaints, close } = await openPage(browser, {
      ...signedIn,
      viewport: { width: 390, height: 844 },
    })
    await page.goto(`${originOf(server)}${INBOX}?mailbox=all&report=${sent.id}`)
    const note = page.getByRole('form', { name: /^(Reply|Note)$/ })
    await note.waitFor()
    const isWhole = () =>
      note.evaluate((form) => {
        const { top, bottom } = form.getBoundingClientRect()
        return top > 0 && bottom <= innerHeight
      })
    await eventually(isWhole).toBe(true)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('runs nothing of what a stranger wrote, and links only the web', async () => {
    const hostile = await report('<img src=x onerror=alert(1)>\u202e', {
      name: '<script>alert(1)</script>',
      contact_email: '"><b>@x.example',
      url: 'javascript:alert(1)',
    })
    const { page, leave } = await visit(`${INBOX}?report=${hostile.id}`)
    const article = page.getByRole('article')
    await article.getByText('<script>alert(1)</script>').first().waitFor()
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
    expect(await article.locator('img').count()).toBe(0)
    await leave()
  })
})

describe('a report', () => {
  it('shows its picture, zoomed and moved', async () => {
    const { id } = await report(
      'Look at this',
      {},
      { files: [{ name: 'screenshot.png', type: 'image/png', bytes: picture }] },
    )
    const { page, leave } = await visit(`${INBOX}?report=${id}`)
    await page.getByRole('button', { name: 'Show screenshot.png' }).click()
    const viewer = page.getByRole('dialog', { name: 'screenshot.png' })
    await viewer.getByText('640 × 400').waitFor()
    await viewer.getByText('100%').first().waitFor()
    await page.keyboard.press('+')
    await viewer.getByText('125%').waitFor()
    const left = async (): Promise<number> => (await viewer.getByRole('img').boundingBox())?.x ?? Number.NaN
    await (await viewer.getByRole('img').elementHandle())?.waitForElementState('stable')
    const before = await left()
    await page.keyboard.press('ArrowLeft')
    await eventually(async () => Math.round((await left()) - before)).toBe(60)
    await page.keyboard.press('0')
    await viewer.getByText('100%').first().waitFor()
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    // The report behind it is still open.
    await said(page, 'Look at this').waitFor()
    await leave()
  })

  it('is answered: the reporter reads it on the private page, writes back, and the team sees that at once', async () => {
    const sent = await report('How do I pay?', { name: 'Ada' })
    const { page, leave } = await visit(`${INBOX}?report=${sent.id}`)
    await page.getByLabel('Reply to the reporter').fill('By card. Which one do you have?')
    await page.keyboard.press('Control+Enter')
    await page.getByText('to the reporter, on their private page').waitFor()

    const { page: visitor, complaints, close } = await openPage(browser, { locale: 'fr-FR' })
    await visitor.goto(sent.threadUrl)
    await visitor.getByText('By card. Which one do you have?').waitFor()
    await visitor.getByLabel('Votre réponse').fill('Visa <3')
    await visitor.getByRole('button', { name: 'Envoyer' }).click()
    await visitor.getByText('Votre réponse a été envoyée.').waitFor()
    expect(complaints.list).toEqual([])
    await close()

    await page.getByText('Visa <3').waitFor()
    await page.getByText('waiting for a reply').first().waitFor()
    await page.getByText('Internal note').click()
    await page.getByLabel('Note for the team').fill('Ask Ben')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByText('note for the team').waitFor()
    await page.getByText('The reporter wrote back').waitFor()
    // The note goes; what was sent does not, and nothing older is taken in its place.
    await leaveFields(page)
    await page.keyboard.press('z')
    await page.getByText('note for the team').waitFor({ state: 'detached' })
    await page.keyboard.press('z')
    await frameOf(page).message('A reply that was sent cannot be taken back')
    await leave()
  })

  it('keeps what was typed while another report is read, and lets only the writer delete a note', async () => {
    const [first, second] = [await report(`Draft here${'\nand on'.repeat(80)}`), await report('Draft elsewhere')]
    const { page, leave } = await visit(`${INBOX}?query=draft&report=${first.id}`)
    await page.getByText('Shown on the reporter’s private page').waitFor()
    await page.getByLabel('Reply to the reporter').fill('Half a sentence')
    await row(page, 'Draft elsewhere').getByRole('link').click()
    await said(page, 'Draft elsewhere').waitFor()
    await eventually(() => page.getByLabel('Reply to the reporter').inputValue()).toBe('')
    await row(page, 'Draft here').getByRole('link').click()
    await said(page, 'Draft here').waitFor()
    await eventually(() => page.getByLabel('Reply to the reporter').inputValue()).toBe('Half a sentence')
    await page.getByText('Internal note').click()
    await page.getByLabel('Note for the team').fill('Mine')
    await page.getByRole('button', { name: 'Add note' }).click()
    const note = page.getByRole('region', { name: 'Note' })
    // What was said is longer than the screen; what one adds to it is seen.
    await eventually(() => note.evaluate((node) => node.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
    await note.getByRole('button', { name: 'Delete' }).click()
    await note.waitFor({ state: 'detached' })
    expect((await inbox('mailbox=all&query=draft')).map((one) => one.id).toSorted()).toEqual(
      [first.id, second.id].toSorted(),
    )
    await leave()
  })

  it('is linked to an issue that is found by words, or becomes one', async () => {
    await sendEvent(server.account.dsn, errorEvent('RangeError', 'lamp out of range'))
    const issue = await apiOf(server).issue('lamp out of range')
    const { id } = await report('My lamp is too far away')
    const { page, leave } = await visit(`${INBOX}?report=${id}`)
    await page.getByRole('button', { name: 'Link issue' }).click()
    await page.getByLabel('Short ID, or words from the title').fill('out of range')
    await page.getByRole('button', { name: /lamp out of range/ }).click()
    const facts = page.getByRole('complementary', { name: 'About this report' })
    await facts.getByText(issue.shortId, { exact: true }).waitFor()
    await facts.getByRole('button', { name: 'Unlink' }).click()
    await frameOf(page).message(`Unlinked from ${issue.shortId}`)
    await page.keyboard.press('z')
    await frameOf(page).message('Undone')
    await facts.getByRole('button', { name: 'Unlink' }).waitFor()
    await page.keyboard.press('z')
    await facts.getByRole('button', { name: 'Create issue' }).click()
    await facts.getByRole('link', { name: /My lamp is too far away/ }).click()
    await page.getByRole('heading', { name: /My lamp is too far away/ }).waitFor()
    await eventually(async () => (await inbox('mailbox=all&query=too%20far'))[0]?.issue?.title).toBe(
      'My lamp is too far away',
    )
    await leave()
  })

  it('has tags, by which the inbox is filtered', async () => {
    const { id } = await report('Tag me')
    const { page, leave } = await visit(`${INBOX}?report=${id}`)
    const field = page.getByLabel('Add a tag, as key:value')
    await field.fill('room: attic')
    await field.press('Enter')
    await page.getByRole('button', { name: 'Remove room' }).waitFor()
    await leaveFields(page)
    await page.keyboard.press('z')
    await page.getByRole('button', { name: 'Remove room' }).waitFor({ state: 'detached' })
    await field.fill('area: checkout')
    await field.press('Enter')
    await page.getByRole('button', { name: 'Remove area' }).waitFor()
    // Shown at once; a page that is left may take its request with it.
    await eventually(async () => (await inbox('tag=area:checkout')).map((one) => one.id)).toEqual([id])
    await page.goto(`${originOf(server)}${INBOX}?tag=area:checkout`)
    await row(page, 'Tag me').waitFor()
    await eventually(() => page.getByRole('region', { name: 'Reports' }).getByRole('listitem').count()).toBe(1)
    await leave()
  })
})

describe('the project’s feedback settings', () => {
  it('are kept', async () => {
    const { page, leave } = await visit(`/organizations/${ORGANIZATION}/settings/projects/shop?tab=feedback`)
    await page.getByLabel('Blocked words').fill('casino')
    await page.getByLabel('Points that make it spam').fill('0')
    const rules = page.locator('form').filter({ hasText: 'What is suspicious' })
    await rules.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A whole number from 1 to 100.').waitFor()
    await page.getByLabel('Points that make it spam').fill('70')
    await rules.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Spam rules saved').waitFor()
    await page.reload()
    await page.getByLabel('Blocked words').waitFor()
    await eventually(() => page.getByLabel('Blocked words').inputValue()).toBe('casino')
    await eventually(() => page.getByLabel('Points that make it spam').inputValue()).toBe('70')
    await leave()
  })
})
