import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInThisContext } from 'node:vm'
import type { ReplayPlayback, ReplayTest } from '@firsthand/contract'
import { EventType, Interaction, readEvents, Source, type RecordedEvent } from '@firsthand/recording'
import { StepReader } from '@firsthand/recording/repro'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage, WHOLE_CHROMIUM } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { bundle } from '../lib/site.ts'

const root = join(import.meta.dirname, '..', '..')
const bin = join(root, 'apps', 'cli', 'bin', 'firsthand.mjs')
const RUNNING_MS = 240_000

/** A shop that loses its head over vouchers that it does not know. */
const SHOP = `
  import * as Sentry from 'sentry-browser-11'
  Sentry.init({
    dsn: window.dsn,
    release: 'shop@1',
    replaysSessionSampleRate: 1,
    integrations: [
      Sentry.replayIntegration({ minReplayDuration: 0, maskAllText: false, networkDetailAllowUrls: [location.origin] }),
    ],
  })
  window.Sentry = Sentry
  const at = (id) => document.getElementById(id)
  let cart = { lines: [] }
  const show = async () => {
    cart = await (await fetch('/api/cart')).json()
    at('lines').innerHTML = cart.lines
      .map(({ name }) => '<li data-n="l' + name + '">' + name + ' <button data-n="m' + name + '">One more ' + name + '</button></li>')
      .join('')
    at('total').textContent = cart.total
  }
  at('lines').addEventListener('click', async ({ target }) => {
    if (target.tagName !== 'BUTTON') return
    await fetch('/api/cart/lines', { method: 'POST', body: '{}' })
    await show()
  })
  at('apply').addEventListener('click', () => {
    const voucher = cart.vouchers.find(({ code }) => code === at('voucher').value)
    at('total').textContent = String(cart.total - (window.isFixed ? (voucher?.price ?? 0) : voucher.price))
  })
  void show()
`

/** Elements of every kind that is found in another way; each has a number that no test says. */
const PAGE = `
  <h1 data-n="h">Your cart</h1>
  <ul id="lines"></ul>
  <label data-n="lv" for="voucher">Voucher</label><input data-n="v" id="voucher">
  <button data-n="a" id="apply"><span data-n="as">Apply</span><b data-n="ab">now</b></button>
  <output data-n="t" id="total"></output>
  <label data-n="lc"><input data-n="c" type="checkbox"> Wrap it</label>
  <a data-n="link" href="/help">Help</a><a data-n="link2" href="/more">Help with orders</a>
  <input data-n="q" placeholder="Search" type="search"><input data-n="p" placeholder="Your place">
  <select data-n="s" aria-label="Country"><option data-n="o1">Spain</option><option data-n="o2">Italy</option></select>
  <div data-testid="card" data-n="card"><button data-n="b1">+</button><button data-n="b2">+</button></div>
  <div data-n="d"><button data-n="g1" id="r1">×</button><button data-n="g2" id="r2">×</button></div>
  <p data-n="text">Only words, and <i data-n="i">some in italics</i></p>
  <div hidden data-n="hid"><button data-n="hb">Help me</button></div>
  <div role="tab" tabindex="0" data-n="tab">Details</div>
  <img data-n="img" alt="A lamp" src="data:,"><svg data-n="svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>
`

/** Numbers of elements by their ids in a recording. */
const numbersIn = (recorded: unknown): Map<number, string> => {
  const numbers = new Map<number, string>()
  const open = [recorded]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const { attributes, id } = value as { attributes?: Record<string, unknown>; id?: number }
    const number = attributes?.['data-n']
    if (typeof number === 'string' && id !== undefined) numbers.set(id, number)
    open.push(...Object.values(value).filter((one) => typeof one === 'object' && one !== null))
  }
  return numbers
}

/** What a test says of each element that is clicked at the end of a recording, by the number of what it means. */
const locatorsIn = (events: readonly RecordedEvent[]): Map<string, string> => {
  const reader = new StepReader(Infinity)
  for (const event of events) reader.add(event, 0)
  const found = new Map<string, string>()
  const numbers = numbersIn(events)
  let timestamp = events.at(-1)?.timestamp ?? 0
  for (const id of numbers.keys()) {
    timestamp += 10_000
    const data = { source: Source.MouseInteraction, type: Interaction.Click, id, x: 1, y: 1 }
    reader.add({ type: EventType.IncrementalSnapshot, timestamp, data }, 0)
    const step = reader.steps.at(-1)
    if (step?.kind !== 'action' || step.at !== timestamp || step.located === null) continue
    found.set(numbers.get(step.nodeId) ?? '', step.located.code)
  }
  return found
}

describe('a test from a replay', () => {
  let server: SharedServer
  let browser: Browser
  let shop = ''
  let isFixed = false
  let recorded = ''
  let hasData = true
  const folder = mkdtempSync(join(tmpdir(), 'firsthand-repro-'))
  const site = createServer((request, response) => {
    const answer = (type: string, body: string, status = 200): void => {
      response.writeHead(status, { 'content-type': type })
      response.end(body)
    }
    if (request.url === '/app.js') answer('text/javascript', shop)
    else if (request.url === '/') {
      const script = `window.dsn = ${JSON.stringify(server.account.dsn)}; window.isFixed = ${String(isFixed)}`
      answer(
        'text/html; charset=utf-8',
        `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>A shop</title><body>${PAGE}<script>${script}</script><script src="/app.js"></script></body></html>`,
      )
    } else if (request.url?.startsWith('/api/') === true && hasData) {
      const lines = [{ name: 'Lykta' }, { name: 'Dis' }]
      answer('application/json', JSON.stringify({ lines, vouchers: [], total: 302 }))
    } else answer('text/plain', 'gone', 500)
  })
  let url = ''

  beforeAll(async () => {
    ;[server, browser, shop] = await Promise.all([joinServer('repro'), joinBrowser(), bundle(SHOP)])
    await new Promise<void>((done) => {
      site.listen(0, '127.0.0.1', done)
    })
    const address = site.address()
    url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
  })
  afterAll(async () => {
    await closePages(browser)
    site.closeAllConnections()
    await new Promise((done) => site.close(done))
    rmSync(folder, { recursive: true, force: true })
  })

  /** Sends what was recorded so far. @returns the id of the replay */
  const flush = (page: Page): Promise<string> =>
    page.evaluate(async () => {
      const sentry = Reflect.get(window, 'Sentry') as {
        getReplay(): { flush(): Promise<void>; getReplayId(): string }
        flush(timeout: number): Promise<boolean>
      }
      await sentry.getReplay().flush()
      await sentry.flush(10_000)
      return sentry.getReplay().getReplayId()
    })

  /** Somebody puts one more into the cart, and a voucher that nobody knows. @returns the id of the replay */
  const visit = async (page: Page): Promise<string> => {
    await page.goto(url)
    const more = page.getByRole('button', { name: 'One more Dis' })
    await more.waitFor()
    await Promise.all([page.waitForResponse(`${url}/api/cart`), more.click()])
    await page.locator('#voucher').fill('SPRING')
    await page.locator('#apply').click()
    return flush(page)
  }

  const repro = async (
    replay: string,
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> => {
    const { organization, token } = server.account
    const api = `http://127.0.0.1:${server.port}`
    const local = ['--output', folder, '--browser', WHOLE_CHROMIUM]
    const ended = await promisify(execFile)(
      process.execPath,
      [bin, 'repro', replay, '--base-url', url, '--url', api, '--organization', organization, ...local],
      { cwd: '/', timeout: RUNNING_MS, env: { ...process.env, SENTRY_AUTH_TOKEN: token } },
    ).catch((error: unknown) => error as { code: number; stdout: string; stderr: string })
    return { code: 'code' in ended ? ended.code : 0, stdout: ended.stdout, stderr: ended.stderr }
  }

  it('R106 R107 says the recorded error as TypeScript, brings it again, and does not once it is mended', async () => {
    const { page, close } = await openPage(browser, {}, [/reading 'price'/])
    const replay = await visit(page)
    await close()
    recorded = replay
    const api = apiOf(server)
    const path = `/organizations/${server.account.organization}/replays/${replay}/test/`
    const read = (): Promise<ReplayTest | null> => api.get<ReplayTest>(path).catch(() => null)
    // Its event and its segments come one by one.
    await eventually(async () => {
      const test = await read()
      return `${test?.error?.title ?? ''} ${test?.source ?? ''}`
    }).toMatch(/^TypeError.*\.fill\(.*POST \/api\/cart\/lines/s)
    const { source } = (await read()) as ReplayTest
    const lines = source.split('\n').map((line) => line.replace(/ \/\/ .*/, '').trim())
    expect(lines).toContain("await page.goto('/')")
    expect(lines).toContain("await replay.asked('GET /api/cart', 1)")
    expect(lines).toContain("await page.getByRole('button', { name: 'One more Dis' }).click()")
    expect(lines).toContain("await page.getByRole('textbox', { name: 'Voucher' }).fill('Stand-in')")
    expect(source).toMatch(/^\/\/ - \d:\d\d what was typed or chosen: it is masked, and 'Stand-in' stands in$/m)

    // What the site answers by now is another thing.
    hasData = false
    const broken = await repro(replay)
    expect(broken, broken.stdout + broken.stderr).toMatchObject({ code: 0 })
    expect(broken.stdout).toMatch(/^reproduces: TypeError: .*price.* \(2 of 2 runs, [\d.]+ s each\)\n/)
    const [, trace = ''] = /^trace: (.+)$/m.exec(broken.stdout) ?? []
    expect(statSync(trace).size).toBeGreaterThan(0)

    expect(readFileSync(join(folder, 'replay.spec.ts'), 'utf8')).toBe(source)
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types'), '--skipLibCheck', '--noEmit']
    const strict = ['--strict', '--noUncheckedIndexedAccess', '--module', 'nodenext', '--target', 'es2022']
    const tsc = join(root, 'node_modules', '.bin', 'tsc')
    const checked = promisify(execFile)(tsc, [...types, ...strict, join(folder, 'replay.spec.ts')], { cwd: folder })
    expect(await checked.catch((error: unknown) => (error as { stdout: string }).stdout)).toMatchObject({ stdout: '' })

    isFixed = true
    const mended = await repro(replay)
    expect(mended, mended.stdout + mended.stderr).toMatchObject({ code: 3 })
    expect(mended.stdout).toMatch(/^does not reproduce: the error came in 0 of 2 runs\ntrace: /)
  })

  it('R111 the console shows the test with what was masked, and gives it away whole', async () => {
    const { page, complaints, close } = await openPage(browser, await signIn(server))
    const { organization } = server.account
    await page.goto(`${originOf(server)}/organizations/${organization}/replays/${recorded}`)
    await page.getByRole('slider', { name: 'Time in the replay' }).waitFor()
    await page.keyboard.press('t')
    const dialog = page.getByRole('dialog', { name: /A test from this replay/ })
    await dialog.getByText(".fill('Stand-in')").waitFor()
    expect(await dialog.getByText(/it is masked, and 'Stand-in' stands in/).count()).toBe(1)
    const origin = originOf(server)
    const address = `${origin}/organizations/${organization}/replays/${recorded}`
    expect(await dialog.getByText(`npx firsthand repro ${address} --url ${origin} --base-url`).count()).toBe(1)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await dialog.getByRole('button', { name: 'Copy test' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("from '@playwright/test'")
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(complaints.list).toEqual([])
    await close()
  })

  it('R111 of several errors the command names the one that was chosen, and of none there is no command', async () => {
    hasData = true
    isFixed = false
    const { organization } = server.account
    const errorsOf = async (replay: string): Promise<string[]> => {
      const path = `/organizations/${organization}/replays/${replay}/playback/`
      const { marks } = await apiOf(server)
        .get<ReplayPlayback>(path)
        .catch(() => ({ marks: [] }))
      return marks.flatMap(({ detail, kind }) => (kind === 'error' ? [detail['eventId'] ?? ''] : []))
    }
    const visitor = await openPage(browser, {}, [/reading 'price'/, /Second failure/])
    const replay = await visit(visitor.page)
    await visitor.page.evaluate(() => {
      setTimeout(() => {
        throw new Error('Second failure')
      })
    })
    await eventually(async () => {
      await flush(visitor.page)
      return (await errorsOf(replay)).length
    }).toBe(2)
    const [, second = ''] = await errorsOf(replay)
    await visitor.close()
    const quiet = await openPage(browser)
    await quiet.page.goto(url)
    const more = quiet.page.getByRole('button', { name: 'One more Dis' })
    await Promise.all([quiet.page.waitForResponse(`${url}/api/cart/lines`), more.click()])
    const without = await flush(quiet.page)
    await quiet.close()

    const { page, complaints, close } = await openPage(browser, await signIn(server))
    const dialog = page.getByRole('dialog', { name: /A test from this replay/ })
    const makeTest = async (of: string): Promise<void> => {
      await page.goto(`${originOf(server)}/organizations/${organization}/replays/${of}`)
      await page.getByRole('slider', { name: 'Time in the replay' }).waitFor()
      await page.keyboard.press('t')
      await dialog.getByLabel('The test', { exact: true }).waitFor()
    }
    const command = dialog.getByText('npx firsthand repro')
    await makeTest(replay)
    expect(await command.innerText()).toMatch(/--base-url http:\/\/localhost:3000$/)
    await dialog.getByRole('combobox', { name: 'Error that the test ends with' }).click()
    await page.getByRole('option', { name: /Second failure/ }).click()
    await eventually(() => command.innerText()).toMatch(new RegExp(`:3000 --event ${second}$`))
    await page.keyboard.press('Escape')
    await eventually(() =>
      apiOf(server)
        .get(`/organizations/${organization}/replays/${without}/`)
        .then(
          () => true,
          () => false,
        ),
    ).toBe(true)
    await makeTest(without)
    await dialog.getByText('Nothing was reported in this replay').waitFor()
    expect(await command.count()).toBe(0)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('R108 every element of a page is found by what is said of it, and is the only one', async () => {
    hasData = true
    const { page, close } = await openPage(browser)
    const replay = await visit(page)
    const path = `/projects/${server.account.organization}/shop/replays/${replay}/recording-segments/?download=1`
    // Until its first segment is there, the address is of nothing.
    const read = (): Promise<unknown[][]> =>
      apiOf(server)
        .get<unknown[][]>(path)
        .catch(() => [])
    await eventually(async () => (await read()).length).toBeGreaterThan(0)
    const { events } = readEvents((await read()).flat())
    const found: string[] = []
    for (const [number, code] of locatorsIn(events)) {
      const locate = runInThisContext(`(page) => ${code}`) as (page: Page) => Locator
      const meant = await locate(page).evaluateAll((all) => all.map((one) => one.getAttribute('data-n')))
      found.push(`${number} ${code}`)
      expect(meant, code).toEqual([number])
    }
    expect(found.length, found.join('\n')).toBeGreaterThan(20)
    await close()
  })
})
