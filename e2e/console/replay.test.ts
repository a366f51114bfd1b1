import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as ask, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { axeViolations } from '../lib/axe.ts'
import { coloursOf, openAssetSite } from '../lib/asset-site.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { expandingRecording, hostileRecording } from '../lib/hostile-recording.ts'
import { type RecordedEvent, sendFilmed, sendRecorded, sendSegment, shareReplay } from '../lib/replays.ts'
import { newEventId } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { bundle } from '../lib/site.ts'
import { until } from '../lib/until.ts'
import { sendVisitInFull } from '../lib/visit-in-full.ts'

const ORGANIZATION = 'replay'

/** The server as it would be if its still page had no policy. */
const withoutPolicy = (port: number): Server =>
  createServer((request, response) => {
    const { headers, method, url = '' } = request
    const forwarded = ask({ port, host: '127.0.0.1', path: url, method, headers }, (answer) => {
      const given = { ...answer.headers }
      if (url.startsWith('/still')) delete given['content-security-policy']
      response.writeHead(answer.statusCode ?? 502, given)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })

/** @returns its origin */
const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

/** What any player does with a recording, without the console's care. */
const CARELESS = `
  import { Replayer } from '@rrweb/replay'
  window.playCarelessly = (events, body) =>
    new Replayer(events, { root: body, mouseTail: false, showWarning: false }).pause(3000)
`

/** The recorded page, as it is drawn. */
const pageIn = (page: Page): FrameLocator => page.frameLocator('iframe[title="Recorded page"]').frameLocator('iframe')
/** Its title and what stands on it. */
const words = (page: Page): Promise<string> =>
  pageIn(page)
    .locator('body')
    .evaluate((body: HTMLElement) => `${body.ownerDocument.title}: ${body.innerText.replaceAll(/\s+/g, ' ').trim()}`)
const seconds = (page: Page) => page.getByRole('slider', { name: 'Time in the replay' }).getAttribute('aria-valuenow')

describe('the page of a replay', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    await closePages(browser)
  })

  /** Waits until the server has so many segments of it. @returns its path in the console */
  const stored = (replayId: string, segments: number): Promise<string> =>
    until(`${segments} segments of replay ${replayId}`, async () => {
      const path = `/organizations/${ORGANIZATION}/replays/?query=id%3A${replayId}`
      const { data } = await apiOf(server).get<{ data: readonly { count_segments: number }[] }>(path)
      const isThere = data[0]?.count_segments === segments
      return isThere ? `/organizations/${ORGANIZATION}/replays/${replayId}` : null
    })

  it('R1, R51, R53, R55, R56: what SDK 11 recorded is shown at the second of its address, by keys, by its score and by its list', async () => {
    const address = `${originOf(server)}${await stored(await sendRecorded(server.account.dsn, 11), 2)}`
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(address)
    await eventually(() => words(page)).toBe('t: Hello Press me')
    await page.keyboard.press('ArrowRight')
    await eventually(() => seconds(page)).toBe('5')
    await eventually(() => words(page)).toBe('t: Hello Press me x')
    await page.keyboard.press('ArrowRight')
    await eventually(() => words(page)).toBe('done: Hello Press me x')
    await page.keyboard.press('ArrowLeft')
    await eventually(() => words(page)).toBe('t: Hello Press me x')

    const list = page.getByRole('complementary', { name: 'What happened' })
    await list.getByRole('button', { name: /button “Press me”/ }).click()
    await eventually(() => words(page)).toBe('t: Hello Press me')
    expect(await seconds(page)).toBe('0')
    await eventually(() => list.locator('[aria-current=time]').innerText()).toContain('Press me')

    const score = page.getByRole('slider', { name: 'Time in the replay' })
    const box = await score.boundingBox()
    await score.click({ position: { x: (box?.width ?? 0) - 3, y: 4 } })
    await eventually(() => words(page)).toBe('done: Hello Press me x')

    await page.goto(`${address}?t=8.8`)
    await eventually(() => words(page)).toBe('t: Hello Press me x')
    await page.keyboard.press('i')
    await page.getByRole('switch', { name: /Skip idle/, checked: false }).waitFor()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await eventually(() => words(page)).toBe('done: Hello Press me x')
    await page.getByRole('radio', { name: '16' }).click()
    await page.getByRole('button', { name: 'Play again' }).waitFor()

    await page.getByRole('button', { name: 'More tabs' }).click()
    await page.getByRole('menuitem', { name: 'DOM' }).click()
    const html = page.getByLabel('The page as HTML')
    await eventually(() => html.innerText()).toContain('<button id="b">Press me</button>')
    expect(await html.innerText()).toContain('<title>done</title>')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('R40, R53, R54, R60: every tab follows the time, says what was sent and why it is not known, and axe finds nothing in it', async () => {
    // Somebody else clicked in vain on the same element.
    await sendVisitInFull(server.account.dsn, Date.now() - 600_000)
    const { errorId, replayId, traceId } = await sendVisitInFull(server.account.dsn)
    const address = `${originOf(server)}${await stored(replayId, 1)}`
    await until('its error', async () => {
      const path = `/organizations/${ORGANIZATION}/replays/${replayId}/playback/`
      const { marks } = await apiOf(server).get<{ marks: readonly { kind: string; detail: object }[] }>(path)
      return marks.some(({ detail, kind }) => kind === 'error' && 'shortId' in detail) ? true : null
    })
    const { page, complaints, close } = await openPage(browser, { ...signedIn, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${address}?t=5.1`)
    await eventually(() => words(page)).toContain('Your cart')
    const front = page.getByRole('tabpanel')
    const strip = page.getByRole('region', { name: 'Second tab' })
    const now = () => front.locator('[aria-current=time]').innerText()
    const found: string[] = []
    const examine = async (what: string): Promise<void> => {
      for (const { help, nodes } of await axeViolations(page))
        found.push(`${what}: ${help} ${nodes[0]?.html.slice(0, 200)}`)
    }
    const tabs = page.getByRole('tablist', { name: 'What happened' })
    /** Those without room stand in a menu. */
    const open = async (name: RegExp): Promise<void> => {
      const tab = tabs.getByRole('tab', { name })
      if ((await tab.count()) === 1) return tab.click()
      await page.getByRole('button', { name: 'More tabs' }).click()
      await page.getByRole('menuitem', { name }).click()
      await tab.waitFor()
    }

    await eventually(now).toContain('Rage click on button “Go to checkout”')
    const others = front.getByRole('link', { name: 'One other clicked here in anger' })
    expect(await others.getAttribute('href')).toContain('rage.selector')
    await eventually(() => strip.locator('[aria-current=time]').innerText()).toContain('/api/cart/voucher')
    await examine('everything')

    await open(/^Errors/)
    await front.getByRole('button', { name: /TypeError/ }).click()
    await eventually(now).toContain('Level error')
    expect(await front.getByRole('link').getAttribute('href')).toContain(errorId)
    // The strip below follows what was pressed above.
    await eventually(() => strip.getByRole('button').filter({ hasText: 'POST' }).count()).toBe(2)
    await examine('errors')

    await open(/^Network/)
    await front.getByRole('button', { name: /GET \/api\/cart 200/ }).click()
    await eventually(() => front.getByRole('region', { name: 'Answered' }).innerText()).toContain('"lamp": "Lykta"')
    expect(await front.getByRole('region', { name: 'Sent' }).innerText()).toContain('A GET request sends no body.')
    expect(await seconds(page)).toBe('0')
    await examine('network')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await eventually(() => front.innerText()).toContain('The recorder was not allowed to keep headers and bodies')
    await front.getByRole('textbox', { name: 'Filter requests' }).fill('voucher')
    await front.getByRole('button', { name: /voucher/ }).click()
    await eventually(() => front.innerText()).toContain('looks like JSON and is none')
    expect(await seconds(page)).toBe('2')
    await front.getByRole('textbox', { name: 'Filter requests' }).fill('nothing')
    await eventually(() => front.innerText()).toContain('No request is like that.')

    await open(/^Trace/)
    await front.getByRole('button', { name: /3 spans/ }).click()
    await front.getByRole('button', { name: /cart 20 ms/ }).click()
    await eventually(() => seconds(page)).toBe('3')
    const trace = front.getByRole('link', { name: /^Open / })
    expect(await trace.getAttribute('href')).toContain(traceId)
    await examine('trace')

    await open(/^Memory/)
    await front.getByRole('button', { name: /31.9 MB/ }).click()
    await eventually(() => seconds(page)).toBe('6')
    await examine('memory')
    await open(/^About/)
    await eventually(() => front.innerText()).toContain('Some of what happened is not listed')
    await examine('about')
    await open(/^DOM/)
    await eventually(() => front.innerText()).toContain('<h1>Your cart</h1>')
    await examine('dom')
    await open(/^Console/)
    await front.getByRole('button', { name: /summary not drawn/ }).click()
    await eventually(() => seconds(page)).toBe('4')

    // From a list that was searched for clicks to the first of them, which is framed.
    const query = 'rage.selector:"button#go"'
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/replays?query=${encodeURIComponent(query)}`)
    await page.locator(`[data-replay="${replayId}"]`).getByRole('link', { name: 'Marta Silva' }).click()
    await eventually(() => seconds(page)).toBe('5')
    await page.getByRole('img', { name: 'What was searched for' }).waitFor()

    await page.keyboard.press('s')
    await strip.waitFor({ state: 'detached' })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
    await examine('console in the dark')
    expect(found).toEqual([])
    expect(complaints.list).toEqual([])
    await close()
  })

  it('R53: below the player of a phone the current row is in sight', async () => {
    const { replayId } = await sendVisitInFull(server.account.dsn, Date.now() - 900_000)
    const address = `${originOf(server)}${await stored(replayId, 1)}`
    const { page, close } = await openPage(browser, { ...signedIn, viewport: { width: 390, height: 844 } })
    /** Its pixels below the beginning of the bar at the foot. */
    const hidden = async (): Promise<number> => {
      const row = await page.locator('[aria-current=time]').boundingBox()
      return row === null ? Infinity : Math.max(0, row.y + 28 - (844 - 56))
    }
    for (const t of [5.1, 9.5]) {
      await page.goto(`${address}?t=${t}`)
      await eventually(() => words(page)).toContain('Go to checkout')
      await eventually(hidden).toBe(0)
    }
    await close()
  })

  it('R24: leads to the other tabs of its visitor, and back', async () => {
    const [first, second] = [newEventId(), newEventId()]
    const now = Date.now()
    for (const [index, id] of [first, second].entries()) {
      const at = now - 60_000 + index * 20_000
      const about = { user: { id: 'in-two-tabs' }, urls: [`https://shop.example/tab-${index + 1}`] }
      const text = { type: 3, id: 4, textContent: `Tab ${index + 1}` }
      const html = {
        type: 2,
        id: 2,
        tagName: 'html',
        attributes: {},
        childNodes: [{ type: 2, id: 3, tagName: 'body', attributes: {}, childNodes: [text] }],
      }
      const events = [
        { type: 4, timestamp: at, data: { href: 'https://shop.example/', width: 800, height: 600 } },
        {
          type: 2,
          timestamp: at,
          data: { node: { type: 0, id: 1, childNodes: [html] }, initialOffset: { top: 0, left: 0 } },
        },
        {
          type: 5,
          timestamp: at + 1000,
          data: {
            tag: 'breadcrumb',
            payload: {
              timestamp: at / 1000 + 1,
              type: 'default',
              category: 'replay.page-too-large',
              level: 'warning',
              data: { count: 70_000, limit: 50_000 },
            },
          },
        },
        { type: 3, timestamp: at + 5000, data: { source: 2, type: 2, id: 3, x: 1, y: 1 } },
      ]
      await sendSegment(server.account.dsn, id, 0, events, about)
    }
    await stored(first, 1)
    const address = `${originOf(server)}${await stored(second, 1)}`
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(address)
    const journey = page.getByRole('navigation', { name: 'Journey' })
    await eventually(() => journey.innerText()).toContain('2 of 2 by this visitor')
    expect(await journey.getByRole('link').count()).toBe(1)
    await journey.getByRole('link', { name: /Before: .*tab-1/ }).click()
    await page.waitForURL(`**/replays/${first}`)
    await eventually(() => journey.innerText()).toContain('1 of 2 by this visitor')
    await eventually(() => words(page)).toBe(': Tab 1')
    // Nobody moved the pointer yet: it has no place.
    const pointer = page.frameLocator('iframe[title="Recorded page"]').locator('.replayer-mouse')
    expect([await pointer.count(), await pointer.isVisible()]).toEqual([1, false])
    await journey.getByRole('link', { name: /After: .*tab-2/ }).click()
    await page.waitForURL(`**/replays/${second}`)
    await eventually(() => words(page)).toBe(': Tab 2')
    // What the recorder says of the recording, from its bytes to the list.
    const list = page.getByRole('complementary', { name: 'What happened' })
    await list.getByRole('button', { name: /The page is too large to be recorded/ }).click()
    await eventually(() => list.locator('[aria-current=time]').innerText()).toContain('There were 70,000 elements')
    expect(complaints.list).toEqual([])
    await close()
  })

  /** The address of a file of this text, from which a browser opens it as somebody does who saved it. */
  const saved = (html: string): { readonly address: string; remove(): void } => {
    const folder = mkdtempSync(join(tmpdir(), 'fh-replay-'))
    const path = join(folder, 'replay.html')
    writeFileSync(path, html)
    return { address: pathToFileURL(path).href, remove: () => rmSync(folder, { recursive: true, force: true }) }
  }

  it('R98, R99, R100: is seen by a link without an account, and in a file with the network off', async () => {
    const id = await sendRecorded(server.account.dsn, 11)
    await stored(id, 2)
    const { file, link } = await shareReplay(server, id)
    const { address, remove } = saved(file)
    for (const place of ['link', 'file'] as const) {
      const { page, complaints, close } = await openPage(browser)
      if (place === 'file') await page.context().setOffline(true)
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(place === 'file' ? address : link)
      await eventually(() => words(page)).toBe('t: Hello Press me')
      await page.keyboard.press('ArrowRight')
      await eventually(() => words(page)).toBe('t: Hello Press me x')
      const list = page.getByRole('complementary', { name: 'What happened' })
      await list.getByRole('button', { name: /button “Press me”/ }).click()
      await eventually(() => words(page)).toBe('t: Hello Press me')
      await page.getByRole('button', { name: 'Play', exact: true }).click()
      await page.getByRole('radio', { name: '16' }).click()
      await page.getByRole('button', { name: 'Play again' }).waitFor()
      await eventually(() => words(page)).toBe('done: Hello Press me x')
      // What was scrubbed when it came was never stored.
      expect(await list.innerText()).toContain('/page2?token=[Filtered]')
      expect(await page.content()).not.toContain('token=secret')
      // Nothing leads into the console, and nothing else is asked for than the player, its page and what was recorded.
      expect(await page.locator('a').count()).toBe(0)
      const others = asked.filter(
        (url) =>
          !/^(?:file:|about:|[^?]*\/(?:shared|shared-player|shared-replays|still)\/|[^?]*\/favicon\.svg$)/.test(url),
      )
      expect(others).toEqual([])
      expect(asked.filter((url) => place === 'file' && !/^(?:file|about):/.test(url))).toEqual([])
      expect(complaints.list).toEqual([])
      await close()
    }
    remove()
  })

  it('R99: a link that is made in the dialog is seen without an account, until it is revoked there', async () => {
    const id = await sendRecorded(server.account.dsn, 11)
    const { page, complaints, close } = await openPage(browser, signedIn, [/409/])
    await page.goto(`${originOf(server)}${await stored(id, 2)}`)
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share this replay' })
    await dialog.getByRole('radio', { name: 'A stretch' }).click()
    await dialog.getByLabel('From').fill('soon')
    await dialog.getByText('Write minutes and seconds').waitFor()
    await dialog.getByLabel('From').fill('0:00')
    await dialog.getByLabel('To').fill('0:03')
    await dialog.getByRole('radio', { name: '1 day' }).click()
    await dialog.getByRole('button', { name: 'Make a link' }).click()
    const link = await dialog.getByRole('status').locator('code').innerText()
    // Other tests share the same recording.
    const row = dialog.getByRole('listitem').filter({ hasText: 'From 0:00.0 to 0:03.0, until ' })
    await row.getByText(/not opened yet/).waitFor()
    expect(await axeViolations(page)).toEqual([])
    const tooLarge = { status: 409, json: { detail: 'A file takes less. Choose a shorter stretch.' } }
    await page.route(/\/file\/\?/, (route) => route.fulfill(tooLarge), { times: 1 })
    await dialog.getByRole('button', { name: 'Download as a file' }).click()
    await dialog.getByRole('alert').getByText('Choose a shorter stretch').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download as a file' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`replay-${id.slice(0, 8)}.html`)

    const stranger = await openPage(browser, {}, [/404/])
    await stranger.page.goto(link)
    await eventually(() => words(stranger.page)).toBe('t: Hello Press me')

    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Link revoked').waitFor()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })
    expect(await dialog.getByText(link).count()).toBe(0)
    await stranger.page.reload()
    await stranger.page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    expect([...complaints.list, ...stranger.complaints.list]).toEqual([])
    await stranger.close()
    await close()
  })

  it('R11 R50: what a phone filmed plays with its touches, one video after the other, and only those near the cursor are loaded', async () => {
    const replayId = newEventId()
    const began = Date.now() - 200_000
    const touch = (at: number, type: number, x: number, y: number) => ({
      type: 3,
      timestamp: at,
      data: { source: 2, type, id: 0, pointerId: 1, pointerType: 2, x, y },
    })
    for (const segmentId of [0, 1, 2, 3]) {
      // The app was in the background before the last two.
      const at = began + segmentId * 5000 + (segmentId > 1 ? 60_000 : 0)
      const events = [
        { type: 4, timestamp: at, data: { href: '', width: 390, height: 780 } },
        {
          type: 5,
          timestamp: at + 100,
          data: {
            tag: 'breadcrumb',
            payload: {
              timestamp: at / 1000 + 0.1,
              type: 'default',
              category: 'navigation',
              data: { to: `Screen${segmentId}` },
            },
          },
        },
        touch(at + 1000, 7, 100, 400),
        {
          type: 3,
          timestamp: at + 1400,
          data: {
            source: 6,
            pointerId: 1,
            positions: Array.from({ length: 8 }, (_, index) => ({
              id: 0,
              x: 110 + index * 20,
              y: 400 - index * 10,
              timeOffset: -350 + index * 50,
            })),
          },
        },
        touch(at + 4900, 9, 250, 330),
      ]
      await sendFilmed(server.account.dsn, { replayId, segmentId, events, video: `phone-${segmentId % 2}.webm` })
    }
    const address = `${originOf(server)}${await stored(replayId, 4)}`
    const { page, complaints, close } = await openPage(browser, signedIn)
    const videos: string[] = []
    page.on('request', (request) => {
      const number = /\/videos\/(\d+)\//.exec(request.url())?.[1]
      if (number !== undefined && !videos.includes(number)) videos.push(number)
    })
    const stage = page.getByRole('region', { name: 'Recorded page' })
    /** Colours of the film in the middle of its lower part, and of what is drawn over it where a finger was. */
    const colours = () =>
      stage.evaluate((element: HTMLElement) => {
        const film = element.querySelector('video')
        const touches = element.querySelector('canvas')
        if (film === null || touches === null || film.seeking || film.readyState < 2) return null
        const copy = document.createElement('canvas')
        copy.width = film.videoWidth
        copy.height = film.videoHeight
        const context = copy.getContext('2d')
        context?.drawImage(film, 0, 0)
        const [red = 0, green = 0, blue = 0] = context?.getImageData(10, 230, 1, 1).data ?? []
        const scale = touches.width / 390
        const strength = (x: number, y: number) =>
          (touches.getContext('2d')?.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data[3] ?? 0) > 0
        const colour = red > 200 ? 'white' : blue > green ? 'blue' : 'green'
        return [colour, strength(250, 330) ? 'finger' : '', strength(180, 365) ? 'trail' : ''].join(' ').trim()
      })
    await page.goto(`${address}?t=1.4`)
    await eventually(colours).toBe('blue finger trail')
    expect(videos).toEqual(['0'])
    await page.goto(`${address}?t=6.2`)
    await eventually(() => stage.innerText()).toContain('Screen1')
    await eventually(colours).toContain('green')
    // A seek back into what is there, and over the pause.
    await page.keyboard.press('ArrowLeft')
    await eventually(colours).toMatch(/^blue/)
    expect(videos).toEqual(['0', '1'])
    await page.goto(`${address}?t=30`)
    await eventually(() => stage.innerText()).toContain('The phone filmed nothing here')
    await page.goto(`${address}?t=3`)
    await eventually(colours).toContain('blue finger')
    await page.getByRole('radio', { name: '16' }).click()
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByText(/That is all that has come so far/).waitFor()
    await eventually(colours).toContain('green')
    expect(complaints.list).toEqual([])
    await close()
  })

  /** A page of a recording, with one line of text. */
  const pageOf = (at: number, href: string, text: string, [width, height]: readonly [number, number]) => [
    { type: 4, timestamp: at, data: { href, width, height } },
    {
      type: 2,
      timestamp: at,
      data: {
        node: {
          type: 0,
          id: 1,
          childNodes: [
            {
              type: 2,
              id: 2,
              tagName: 'html',
              attributes: {},
              childNodes: [
                {
                  type: 2,
                  id: 3,
                  tagName: 'body',
                  attributes: {},
                  childNodes: [{ type: 3, id: 4, textContent: text }],
                },
              ],
            },
          ],
        },
        initialOffset: { top: 0, left: 0 },
      },
    },
  ]

  const says = (at: number, value: string): RecordedEvent => ({
    type: 3,
    timestamp: at,
    data: { source: 0, adds: [], removes: [], texts: [{ id: 4, value }], attributes: [] },
  })

  it('R50, R59: pages of a phone and of a desktop fit, also the full screen, with the trails of finger and pointer and the address of each moment', async () => {
    const replayId = newEventId()
    const began = Date.now() - 60_000
    const moves = (from: number, source: number) =>
      Array.from({ length: 20 }, (_, index) => ({
        type: 3,
        timestamp: from + index * 200,
        data: { source, positions: [{ id: 3, x: 40 + index * 10, y: 60 + index * 5, timeOffset: 0 }] },
      }))
    const events = [
      ...pageOf(began, 'https://shop.example/cart', 'A phone', [390, 844]),
      { type: 3, timestamp: began + 900, data: { source: 2, type: 7, id: 3, x: 40, y: 60 } },
      ...moves(began + 1000, 6),
      { type: 3, timestamp: began + 5000, data: { source: 2, type: 9, id: 3, x: 230, y: 155 } },
      ...pageOf(began + 6000, 'https://pay.example/card?step=1', 'A desktop', [1440, 900]),
      ...moves(began + 7000, 1),
    ]
    await sendSegment(server.account.dsn, replayId, 0, events)
    const address = `${originOf(server)}${await stored(replayId, 1)}`
    const { page, complaints, close } = await openPage(browser, signedIn)
    const stage = page.getByRole('region', { name: 'Recorded page' })
    const still = page.locator('iframe[title="Recorded page"]')
    const tail = page.frameLocator('iframe[title="Recorded page"]').locator('.replayer-mouse-tail')
    const isDrawn = () =>
      tail.evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
        return data.some((value) => value > 0)
      })
    /** The shape of the picture, and whether all of it is to be seen. */
    const shape = async (): Promise<string> => {
      const [outer, inner] = await Promise.all([stage.boundingBox(), still.boundingBox()])
      if (outer === null || inner === null) return 'nothing'
      const fits =
        inner.x >= outer.x &&
        inner.y >= outer.y &&
        inner.x + inner.width <= outer.x + outer.width + 1 &&
        inner.y + inner.height <= outer.y + outer.height + 1
      return `${(inner.width / inner.height).toFixed(2)} ${fits ? 'fits' : 'is cut'}`
    }
    const look = async (t: number, text: string, host: string, ratio: string): Promise<void> => {
      await page.goto(`${address}?t=${t}`)
      await eventually(() => words(page)).toBe(`: ${text}`)
      expect(await stage.innerText()).toContain(host)
      for (const viewport of [
        { width: 390, height: 844 },
        { width: 1440, height: 900 },
      ]) {
        await page.setViewportSize(viewport)
        await eventually(shape).toBe(`${ratio} fits`)
      }
      await page.keyboard.press('f')
      await page.getByRole('button', { name: 'Leave full screen' }).waitFor()
      await eventually(shape).toBe(`${ratio} fits`)
      expect((await still.boundingBox())?.height).toBeGreaterThan(600)
      await page.keyboard.press('f')
      await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor()
      await page.getByRole('radio', { name: '0.5' }).click()
      await page.getByRole('button', { name: 'Play', exact: true }).click()
      await eventually(isDrawn).toBe(true)
    }
    await look(1, 'A phone', 'shop.example/cart', '0.46')
    await look(7, 'A desktop', 'pay.example/card?step=1', '1.60')
    await page.goto(`${address}?t=5.8`)
    await eventually(() => words(page)).toBe(': A phone')
    expect(await stage.innerText()).toContain('shop.example/cart')
    expect(complaints.list).toEqual([])
    await close()
  })

  it.each([
    ['a text is transparent', { texts: 1, body: {} }],
    ['all of a long page is', { texts: 2001, body: { style: 'opacity: 0' } }],
  ])(
    'R35: a page that is blank at first opens where something is to be seen, and says so; its small page shows the same: %s',
    async (_name, { texts, body }) => {
      const replayId = newEventId()
      const began = Date.now() - 60_000
      const unseen = [
        ['iframe', { width: '0', height: '0' }],
        ['img', { rr_width: '0px', rr_height: '0px' }],
        ['img', { rr_width: '90px', rr_height: '50px', style: 'visibility: hidden' }],
        ['canvas', { style: 'opacity: 0' }],
      ] as const
      const adds: object[] = unseen.map(([tagName, attributes], index) => ({
        parentId: 3,
        nextId: null,
        node: { type: 2, id: 10 + index, tagName, attributes, childNodes: [] },
      }))
      // What is added comes node by node, also where one stands in another.
      const add = (parentId: number, node: object) => adds.push({ parentId, nextId: null, node })
      add(3, { type: 2, id: 30, tagName: 'p', attributes: { style: 'opacity: 0' }, childNodes: [] })
      for (let id = 100; id < 100 + 2 * texts; id += 2) {
        add(30, { type: 2, id, tagName: 'i', attributes: {}, childNodes: [] })
        add(id, { type: 3, id: id + 1, textContent: 'Loading' })
      }
      const counting: RecordedEvent = {
        type: 3,
        timestamp: began + 1,
        data: { source: 0, adds, removes: [], texts: [], attributes: [{ id: 3, attributes: body }] },
      }
      const shown: RecordedEvent = {
        type: 3,
        timestamp: began + 12_000,
        data: { source: 0, adds: [], removes: [], texts: [], attributes: [{ id: 3, attributes: { style: null } }] },
      }
      const blank = [...pageOf(began, 'https://shop.example/', ' ', [1280, 800]), counting]
      const events = [...blank, shown, says(began + 12_000, 'Drawn')]
      await sendSegment(server.account.dsn, replayId, 0, [...events, says(began + 20_000, 'Later')])
      const path = await stored(replayId, 1)
      const { page, complaints, close } = await openPage(browser, signedIn)
      await page.goto(`${originOf(server)}${path}`)
      await eventually(() => words(page)).toMatch(/^: Drawn Loading/)
      expect(await seconds(page)).toBe('12')
      await page.getByText('The page is blank before 0:12, so it opens here.').waitFor()
      await page.keyboard.press('ArrowLeft')
      await eventually(() => seconds(page)).toBe('7')
      await eventually(() => words(page)).toMatch(/^: Loading/)
      expect(await page.getByText('so it opens here').count()).toBe(0)
      await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/replays?query=id%3A${replayId}`)
      const drawn = page.locator('[data-replay] iframe').contentFrame().locator('iframe').contentFrame()
      await eventually(() => drawn.locator('body').innerText()).toMatch(/^Drawn/)
      expect(complaints.list).toEqual([])
      await close()
    },
  )

  it('R58: of a replay that runs, what comes is there soon, and the reader stays where they are', async () => {
    const replayId = newEventId()
    const began = Date.now() - 6000
    const send = (segmentId: number, events: readonly RecordedEvent[]) =>
      sendSegment(server.account.dsn, replayId, segmentId, events, { replay_start_timestamp: began / 1000 })
    const first = pageOf(began, 'https://shop.example/', 'First', [800, 600])
    await send(0, [...first, says(began + 2000, 'Second')])
    const address = `${originOf(server)}${await stored(replayId, 1)}`
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(`${address}?t=1`)
    await eventually(() => words(page)).toBe(': First')
    await page.getByText('Live', { exact: true }).waitFor()
    const length = () =>
      page.getByRole('slider', { name: 'Time in the replay' }).getAttribute('aria-valuemax').then(Number)
    expect(await length()).toBe(2)
    await send(1, [says(began + 3000, 'Third'), says(began + 4000, 'Fourth')])
    await eventually(length).toBe(4)
    expect(await seconds(page)).toBe('1')
    expect(await words(page)).toBe(': First')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByText(/That is all that has come so far/).waitFor()
    await eventually(() => words(page)).toBe(': Fourth')
    // It goes on by itself.
    await send(2, [says(began + 4500, 'Fifth'), says(began + 5000, 'Sixth')])
    await eventually(() => words(page)).toBe(': Sixth')
    expect(await seconds(page)).toBe('5')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('R69, R70: images and style sheets are fetched once where the project allows it, and drawn from what was kept', async () => {
    const { asked, close: closeSite, origin, page: recordedPage } = await openAssetSite()
    const send = async (): Promise<string> => {
      const replayId = newEventId()
      await sendSegment(server.account.dsn, replayId, 0, recordedPage(Date.now() - 5000))
      return replayId
    }
    const assetsOf = async (replayId: string) => {
      const path = `/organizations/${ORGANIZATION}/replays/${replayId}/playback/`
      return (await apiOf(server).get<{ assets: { kept: number; waiting: number } }>(path)).assets
    }
    const off = await send()
    await stored(off, 1)
    expect(await assetsOf(off)).toEqual({ kept: 0, bytes: 0, waiting: 0, failed: [], leftOut: 0 })

    const { page, complaints, close } = await openPage(browser, { ...signedIn, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/settings/projects/shop?tab=replays`)
    await page.getByLabel('Hosts to fetch from').fill(`shop.example\n${new URL(origin).host}`)
    await page.getByRole('switch', { name: 'Fetch and keep them' }).click()
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('it holds for replays that come from now on').waitFor()
    expect(asked).toEqual([])

    const replayId = await until('what the project wants is known where segments are read', async () => {
      const sent = await send()
      await stored(sent, 1)
      const { kept, waiting } = await assetsOf(sent)
      return kept + waiting > 0 ? sent : null
    })
    await until('what it names was fetched', async () => {
      const { kept, waiting } = await assetsOf(replayId)
      return kept === 3 && waiting === 0 ? true : null
    })
    expect(asked.toSorted()).toEqual(['/back.svg', '/gone.png', '/photo.svg', '/site.css'])
    asked.length = 0
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/replays/${replayId}`)
    const photo = pageIn(page).locator('img').first()
    await eventually(() => photo.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(40)
    const blank = await browser.newPage()
    const looksAsOnTheSite = async (place: Page): Promise<void> => {
      const colours = async () => {
        const { height = 0, width = 0, x = 0, y = 0 } = (await pageIn(place).locator('img').first().boundingBox()) ?? {}
        return coloursOf(blank, await place.screenshot({ clip: { x, y, width: 2 * width, height } }))
      }
      await eventually(colours).toEqual(['200,10,20', '10,20,200'])
    }
    await looksAsOnTheSite(page)
    await page.getByRole('button', { name: 'More tabs' }).click()
    await page.getByRole('menuitem', { name: 'About' }).click()
    const about = page.getByRole('group', { name: 'About this replay' })
    await eventually(() => about.innerText()).toContain('3 of 4 kept')
    expect(await about.innerText()).toContain(`1 not kept, the site answered 404: ${origin}/gone.png`)

    const { body, csp, type } = await page.evaluate(async (path) => {
      const { assets } = (await (await fetch(`${path}/assets/`)).json()) as {
        assets: readonly { id: string; url: string }[]
      }
      const answer = await fetch(`${path}/assets/${assets.find(({ url }) => url.endsWith('photo.svg'))?.id}/`)
      const { headers } = answer
      return {
        body: await answer.text(),
        csp: headers.get('content-security-policy'),
        type: headers.get('content-type'),
      }
    }, `/api/0/organizations/${ORGANIZATION}/replays/${replayId}`)
    expect([type, csp]).toEqual(['application/octet-stream', expect.stringContaining('sandbox')])
    expect(body).toContain('<svg')

    // People without an account see the same, and are told of no address of what was kept.
    const { file, link } = await shareReplay(server, replayId)
    const { address, remove } = saved(file)
    for (const place of ['link', 'file'] as const) {
      const stranger = await openPage(browser, { reducedMotion: 'reduce' })
      await stranger.page.setViewportSize({ width: 1440, height: 900 })
      if (place === 'file') await stranger.page.context().setOffline(true)
      const loaded: string[] = []
      stranger.page.on('response', (answer) => {
        if (answer.url().includes('/chunks/')) void answer.text().then((text) => loaded.push(text))
      })
      await stranger.page.goto(place === 'file' ? address : link)
      await looksAsOnTheSite(stranger.page)
      expect(loaded).toHaveLength(place === 'file' ? 0 : 1)
      expect(loaded.join('')).not.toContain('photo.svg')
      expect(stranger.complaints.list).toEqual([])
      await stranger.close()
    }
    remove()
    await blank.close()
    expect(asked).toEqual([])
    expect(complaints.list).toEqual([])
    await close()
    closeSite()
  })

  describe('of a hostile recording', () => {
    let stranger: Server
    let asked: string[] = []
    let events: RecordedEvent[] = []
    let careless = ''
    let unguarded: Server
    let places: { readonly guarded: string; readonly unguarded: string }
    beforeAll(async () => {
      stranger = createServer((request, response) => {
        asked.push(request.url ?? '')
        response.setHeader('access-control-allow-origin', '*')
        response.end()
      })
      unguarded = withoutPolicy(server.port)
      const [hostile, proxy] = await Promise.all([listen(stranger), listen(unguarded)])
      places = { guarded: originOf(server), unguarded: proxy }
      events = hostileRecording(hostile, Date.now() - 60_000)
      careless = await bundle(CARELESS)
    })
    afterAll(() => {
      for (const each of [stranger, unguarded]) {
        each.closeAllConnections()
        each.close()
      }
    })

    const ran = (page: Page) => page.evaluate(() => Reflect.has(window, 'ran'))
    for (const place of ['guarded', 'unguarded'] as const) {
      const held = place === 'guarded' ? 'rewriting and policy' : 'rewriting alone'
      it(`R61, R62, R64, R66, R67, R68: ${held} let it fetch nothing, run nothing and go nowhere`, async () => {
        const replayId = newEventId()
        await sendSegment(server.account.dsn, replayId, 0, events)
        const address = `${places[place]}${await stored(replayId, 1)}`
        const { page, complaints, close } = await openPage(browser, signedIn)
        asked = []
        await page.goto(address)
        await eventually(() => words(page)).toContain('The hostile page')
        await page.keyboard.press('Space')
        await page.getByRole('button', { name: 'Play again' }).waitFor()
        // A press goes through the picture to nothing at all.
        await page.getByText('recorded page, no script runs').waitFor()
        const link = await pageIn(page).getByText('link', { exact: true }).boundingBox()
        await page.mouse.click((link?.x ?? 0) + 4, (link?.y ?? 0) + 4)
        const frames = await page.evaluate(() => {
          const outer = document.querySelector('iframe')
          const inner = outer?.contentDocument?.querySelector('iframe')
          return {
            sandboxes: [outer?.getAttribute('sandbox'), inner?.getAttribute('sandbox')],
            base: new URL(inner?.contentDocument?.baseURI ?? '').origin,
            scripts: inner?.contentDocument?.querySelectorAll('script').length,
          }
        })
        expect(frames).toEqual({
          sandboxes: ['allow-same-origin', 'allow-same-origin'],
          base: places[place],
          scripts: 0,
        })
        expect(await ran(page)).toBe(false)
        expect(page.url()).toBe(address)
        expect(page.context().pages()).toHaveLength(1)
        expect(asked).toEqual([])
        expect(complaints.list).toEqual([])
        await close()
      })
    }

    it('R118: what grows without end where it is drawn is drawn small, and the tab answers', async () => {
      const replayId = newEventId()
      await sendSegment(server.account.dsn, replayId, 0, expandingRecording(Date.now() - 60_000))
      const { page, complaints, close } = await openPage(browser, signedIn)
      await page.goto(`${places.guarded}${await stored(replayId, 1)}`)
      await eventually(() => words(page)).toContain('The expanding page')
      await pageIn(page).getByText('in columns').first().boundingBox()
      expect(await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => drawn('answers'))))).toBe(
        'answers',
      )
      expect(complaints.list).toEqual([])
      await close()
    })

    it('R118: what stopped the page once is not drawn again unasked, and what another window draws is', async () => {
      const replayId = newEventId()
      await sendSegment(server.account.dsn, replayId, 0, events)
      const address = `${places.guarded}${await stored(replayId, 1)}`
      const { page: first, close } = await openPage(browser, signedIn)
      await first.goto(address)
      await eventually(() => words(first)).toContain('The hostile page')
      const second = await first.context().newPage()
      await second.goto(address)
      await eventually(() => words(second)).toContain('The hostile page')
      await first.close()
      await second.waitForFunction((id) => localStorage.getItem(`fh.drawing.${id}`) !== null, replayId)
      // It never ends; the window is closed over it, as by somebody who waits no longer.
      second.evaluate('for (;;) {}').catch(() => undefined)
      const third = await first.context().newPage()
      await second.close()
      await third.goto(address)
      await third.getByText('This recording stopped the page last time').waitFor()
      expect(await third.locator('iframe').count()).toBe(0)
      await third.getByRole('button', { name: 'Draw it anyway' }).click()
      await eventually(() => words(third)).toContain('The hostile page')
      await close()
    })

    for (const place of ['share page', 'file'] as const) {
      it(`R63: in the ${place} it fetches nothing, runs nothing and goes nowhere`, async () => {
        const replayId = newEventId()
        await sendSegment(server.account.dsn, replayId, 0, events)
        await stored(replayId, 1)
        const { file, link } = await shareReplay(server, replayId)
        const { address, remove } = saved(file)
        const opened = place === 'file' ? address : link
        const { page, complaints, close } = await openPage(browser)
        asked = []
        await page.goto(opened)
        await eventually(() => words(page)).toContain('The hostile page')
        await page.keyboard.press('Space')
        await page.getByRole('button', { name: 'Play again' }).waitFor()
        const target = await pageIn(page).getByText('link', { exact: true }).boundingBox()
        await page.mouse.click((target?.x ?? 0) + 4, (target?.y ?? 0) + 4)
        const frames = await page.evaluate(() => {
          const outer = document.querySelector('iframe')
          const inner = outer?.contentDocument?.querySelector('iframe')
          return {
            sandboxes: [outer?.getAttribute('sandbox'), inner?.getAttribute('sandbox')],
            scripts: inner?.contentDocument?.querySelectorAll('script').length,
          }
        })
        expect(frames).toEqual({ sandboxes: ['allow-same-origin', 'allow-same-origin'], scripts: 0 })
        expect(await ran(page)).toBe(false)
        expect(page.url()).toBe(opened)
        expect(page.context().pages()).toHaveLength(1)
        expect(asked).toEqual([])
        expect(complaints.list).toEqual([])
        await close()
        remove()
      })
    }

    it('R61, R65: the policy alone lets it fetch nothing and run nothing; without both it fetches in many ways', async () => {
      const play = async (place: keyof typeof places): Promise<readonly string[]> => {
        const { page, close } = await openPage(browser, signedIn)
        await page.addInitScript({ content: careless })
        await page.goto(`${places[place]}/organizations/${ORGANIZATION}/issues`)
        await page.getByRole('main').waitFor()
        asked = []
        const drawn = await page.evaluate(async (recording) => {
          const frame = document.createElement('iframe')
          frame.sandbox.add('allow-same-origin')
          frame.src = '/still/'
          const loaded = new Promise((resolve) => {
            frame.addEventListener('load', resolve, { once: true })
          })
          document.body.append(frame)
          await loaded
          const body = frame.contentDocument?.body
          Reflect.apply(Reflect.get(window, 'playCarelessly'), window, [recording, body])
          return body?.querySelector('iframe')?.contentDocument?.body.innerText ?? ''
        }, events)
        expect(drawn).toContain('The hostile page')
        // What was asked for is under way by the time that others have been answered.
        if (place === 'guarded') {
          for (let round = 0; round < 20; round++) await page.evaluate(() => fetch('/_health/').then(({ ok }) => ok))
        } else await eventually(() => new Set(asked).size).toBeGreaterThan(15)
        expect(await ran(page)).toBe(false)
        await close()
        return [...new Set(asked)]
      }
      expect(await play('guarded')).toEqual([])
      await play('unguarded')
    })
  })
})
