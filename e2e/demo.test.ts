import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from './faults/lib/firsthand.ts'
import { openPage } from './lib/browser.ts'
import { eventually } from './lib/eventually.ts'
import { closePages, joinBrowser } from './lib/shared.ts'
import { until } from './lib/until.ts'

const root = join(import.meta.dirname, '..')
const READY_WITHIN_MS = 150_000
const STOPPED_WITHIN_MS = 120_000
/** What the shop does on purpose. */
const ON_PURPOSE = [/on purpose|500|LUN|viewsOf|kiln|Kiln|degrees/]

interface Demo {
  readonly shop: string
  readonly console: string
  readonly password: string
  readonly process: ChildProcess
}

/** As `npm run demo` does, with the packages that are there. */
const startDemo = async (dataDir: string): Promise<Demo> => {
  const [serverPort, shopPort] = await Promise.all([freePort(), freePort()])
  const child = spawn(process.execPath, [join(root, 'tools', 'demo.mjs'), '--no-install'], {
    cwd: root,
    env: {
      ...process.env,
      FIRSTHAND_DEMO_DATA_DIR: dataDir,
      FIRSTHAND_PORT: String(serverPort),
      FIRSTHAND_DEMO_PORT: String(shopPort),
      FIRSTHAND_DEMO_HOST: '127.0.0.1',
      FIRSTHAND_HOST: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`the demo was not ready: ${said.join('\n')}`)), READY_WITHIN_MS)
    child.once('exit', (code) => reject(new Error(`the demo ended with ${code}: ${said.join('\n')}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line)
      if (!line.includes('Ctrl-C')) return
      clearTimeout(late)
      resolve()
    })
  })
  await ready
  const password = /password: (.+)$/m.exec(said.join('\n'))?.[1] ?? ''
  return {
    shop: `http://127.0.0.1:${shopPort}`,
    console: `http://127.0.0.1:${serverPort}`,
    password,
    process: child,
  }
}

interface Issue {
  readonly id: string
  readonly title: string
  readonly count: string
}

interface Report {
  readonly id: string
  readonly message: string
  readonly status: string
  readonly attachmentCount: number
}

describe('npm run demo', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'firsthand-demo-'))
  let demo: Demo
  let browser: Browser
  let cookie = ''
  beforeAll(async () => {
    ;[demo, browser] = await Promise.all([startDemo(dataDir), joinBrowser()])
    const { page, close } = await openPage(browser)
    await page.goto(`${demo.console}/login`)
    await page.getByLabel('E-mail').fill('demo@example.com')
    await page.getByLabel('Password', { exact: true }).fill(demo.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    await close()
  }, READY_WITHIN_MS + 30_000)
  afterAll(async () => {
    await closePages(browser)
    if (demo.process.exitCode === null) demo.process.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })

  const get = async <Body>(path: string): Promise<Body> => {
    const answer = await fetch(`${demo.console}/api/0${path}`, { headers: { cookie } })
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Body
  }
  const issue = (title: string): Promise<Issue> =>
    until(`the issue ${title}`, async () => {
      const issues = await get<Issue[]>('/organizations/kettle/issues/?query=&limit=100')
      return issues.find((one) => one.title.includes(title)) ?? null
    })
  const report = (message: string): Promise<Report> =>
    until(`the report ${message}`, async () => {
      const reports = await get<Report[]>('/organizations/kettle/feedback/')
      return reports.find((one) => one.message.includes(message)) ?? null
    })

  const visit = async (
    path: string,
    work: (page: Page, complaints: readonly string[]) => Promise<void>,
  ): Promise<void> => {
    const { page, complaints, close } = await openPage(browser, {}, ON_PURPOSE)
    try {
      await page.goto(`${demo.shop}${path}`)
      await work(page, complaints.list)
    } finally {
      await close()
    }
  }

  const say = async (page: Page, message: string): Promise<void> => {
    await page.locator('firsthand-feedback [name=message]').fill(message)
    await page.locator('firsthand-feedback button[type=submit]').click()
    await page.locator('firsthand-feedback .banner').waitFor()
  }

  it('the console is not empty: events and reports, one with a picture', async () => {
    await eventually(async () => Number((await issue('OrderError')).count)).toBe(10)
    expect((await report('moon teapot three times')).attachmentCount).toBe(1)
  })

  it('the console is not empty: a replay that leads to the error and the report, and traces over page and server', async () => {
    const { data } = await until('the replay', async () => {
      const found = await get<{ data: { id: string; count_errors: number; urls: string[] }[] }>(
        '/organizations/kettle/replays/?query=user.email:robin@example.com',
      )
      return (found.data[0]?.count_errors ?? 0) > 0 ? found : null
    })
    const urls = data[0]?.urls.map((url) => new URL(url).pathname)
    expect(urls).toEqual(['/', '/product/moon-teapot', '/basket', '/checkout'])
    const about = await report('moon teapot three times')
    const detail = await get<{ replay: { replayId: string; offsetMs: number } | null }>(
      `/organizations/kettle/feedback/${about.id}/`,
    )
    expect(detail.replay?.replayId).toBe(data[0]?.id)
    const { transactions } = await get<{ transactions: { transaction: string; op: string }[] }>(
      '/organizations/kettle/transactions/?statsPeriod=7d',
    )
    expect(transactions.map(({ transaction, op }) => `${op} ${transaction}`)).toEqual(
      expect.arrayContaining(['pageload /checkout', 'navigation /checkout', 'http.server POST /api/orders']),
    )
  })

  it('an order goes through', async () => {
    await visit('/', async (page, complaints) => {
      await page.getByRole('link', { name: 'Morning cup' }).click()
      await page.getByRole('button', { name: 'Add to basket' }).click()
      await page.getByRole('link', { name: 'Go there' }).click()
      await page.getByRole('link', { name: 'Go to checkout' }).click()
      await page.getByRole('button', { name: 'Pay €24.00' }).click()
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      expect(complaints).toEqual([])
    })
  })

  it('an order fails, is an issue with its cause, and the shopper says what happened', async () => {
    await visit('/', async (page) => {
      await page.getByRole('button', { name: 'Add Moon teapot to the basket' }).click()
      await page.getByRole('link', { name: /^Basket/ }).click()
      await page.getByRole('link', { name: 'Go to checkout' }).click()
      await page.getByRole('button', { name: 'Pay €120.00' }).click()
      const eventId = await page.getByRole('alert').locator('code').innerText()
      await page.getByRole('button', { name: 'Tell us what happened' }).click()
      await say(page, 'The teapot would not be bought')
      const { id } = await report('would not be bought')
      const detail = await get<{ associatedEvent: { eventId: string } | null }>(`/organizations/kettle/feedback/${id}/`)
      expect(detail.associatedEvent?.eventId).toBe(eventId)
      const event = await until('the event', () =>
        get<{
          tags: { key: string; value: string }[]
          entries: { type: string; data: { values?: { type: string }[] } }[]
        }>(`/projects/kettle/shop/events/${eventId}/`).catch(() => null),
      )
      expect(event.entries.find(({ type }) => type === 'exception')?.data.values?.map(({ type }) => type)).toEqual([
        'HttpError',
        'OrderError',
      ])
      expect(event.tags).toContainEqual({ key: 'transaction', value: '/checkout' })
    })
  })

  it('a component breaks, and the rest of the shop stands', async () => {
    await visit('/product/glass-carafe', async (page) => {
      await page.getByRole('button', { name: 'See all sides' }).click()
      const eventId = await page.getByRole('alert').locator('code').innerText()
      await page.getByRole('heading', { name: 'Glass carafe' }).waitFor()
      const event = await until('the event', () =>
        get<{ tags: { key: string; value: string }[]; contexts: { react?: { componentStack?: string } } }>(
          `/projects/kettle/shop/events/${eventId}/`,
        ).catch(() => null),
      )
      expect(event.contexts.react?.componentStack).toContain('AllSides')
      expect(event.tags).toContainEqual({ key: 'transaction', value: '/product/$id' })
    })
  })

  it('feedback from the trigger', async () => {
    await visit('/', async (page, complaints) => {
      await page.locator('firsthand-feedback .trigger').click()
      await say(page, 'A word from the corner of the page')
      expect((await report('from the corner')).status).toBe('open')
      expect(complaints).toEqual([])
    })
  })

  it('everything on the workbench arrives', async () => {
    const titles = {
      'Handled error': '"twelve" is no price',
      'Unhandled error': "reading 'label'",
      'Unhandled rejection': 'The price list went away',
      'Chain of causes': 'The basket could not be restored',
      'Something that is no error': 'code, temperature',
      'A message': 'The kiln is colder',
      'Broken component': 'degrees are too many',
      'Failing request': 'The stock cannot be shown',
      'Slow request': 'The stock was slow',
      'Notes on the console': 'opened too early',
      'Breadcrumbs, tags and user': 'Ash looked around',
    }
    await visit('/workbench', async (page) => {
      for (const name of Object.keys(titles)) await page.getByRole('button', { name: `Do it: ${name}` }).click()
      for (const title of Object.values(titles)) expect((await issue(title)).count).toBe('1')
      await page.getByRole('complementary', { name: 'What was sent' }).getByText('The stock was slow').waitFor()
    })
  })

  it.each(['fields', 'dark', 'language-de', 'language-ar', 'modal', 'strict', 'hostile', 'blocked'])(
    'stage %s: the form opens and its report arrives',
    async (name) => {
      const { page, complaints, close } = await openPage(browser)
      await page.goto(`${demo.shop}/stage/${name}`)
      await page.locator('firsthand-feedback .trigger').click()
      if (name === 'fields') await page.getByLabel('What is it about?').selectOption('An order')
      await page.locator('firsthand-feedback [name=message]').fill(`Written on ${name}`)
      await page.locator('firsthand-feedback button[type=submit]').click()
      expect((await report(`Written on ${name}`)).status).toBe('open')
      // The ad-blocker's refusal is told to the console.
      if (name !== 'blocked') expect(complaints.list).toEqual([])
      await close()
    },
  )

  it('without a connection the report waits, and goes out later', async () => {
    await visit('/stage/offline', async (page) => {
      await page.getByRole('button', { name: 'Cut the connection' }).click()
      await page.locator('firsthand-feedback .trigger').click()
      await page.locator('firsthand-feedback [name=message]').fill('Written without a connection')
      await page.locator('firsthand-feedback button[type=submit]').click()
      await page.locator('firsthand-feedback').getByText('You are offline.').waitFor()
      await page.getByRole('button', { name: 'Connect again' }).click()
      expect((await report('Written without a connection')).status).toBe('open')
    })
  })

  it('without a bundler: one line of HTML', async () => {
    await visit('/plain', async (page) => {
      await page.getByRole('button', { name: 'Throw an error' }).click()
      await issue('nobodyWroteThis')
      await page.locator('firsthand-feedback .trigger').click()
      await page.locator('firsthand-feedback [name=message]').fill('Written without a bundler')
      await page.locator('firsthand-feedback button[type=submit]').click()
      expect((await report('Written without a bundler')).status).toBe('open')
    })
  })

  it('stops when it is asked to', async () => {
    const ended = new Promise<number | null>((resolve, reject) => {
      setTimeout(() => reject(new Error('the demo does not stop')), STOPPED_WITHIN_MS).unref()
      demo.process.once('exit', resolve)
    })
    demo.process.kill('SIGTERM')
    expect(await ended).toBe(0)
    await expect(fetch(demo.shop)).rejects.toThrow('fetch failed')
    await expect(fetch(`${demo.console}/_health/`)).rejects.toThrow('fetch failed')
  })
})
