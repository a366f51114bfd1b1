/**
 * How long a replay of an hour and a hundred megabytes takes to show its first picture in Chromium, and to show another
 * moment of it; what of it is loaded for that, and what memory the browser takes. Beside it rrweb's own player with the
 * same recording, which has all of it in memory.
 *
 *   npm run bench:replay-player
 *
 * The first picture is timed from a link to a moment, in a new page that remembers nothing, to the frame that paints it;
 * once while the server has not cut the replay into chunks, then when it has. A seek is a press on the line of time at a
 * random place, forward or back, and ends with the frame that paints it.
 */
import { createServer } from 'node:http'
import { loadavg } from 'node:os'
import type { CDPSession } from 'playwright-core'
import { originOf, signIn } from '../../e2e/lib/account.ts'
import { launchBrowser, openPage } from '../../e2e/lib/browser.ts'
import { type RecordedEvent, sendSegment } from '../../e2e/lib/replays.ts'
import { newEventId } from '../../e2e/lib/send.ts'
import { bundle } from '../../e2e/lib/site.ts'
import { until } from '../../e2e/lib/until.ts'
import { startServer } from '../../tools/harness/server.ts'
import { openBarePage, type BarePage } from '../lib/bare-page.ts'
import { quantile } from '../lib/http-load.ts'
import { CANVAS_HOUR, HOUR, recordHour, SEGMENT_MS } from '../lib/recorded-hour.ts'
import { number, table, writeSection } from '../lib/results.ts'

/** A page of Playwright, or one that nothing watches. */
type Evaluates = Pick<BarePage, 'evaluate'>

const ROUNDS = 10
const SEEKS = 100
const MEMORY_SEEKS = 50
const REFERENCE_SEEKS = 4
const SECONDS = (HOUR.segments * SEGMENT_MS) / 1000

/** Milliseconds since the navigation began, as soon as the recorded page is painted. */
const firstPicture = (page: Evaluates): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const look = (): void => {
          const stage = document.querySelector('iframe')?.contentDocument
          const rows = stage?.querySelector('iframe')?.contentDocument?.querySelectorAll('.row').length ?? 0
          if (rows > 0) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
          else if (performance.now() > 60_000) reject(new Error('no picture after 60 s'))
          else requestAnimationFrame(look)
        }
        look()
      }),
  )

/** Presses on the line of time. @returns milliseconds until the moment is painted */
const seek = (page: Evaluates, share: number): Promise<number> =>
  page.evaluate(
    (place) =>
      new Promise<number>((resolve, reject) => {
        const track = document.querySelector<HTMLElement>('[role=slider]')
        const stage = document.querySelector('iframe')?.contentDocument
        if (track === null || stage == null) return reject(new Error('there is no player'))
        const before = stage.querySelector('iframe')
        const { left, top, width } = track.getBoundingClientRect()
        const began = performance.now()
        // One picture alone, and another than before: each of these seeks leads to another chunk.
        const look = (): void => {
          const pictures = stage.querySelectorAll('iframe')
          if (pictures.length === 1 && pictures[0] !== before) {
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
          } else if (performance.now() - began > 60_000) reject(new Error('no picture after 60 s'))
          else requestAnimationFrame(look)
        }
        const at = { bubbles: true, button: 0, pointerId: 1, clientX: left + width * place, clientY: top + 4 }
        track.dispatchEvent(new PointerEvent('pointerdown', at))
        track.dispatchEvent(new PointerEvent('pointerup', at))
        requestAnimationFrame(look)
      }),
    share,
  )

/** By the golden ratio: everywhere, and never near the place before. */
const places = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => (0.5 + (index + 1) * 0.618_034) % 1)

const seekAll = async (page: Evaluates, count: number): Promise<readonly number[]> => {
  const times: number[] = []
  for (const place of places(count)) times.push(await seek(page, place))
  return times
}

/** Bytes on the wire, from now on. */
const countBytes = async (session: CDPSession): Promise<() => number> => {
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await session.send('Network.enable')
  return () => bytes
}

/** Seeks in a page that no program watches. @returns what it has taken by then, and what of it it still needs, in MB */
const memoryAfterSeeks = async (replayId: string): Promise<readonly [taken: string, needed: string]> => {
  const page = await openBarePage(addressOf(replayId), signedIn)
  await firstPicture(page)
  await seekAll(page, MEMORY_SEEKS)
  const taken = await page.memoryMB()
  await page.collectGarbage()
  const needed = await page.memoryMB()
  await page.close()
  return [number(taken), number(needed)]
}

const server = await startServer({ environment: { FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: '0' } })
const { dsn, organization, token } = server.account

/** @returns its id, when all of it is stored */
const record = async (spec: typeof HOUR): Promise<{ readonly replayId: string; readonly bytes: number }> => {
  const replayId = newEventId()
  let [segment, bytes] = [0, 0]
  for (const events of recordHour({ ...spec, start: Date.now() - (SECONDS + 60) * 1000 })) {
    await sendSegment(dsn, replayId, segment, events)
    bytes += JSON.stringify(events).length
    segment += 1
  }
  const api = `${originOf(server)}/api/0/organizations/${organization}/replays/${replayId}/`
  await until(
    'all segments',
    async () => {
      const answer = await fetch(api, { headers: { authorization: `Bearer ${token}` } })
      if (!answer.ok) return null
      const { data } = (await answer.json()) as { readonly data: { readonly count_segments: number } }
      return data.count_segments === spec.segments ? true : null
    },
    300_000,
  )
  return { replayId, bytes }
}
const addressOf = (replayId: string): string => `${originOf(server)}/organizations/${organization}/replays/${replayId}`

/** Seeks in rrweb's own player, which is given all events at once. @returns milliseconds */
const seekInReference = async (): Promise<readonly number[]> => {
  const events: RecordedEvent[] = [...recordHour({ ...HOUR, start: 0 })].flat()
  const json = JSON.stringify(events)
  const script = await bundle(`
    import { Replayer } from '@rrweb/replay'
    window.begin = async () => {
      const events = await (await fetch('/events')).json()
      window.replayer = new Replayer(events, { root: document.body, mouseTail: false, showWarning: false })
    }
  `)
  const site = createServer((request, response) => {
    response.setHeader('content-type', request.url === '/' ? 'text/html' : 'application/json')
    response.end(request.url === '/events' ? json : `<!doctype html><body><script>${script}</script></body>`)
  })
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve)
  })
  const address = site.address()
  const other = await launchBrowser()
  const { page } = await openPage(other)
  await page.goto(`http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`)
  await page.evaluate(() => (Reflect.get(window, 'begin') as () => Promise<void>)())
  const times: number[] = []
  for (const place of places(REFERENCE_SEEKS)) {
    const time = page.evaluate(
      (at) =>
        new Promise<number>((resolve) => {
          const began = performance.now()
          ;(Reflect.get(window, 'replayer') as { pause(time: number): void }).pause(at)
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
        }),
      place * SECONDS * 1000,
    )
    times.push(await time)
  }
  await other.close()
  site.closeAllConnections()
  site.close()
  return times
}

const { replayId, bytes } = await record(HOUR)
const signedIn = await signIn(server, { email: 'ann@example.com', password: 'correct horse battery' })

/** What is not cut yet is waited for by the page itself, which is the first time alone. */
const waitUntilCut = (): Promise<true> =>
  until(
    'all of it cut into chunks',
    async () => {
      const list = `${originOf(server)}/api/0/organizations/${organization}/replays/${replayId}/playback/chunks/?partly=true&after=-1`
      const answer = await fetch(list, { headers: { authorization: `Bearer ${token}` } })
      const { preparing } = (await answer.json()) as { readonly preparing: boolean }
      return preparing ? null : true
    },
    300_000,
  )

const opened: number[] = []
let firstBytes = 0
const browser = await launchBrowser()
for (let round = 0; round <= ROUNDS; round += 1) {
  const { page, close } = await openPage(browser, signedIn)
  const loaded = await countBytes(await page.context().newCDPSession(page))
  const at = Math.floor((SECONDS * (round + 0.5)) / (ROUNDS + 1))
  await page.goto(`${addressOf(replayId)}?t=${at}`, { waitUntil: 'commit' })
  opened.push(await firstPicture(page))
  firstBytes = Math.max(firstBytes, loaded())
  await close()
  await waitUntilCut()
}
const [uncut = 0, ...cut] = opened

const { page, close } = await openPage(browser, signedIn)
await page.goto(addressOf(replayId))
await firstPicture(page)
const sought = await seekAll(page, SEEKS)
await close()
await browser.close()
const memory = await memoryAfterSeeks(replayId)
const painted = await record(CANVAS_HOUR)
const canvasMemory = await memoryAfterSeeks(painted.replayId)
await server.stop()
server.remove()
const reference = await seekInReference()

const quantileOf = (times: readonly number[], share: number): string =>
  number(quantile(Float64Array.from(times).toSorted(), share))
const report = [
  table(
    ['recorded', 'p50 ms', 'p95 ms', 'limit ms'],
    [
      [`first picture, not cut yet (${number(bytes / 1e6)} MB)`, number(uncut), '', ''],
      [`R41 first picture, ${ROUNDS} times`, quantileOf(cut, 0.5), quantileOf(cut, 0.95), '1,000'],
      [`R42 seek, ${SEEKS} times`, quantileOf(sought, 0.5), quantileOf(sought, 0.95), '300'],
      [
        `rrweb's own player: seek, ${REFERENCE_SEEKS} times, all of it in memory`,
        quantileOf(reference, 0.5),
        quantileOf(reference, 0.95),
        '',
      ],
    ],
  ),
  table(
    ['it takes', 'MB', 'limit MB', 'needed, MB'],
    [
      ['R41 loaded until the first picture, most of all', number(firstBytes / 1e6, 2), '2', ''],
      [`R43 memory of the page after ${MEMORY_SEEKS} seeks`, memory[0], '400', memory[1]],
      [
        `R79 the same of an hour of ${number(CANVAS_HOUR.segments * CANVAS_HOUR.pictures)} pictures of a canvas (${number(painted.bytes / 1e6)} MB)`,
        canvasMemory[0],
        '400',
        canvasMemory[1],
      ],
    ],
  ),
  `Load average of the machine in the last minute: ${number(loadavg()[0] ?? 0, 1)}.`,
].join('\n\n')
process.stdout.write(`${report}\n`)
writeSection('Playing a replay', report)
