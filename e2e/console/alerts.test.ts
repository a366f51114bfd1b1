import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { sendFeedback } from '../lib/feedback.ts'
import { errorEvent, sendEvent } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'alerts'

/** What was sent to the webhook, as it came. */
interface Received {
  readonly id: string
  readonly body: string
}

/** A receiver of webhooks on this machine. */
const startReceiver = async () => {
  const received: Received[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({ id: String(request.headers['webhook-id'] ?? ''), body: Buffer.concat(parts).toString() })
      response.end('heard you')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    received,
    url: `http://127.0.0.1:${port}/hook`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Rule {
  readonly id: string
  readonly name: string
  readonly isEnabled: boolean
  readonly isMuted: boolean
  readonly mutedUntil: string | null
}

describe('alerts', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  let receiver: Awaited<ReturnType<typeof startReceiver>>

  beforeAll(async () => {
    ;[server, browser, receiver] = await Promise.all([joinServer(ORGANIZATION), joinBrowser(), startReceiver()])
    signedIn = await signIn(server)
    await call('POST', '/channels/', {
      name: 'shop hook',
      kind: 'webhook',
      settings: {},
      secrets: { url: receiver.url },
    })
  })
  afterAll(async () => {
    await closePages(browser)
    await receiver.stop()
  })

  const call = async (method: string, path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${originOf(server)}/api/0/organizations/${ORGANIZATION}${path}`, {
      method,
      headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const rules = () => apiOf(server).get<readonly Rule[]>(`/organizations/${ORGANIZATION}/alerts/`)
  const ruleOf = async (name: string): Promise<Rule | undefined> => (await rules()).find((rule) => rule.name === name)
  const open = async (path: string) => {
    const opened = await openPage(browser, signedIn)
    await opened.page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/${path}`)
    return opened
  }
  /** A word of the sentence that can be changed. */
  const word = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}: `))
  const tellTheHook = async (page: Page): Promise<void> => {
    await word(page, 'Receivers').click()
    await page.getByRole('option', { name: 'shop hook' }).click()
    await page.getByRole('option', { name: 'The owners' }).click()
    await page.keyboard.press('Escape')
    await eventually(() => word(page, 'Receivers').textContent()).toBe('shop hook')
  }

  it('A20, A110: a list is told about by one key; what it says comes by the channel, and the log and the issue say so', async () => {
    await sendEvent(server.account.dsn, errorEvent('OldError', 'was there before'))
    await apiOf(server).issue('OldError')
    const { page, complaints, close } = await open('issues?query=error.type%3ACartError')
    await page.getByRole('heading', { name: 'Issues' }).waitFor()
    await page.getByText('No issue matches').waitFor()
    await page.keyboard.press('w')
    await page.getByRole('heading', { name: 'Dry run, last 14 days' }).waitFor()
    expect(await page.getByRole('combobox', { name: 'What it searches' }).inputValue()).toBe('error.type:CartError')
    await tellTheHook(page)
    await page.getByRole('textbox', { name: 'Name of the alert' }).fill('The cart breaks')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/alerts\/\d+$/)
    await page.getByText('It has never fired.').waitFor()

    await sendEvent(server.account.dsn, errorEvent('CartError', 'the total is empty'))
    await eventually(() => receiver.received.filter(({ body }) => body.includes('CartError')).length).toBe(1)
    await page.reload()
    const log = page.getByRole('list', { name: 'Evaluations' })
    await log.getByText('Fired', { exact: true }).waitFor()
    // The log is long after a burst, so it comes last.
    const panels = page.getByRole('heading', { name: /^(Incidents|Why, and why not)/ })
    expect((await panels.allTextContents()).map((one) => one.slice(0, 3))).toEqual(['Inc', 'Why'])
    await page.getByRole('list', { name: 'Incidents' }).locator('summary').click()
    await page.getByRole('list', { name: 'Messages' }).getByText('reached').waitFor()

    const { id } = await apiOf(server).issue('CartError')
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/issues/${id}`)
    const told = page.getByRole('region', { name: 'Who was told' })
    await told.getByText('The cart breaks').waitFor()
    expect(await told.getByRole('listitem').filter({ hasText: 'The cart breaks' }).textContent()).toContain('spoke')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A21: an issue says of each alert that did not speak why it did not', async () => {
    const { page, complaints, close } = await open('alerts/new')
    await page.getByRole('textbox', { name: 'Name of the alert' }).fill('Only where nobody is')
    const search = page.getByRole('combobox', { name: 'What it searches' })
    await search.fill('error.type:SomethingElse')
    await search.press('Enter')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/alerts\/\d+$/)
    await sendEvent(server.account.dsn, errorEvent('QuietError', 'nobody hears this'))
    const { id } = await apiOf(server).issue('QuietError')
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/issues/${id}`)
    const rule = page
      .getByRole('region', { name: 'Who was told' })
      .getByRole('listitem')
      .filter({ hasText: 'Only where nobody is' })
    await rule.getByText('did not speak').waitFor()
    await rule.locator('summary').click()
    await eventually(() => rule.textContent()).toMatch(/search/)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A4, A20: an alert of more than 5 reports is chosen in words, and the sixth report is told, with why', async () => {
    const { page, complaints, close } = await open('alerts/new?source=measured')
    await word(page, 'Limit').click()
    await page.getByRole('combobox', { name: 'What is measured' }).click()
    await page.getByRole('option', { name: /^Reports of visitors/ }).click()
    await page.keyboard.press('Escape')
    expect(await word(page, 'Limit').textContent()).toBe('more than 5 reports')
    expect(await word(page, 'Time').textContent()).toBe('1 hour')
    const search = page.getByRole('combobox', { name: 'What it searches' })
    await search.fill('url:*/pay')
    await search.press('Enter')
    await page.getByText('It would not have fired in the last 14 days').waitFor()
    await tellTheHook(page)
    await page.getByRole('textbox', { name: 'Name of the alert' }).fill('People complain')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/alerts\/\d+$/)
    const words = [
      'The button is dead',
      'I cannot pay',
      'My card is refused',
      'It says error',
      'Where is my cart',
      'Help',
    ]
    for (const message of words) await sendFeedback(server.account.dsn, { message, url: 'https://shop.example/pay' })
    // What came in a minute is counted when the minute is over.
    await until(
      'the message of the alert',
      async () => receiver.received.find(({ body }) => body.includes('6 > 5 reports in an hour')) ?? null,
      120_000,
    )
    await page.reload()
    await page.getByRole('list', { name: 'Evaluations' }).getByText('6 > 5 reports in an hour').waitFor()
    expect(complaints.list).toEqual([])
    await close()
  }, 200_000)

  it('A24: writing an alert shows what it would have said, and sends and keeps nothing', async () => {
    const before = { rules: await rules(), received: receiver.received.length }
    const { page, complaints, close } = await open('alerts/new?source=happened')
    await tellTheHook(page)
    const fired = page.getByRole('list', { name: 'When it would have fired' })
    // Issues that the tests before made are within the 14 days.
    await fired.getByRole('button').first().waitFor()
    await page.getByRole('article', { name: 'Message' }).waitFor()
    await word(page, 'What happens').click()
    await page.getByRole('checkbox', { name: 'An issue is new' }).click()
    await page.keyboard.press('Escape')
    await page.getByText('It would not have fired in the last 14 days').waitFor()
    expect(await rules()).toEqual(before.rules)
    expect(receiver.received).toHaveLength(before.received)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('no chart of another quantity stands under the caption of the one that is chosen', async () => {
    const { page, complaints, close } = await open('alerts/new?source=happened')
    const fired = page.getByRole('list', { name: 'When it would have fired' })
    await fired.getByRole('button').first().waitFor()
    const asked = Promise.withResolvers<undefined>()
    const held = Promise.withResolvers<undefined>()
    await page.route(/dry-run/, async (route) => {
      asked.resolve(undefined)
      await held.promise
      await route.continue()
    })
    await page
      .getByRole('button', { name: 'Nothing arrives' })
      .or(page.getByRole('radio', { name: 'Nothing arrives' }))
      .click()
    await page.getByText(/^minutes of silence/).waitFor()
    await asked.promise
    expect(await page.getByText(/evaluations, .* rows, .* ms/).count()).toBe(0)
    held.resolve(undefined)
    await page.getByText(/evaluations, .* rows, .* ms/).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('messages are shown as they would look where they arrive, by the renderers that send them', async () => {
    const { id: channelId } = (await call('POST', '/channels/', {
      name: '#shop',
      kind: 'slack',
      settings: {},
      secrets: { url: receiver.url },
    })) as { readonly id: string }
    const { id } = (await call('POST', '/alerts/', {
      name: 'As it looks',
      query: 'error.type:CartError',
      trigger: { source: 'happened', kinds: ['issue_opened'] },
      actions: [
        { kind: 'channel', channelId },
        { kind: 'people', target: 'owners' },
      ],
      isEnabled: false,
    })) as { readonly id: string }
    const { page, complaints, close } = await open(`alerts/${id}`)
    const preview = page.getByRole('region', { name: 'As it would have looked' })
    await preview
      .getByRole('radio', { name: 'Slack' })
      .or(preview.getByRole('button', { name: 'Slack' }))
      .click()
    const slack = preview.getByRole('article', { name: 'In Slack' })
    await slack
      .getByText(/CartError/)
      .first()
      .waitFor()
    await slack.getByRole('listitem').getByText('Open', { exact: true }).waitFor()
    await preview.getByText('What is sent').click()
    await preview.getByText('"type": "header"').waitFor()
    await preview
      .getByRole('radio', { name: 'E-mail' })
      .or(preview.getByRole('button', { name: 'E-mail' }))
      .click()
    const mail = preview.frameLocator('iframe')
    await mail.getByRole('heading', { name: /CartError/ }).waitFor()
    // It is a page of its own, in which nothing runs and which leads nowhere by itself.
    expect(await preview.locator('iframe').getAttribute('sandbox')).toBe('allow-same-origin')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A23: the limit is moved by keys on the chart, the sentence follows, and a run can be stopped', async () => {
    const { page, complaints, close } = await open('alerts/new?template=people')
    const handle = page.getByRole('slider', { name: 'Limit' })
    await handle.waitFor()
    await handle.focus()
    await page.keyboard.press('PageDown')
    await eventually(() => word(page, 'Limit').textContent()).not.toBe('more than 50 users')
    const moved = Number(await handle.getAttribute('aria-valuenow'))
    expect(moved).toBeLessThan(50)
    await eventually(() => word(page, 'Limit').textContent()).toBe(`more than ${moved} users`)
    await page.getByText(/evaluations, .* rows, .* ms/).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await eventually(() => handle.getAttribute('aria-valuenow')).toBe('50')
    await page.keyboard.press('z')
    await eventually(() => handle.getAttribute('aria-valuenow')).toBe(String(moved))
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A8: what is unusual is not known yet, and the dry run says how much has been learned', async () => {
    const { page, complaints, close } = await open('alerts/new?dataset=errors&aggregate=count()')
    await page.getByText(/^It is still learning what is usual: \d+ of \d+ days\.$/).waitFor()
    expect(await word(page, 'Limit').textContent()).toBe('unusually many errors')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('A25: a test performs what is saved, and shows what the other side said', async () => {
    const rule = await ruleOf('The cart breaks')
    const issues = async () =>
      (await apiOf(server).get<readonly { id: string; count: string }[]>(`/organizations/${ORGANIZATION}/issues/`)).map(
        ({ id, count }) => [id, count],
      )
    const before = await issues()
    const { page, complaints, close } = await open(`alerts/${rule?.id ?? ''}`)
    await page.getByRole('button', { name: 'Send a test' }).click()
    const dialog = page.getByRole('dialog', { name: 'What the other side said' })
    await dialog.getByText('reached').waitFor()
    expect(await dialog.textContent()).toContain('heard you')
    await page.keyboard.press('Escape')
    expect(await issues()).toEqual(before)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('rules are muted, switched, copied and deleted by keys, and each of it is taken back', async () => {
    const { page, complaints, close } = await open('alerts')
    const row = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem').filter({ hasText: 'The cart breaks' })
    await row.waitFor()
    await row.getByRole('link').focus()
    await page.keyboard.press('m')
    await row.getByText('Muted', { exact: true }).waitFor()
    expect((await ruleOf('The cart breaks'))?.mutedUntil).not.toBeNull()
    await page.keyboard.press('z')
    await eventually(async () => (await ruleOf('The cart breaks'))?.mutedUntil).toBeNull()
    await page.keyboard.press('s')
    await row.getByText('Off', { exact: true }).waitFor()
    await page.keyboard.press('z')
    await eventually(async () => (await ruleOf('The cart breaks'))?.isEnabled).toBe(true)
    await page.keyboard.press('Backspace')
    await eventually(() => ruleOf('The cart breaks')).toBeUndefined()
    await page.keyboard.press('z')
    await eventually(async () => (await ruleOf('The cart breaks'))?.name).toBe('The cart breaks')
    await row.getByRole('link').focus()
    await page.keyboard.press('d')
    await page.waitForURL(/alerts\/\d+$/)
    await until(
      'the copy',
      async () => (await rules()).find(({ name }) => name.startsWith('The cart breaks (')) ?? null,
    )
    await page.getByText('Why, and why not').waitFor()
    await page.keyboard.press('u')
    await row.first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('nothing of that name')
    await page.getByText('No alert matches').waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await row.first().waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('somebody else’s change is not written over unseen', async () => {
    const rule = await ruleOf('The cart breaks')
    const { page, complaints, close } = await openPage(browser, signedIn, [/status of 409/])
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/alerts/${rule?.id ?? ''}`)
    const name = page.getByRole('textbox', { name: 'Name of the alert' })
    await name.fill('The cart breaks, mine')
    const { id: _, ...saved } = await apiOf(server).get<Record<string, unknown>>(
      `/organizations/${ORGANIZATION}/alerts/${rule?.id ?? ''}/`,
    )
    await call('PUT', `/alerts/${rule?.id ?? ''}/`, { ...saved, owner: null, name: 'The cart breaks, theirs' })
    // Also when the page has read it anew meanwhile, as it does whenever it is seen again.
    const read = page.waitForResponse((response) => response.url().endsWith(`/alerts/${rule?.id ?? ''}/`))
    await page.evaluate(() => {
      for (const visibility of ['hidden', 'visible']) {
        Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
        Object.defineProperty(document, 'hidden', { value: visibility === 'hidden', configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }
    })
    await (await read).finished()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Take what is saved' }).waitFor()
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('“The cart breaks, mine” saved').waitFor()
    expect((await ruleOf('The cart breaks, mine'))?.id).toBe(rule?.id)
    await page.keyboard.press('z')
    await eventually(() => ruleOf('The cart breaks, theirs').then((found) => found?.id)).toBe(rule?.id)
    expect(complaints.list).toEqual([])
    await close()
  })
})
