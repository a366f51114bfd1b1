import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { type Complaints, openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, sendEvents } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { type Frame, frameOf } from './pages/frame.ts'
import { type Stream, streamOf } from './pages/stream.ts'

const ORGANIZATION = 'triage'

describe('triage', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  let origin: string

  const visit = async (): Promise<{
    page: Page
    complaints: Complaints
    stream: Stream
    frame: Frame
    close(): Promise<void>
  }> => {
    const opened = await openPage(browser, signedIn)
    return { ...opened, stream: streamOf(opened.page, ORGANIZATION, origin), frame: frameOf(opened.page) }
  }
  const statusOf = async (title: string): Promise<string> => (await apiOf(server).issue(title)).status

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    origin = originOf(server)
    signedIn = await signIn(server)
    await sendEvents(
      server.account.dsn,
      ['Alpha', 'Beta', 'Gamma', 'Delta'].map((name) => errorEvent(`${name}Error`, `${name} broke`, { in: name })),
    )
    for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta']) await apiOf(server).issue(`${name}Error`)
  })
  afterAll(async () => {
    await closePages(browser)
  })

  it('A97: what is new is worked through by single keys, each step is told to a screen reader and undone', async () => {
    const { page, complaints, frame, close } = await visit()
    await page.goto(`${origin}/organizations/${ORGANIZATION}/review`)
    const card = page.getByRole('article')
    const said = page.getByRole('main').getByRole('status')
    const shown = async (): Promise<string> => (await card.getByRole('heading').textContent()) ?? ''
    await page.getByText('1 of 4').waitFor()
    const first = await shown()

    await page.keyboard.press('j')
    await page.getByText('2 of 4').waitFor()
    const second = await shown()
    expect(second).not.toBe(first)
    await page.keyboard.press('k')
    await eventually(shown).toBe(first)

    await page.keyboard.press('e')
    await eventually(shown).toBe(second)
    await eventually(() => said.textContent()).toContain('resolved. Next:')
    await page.getByText('1 of 3').waitFor()
    await eventually(() => statusOf(first)).toBe('resolved')

    await page.keyboard.press('z')
    await eventually(shown).toBe(first)
    await eventually(() => said.textContent()).toContain('Undone:')
    await eventually(() => statusOf(first)).toBe('unresolved')

    await page.keyboard.press('i')
    await eventually(() => statusOf(first)).toBe('ignored')
    await page.keyboard.press('s')
    await eventually(() => statusOf(second)).toBe('ignored')
    await eventually(() => said.textContent()).toContain('snoozed for a day')

    await page.getByText('1 of 2').waitFor()
    await page.keyboard.press('a')
    await page.getByRole('option', { name: /\(me\)/ }).click()
    await page.getByRole('button', { name: /^Assigned to/ }).waitFor()
    await page.keyboard.press('r')
    await page.getByText('1 of 1').waitFor()
    await page.keyboard.press('r')
    await page.getByText('Nothing waits for a look').waitFor()
    await frame.message(/kept open/)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A97: on a phone what can be done stands at its foot, however long the card is', async () => {
    const { page, complaints, close } = await visit()
    await page.setViewportSize({ width: 320, height: 480 })
    await sendEvents(server.account.dsn, [errorEvent('LongError', 'It broke. '.repeat(40), { in: 'long' })])
    await apiOf(server).issue('LongError')
    await page.goto(`${origin}/organizations/${ORGANIZATION}/review`)
    await page.getByRole('article').getByRole('heading', { name: 'LongError' }).waitFor()
    const resolve = await page.getByRole('button', { name: 'Resolve' }).boundingBox()
    const tabs = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
    expect((resolve?.y ?? Infinity) + (resolve?.height ?? 0)).toBeLessThanOrEqual(tabs?.y ?? 0)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A98: saved views stand in the side bar, and their counts follow what happens', async () => {
    const { page, complaints, stream, frame, close } = await visit()
    await stream.open('is:unresolved fresh')
    await frame.choose(page.getByRole('button', { name: /^Saved searches/ }), 'Save it under a name …')
    await frame.dialog.getByLabel('Name').fill('Fresh ones')
    await frame.dialog.getByRole('button', { name: 'Save search' }).click()
    const views = page.getByRole('region', { name: 'Views' })
    const view = views.getByRole('link', { name: /^Fresh ones/ })
    await view.waitFor()
    await sendEvents(server.account.dsn, [errorEvent('FreshError', 'a fresh one', { in: 'fresh' })])
    await eventually(() => view.textContent()).toContain('1')
    await stream.search('')
    await view.click()
    await stream.row('FreshError').waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A98: a count that could not be had is not none', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn, [/status of 503/])
    await page.route(/issues-count\/.*upTo=/, (route) => route.fulfill({ status: 503, json: { detail: 'Away' } }))
    await page.goto(`${origin}/organizations/${ORGANIZATION}/issues`)
    const view = page.getByRole('region', { name: 'Views' }).getByRole('link', { name: /^Fresh ones/ })
    await eventually(() => view.textContent()).toContain('could not be counted')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A96: what a change of all that match would reach is shown before, and taken back after', async () => {
    await sendEvents(
      server.account.dsn,
      Array.from({ length: 53 }, (_, index) => errorEvent(`Bulk${index}Error`, 'one of many', { in: `bulk${index}` })),
    )
    await eventually(() => apiOf(server).hits('is:unresolved many')).toBe(53)
    const { page, complaints, stream, frame, close } = await visit()
    await stream.open('is:unresolved many')
    await page.getByRole('checkbox', { name: 'Select all loaded issues' }).click()
    await page.getByRole('button', { name: 'Select all 53 that match' }).click()
    await frame.choose(stream.bulk.getByRole('button', { name: 'Resolve' }), /^Resolve now/)
    const asked = frame.dialog.filter({ hasText: '53 issues will be resolved' })
    await eventually(() => asked.getByRole('listitem').count()).toBe(5)
    await asked.getByText('and 48 issues more').waitFor()
    await asked.getByRole('button', { name: 'Change 53 issues' }).click()
    await frame.heldMessage('53 issues resolved')
    await eventually(() => apiOf(server).hits('is:resolved many')).toBe(53)
    await frame.messages.getByRole('button', { name: 'Undo' }).first().click()
    await eventually(() => apiOf(server).hits('is:unresolved many')).toBe(53)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A96: what matches while a change is shown is not changed with it', async () => {
    const { page, complaints, stream, frame, close } = await visit()
    const live = frame.live()
    const frozen: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/issue-sets/')) frozen.push(request.url())
    })
    await stream.open('is:unresolved many')
    await live
    await page.getByRole('checkbox', { name: 'Select all loaded issues' }).click()
    await page.getByRole('button', { name: 'Select all 53 that match' }).click()
    await frame.choose(stream.bulk.getByRole('button', { name: 'Resolve' }), /^Resolve now/)
    const asked = frame.dialog.filter({ hasText: '53 issues will be resolved' })
    await asked.waitFor()

    await sendEvents(server.account.dsn, [errorEvent('LateError', 'one of many', { in: 'late' })])
    // The list behind the dialog knows of it.
    const unresolved = page.getByRole('link', { name: /^Unresolved/, includeHidden: true })
    await eventually(() => unresolved.textContent()).toContain('54')
    await asked.getByRole('button', { name: 'Change 53 issues' }).click()
    await frame.heldMessage('53 issues resolved')
    await eventually(() => apiOf(server).hits('is:resolved many')).toBe(53)
    expect(await statusOf('LateError')).toBe('unresolved')
    expect(frozen).toHaveLength(1)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A96: what a change would reach is looked for again where the server had no time for it', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn, [/status of 503/])
    const [stream, frame] = [streamOf(page, ORGANIZATION, origin), frameOf(page)]
    const away = { status: 503, headers: { 'retry-after': '5' }, json: { detail: 'Away for a moment' } }
    await page.route(/issue-sets\/$/, (route) => route.fulfill(away), { times: 1 })
    await stream.open('many')
    await page.getByRole('checkbox', { name: 'Select all loaded issues' }).click()
    await page.getByRole('button', { name: 'Select all 54 that match' }).click()
    await frame.choose(stream.bulk.getByRole('button', { name: 'Resolve' }), /^Resolve now/)
    await frame.dialog.getByText('Away for a moment').waitFor()
    await frame.dialog.getByRole('button', { name: 'Try again' }).click()
    await frame.dialog.filter({ hasText: '54 issues will be resolved' }).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A96: a change of all that match which was interrupted stays in view, and goes on when it is tried again', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn, [/status of 503/])
    const [stream, frame] = [streamOf(page, ORGANIZATION, origin), frameOf(page)]
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT' && /issue-sets\/\d+\/$/.test(request.url())) sent.push(request.url())
    })
    const away = { status: 503, headers: { 'retry-after': '5' }, json: { detail: 'Away for a moment' } }
    const ask = async () => {
      await stream.open('many')
      await page.getByRole('checkbox', { name: 'Select all loaded issues' }).click()
      await page.getByRole('button', { name: 'Select all 54 that match' }).click()
      await page.route(/issue-sets\/\d+\/$/, (route) => route.fulfill(away), { times: 1 })
      await frame.choose(stream.bulk.getByRole('button', { name: 'Archive' }), 'Forever')
      await frame.dialog.getByRole('button', { name: 'Change 54 issues' }).click()
      await frame.dialog.getByRole('alert').getByText('Away for a moment').waitFor()
      await frame.dialog.filter({ hasText: '54 issues will be archived' }).waitFor()
    }
    await ask()
    await frame.dialog.getByRole('button', { name: 'Leave it so' }).click()
    await frame.heldMessage('The change was left unfinished')
    expect(await apiOf(server).hits('is:archived many')).toBe(0)
    await ask()
    await frame.dialog.getByRole('button', { name: 'Try again' }).click()
    await frame.heldMessage('54 issues archived')
    expect(await apiOf(server).hits('is:archived many')).toBe(54)
    expect(sent).toHaveLength(3)
    expect(sent[2]).toBe(sent[1])
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A96: a change whose answer got lost is told as made when it is tried again, and nothing behind it stays selected', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn, [/ERR_FAILED/])
    const [stream, frame] = [streamOf(page, ORGANIZATION, origin), frameOf(page)]
    await stream.open('is:archived many')
    await page.getByRole('checkbox', { name: 'Select all loaded issues' }).click()
    await page.getByRole('button', { name: 'Select all 54 that match' }).click()
    await page.route(
      /issue-sets\/\d+\/$/,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await stream.bulk.getByRole('button', { name: 'Unarchive' }).click()
    await frame.dialog.getByRole('button', { name: 'Change 54 issues' }).click()
    await frame.dialog.getByText('The change was interrupted').waitFor()
    // The list behind the dialog has none of them any more.
    await eventually(() => page.locator('[role=columnheader]').nth(1).textContent()).toBe('Issue')
    await frame.dialog.getByRole('button', { name: 'Try again' }).click()
    await frame.heldMessage('54 issues reopened')
    expect(await apiOf(server).hits('is:archived many')).toBe(0)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A90: the rules of a project are written and tried out, and say which line decides', async () => {
    const issue = await apiOf(server).issue('AlphaError')
    const { page, complaints, close } = await openPage(browser, signedIn, [/status of 400/])
    const frame = frameOf(page)
    await page.goto(`${origin}/organizations/${ORGANIZATION}/settings/projects/shop?tab=ownership`)
    const rules = page.getByRole('textbox', { name: 'Rules, one a line' })
    await rules.fill(`* ${server.owner.email}\nsrc/* nobody@elsewhere.example`)
    await page.getByRole('textbox', { name: 'Issue or event' }).fill(issue.shortId)
    await page.getByRole('button', { name: 'Whose is it?' }).click()
    await page.getByText('Line 1', { exact: true }).first().waitFor()
    await page.getByText(/is no member of this organisation/).waitFor()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText(/Nothing was saved, because line 2 cannot be used/).waitFor()
    await rules.fill(`* ${server.owner.email}`)
    await page.getByRole('button', { name: 'Save' }).first().click()
    await frame.message('Rules saved')
    await sendEvents(server.account.dsn, [errorEvent('OwnedError', 'somebody owns it', { in: 'owned' })])
    await eventually(async () => {
      const found = await apiOf(server).get<{ assignedTo: { email: string } | null }[]>(
        `/organizations/${ORGANIZATION}/issues/?query=OwnedError`,
      )
      return found[0]?.assignedTo?.email
    }).toBe(server.owner.email)
    expect(complaints.list).toEqual([])
    await close()
  })
})
