/**
 * How long a replay of an hour and a hundred megabytes takes to show its first picture in Chromium, and to show another
 * moment of it.
 *
 *   npm run bench:replay-player
 *
 * The first picture is timed from a link to a moment, in a new page that remembers nothing, to the frame that paints it;
 * once while the server has not cut the replay into chunks, then when it has. A seek is a press on the line of time at a
 * random place, forward or back, and ends with the frame that paints it.
 */
import { loadavg } from 'node:os'
import { originOf, signIn } from '../../e2e/lib/account.ts'
import { launchBrowser, openPage } from '../../e2e/lib/browser.ts'
import { sendSegment } from '../../e2e/lib/replays.ts'
import { newEventId } from '../../e2e/lib/send.ts'
import { until } from '../../e2e/lib/until.ts'
import { startServer } from '../../tools/harness/server.ts'
import { quantile } from '../lib/http-load.ts'
import { recordedHour, SEGMENT_MS, SEGMENTS } from '../lib/replay-hour.ts'
import { number, table, writeSection } from '../lib/results.ts'

type Page = Awaited<ReturnType<typeof openPage>>['page']

const ROUNDS = 10
const SEEKS = 100
const SECONDS = (SEGMENTS * SEGMENT_MS) / 1000

/** Milliseconds since the navigation began, as soon as the recorded page is painted. */
const firstPicture = (page: Page): Promise<number> =>
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
const seek = (page: Page, share: number): Promise<number> =>
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

const server = await startServer()
const { dsn, organization, token } = server.account
const replayId = newEventId()
let [segment, bytes] = [0, 0]
for (const events of recordedHour(Date.now() - (SECONDS + 60) * 1000)) {
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
    return data.count_segments === SEGMENTS ? true : null
  },
  300_000,
)
const signedIn = await signIn(server, { email: 'ann@example.com', password: 'correct horse battery' })
const browser = await launchBrowser()
const address = `${originOf(server)}/organizations/${organization}/replays/${replayId}`

const opened: number[] = []
for (let round = 0; round <= ROUNDS; round += 1) {
  const { page, close } = await openPage(browser, signedIn)
  await page.goto(`${address}?t=${Math.floor((SECONDS * (round + 0.5)) / (ROUNDS + 1))}`, { waitUntil: 'commit' })
  opened.push(await firstPicture(page))
  await close()
}
const [uncut = 0, ...cut] = opened

const { page, close } = await openPage(browser, signedIn)
await page.goto(address)
await firstPicture(page)
const sought: number[] = []
let place = 0.5
for (let count = 0; count < SEEKS; count += 1) {
  // By the golden ratio: everywhere, and never near the place before.
  place = (place + 0.618_034) % 1
  sought.push(await seek(page, place))
}
const client = await page.context().newCDPSession(page)
await client.send('HeapProfiler.collectGarbage')
const { usedSize } = await client.send('Runtime.getHeapUsage')
await close()
await browser.close()
await server.stop()
server.remove()

const quantileOf = (times: readonly number[], share: number): string =>
  number(quantile(Float64Array.from(times).toSorted(), share))
const report = table(
  ['recorded', 'p50 ms', 'p95 ms', 'limit ms'],
  [
    [`first picture, not cut yet (${number(bytes / 1e6)} MB)`, number(uncut), '', ''],
    [`first picture, ${ROUNDS} times`, quantileOf(cut, 0.5), quantileOf(cut, 0.95), '1,000'],
    [`seek, ${SEEKS} times`, quantileOf(sought, 0.5), quantileOf(sought, 0.95), '300'],
  ],
)
const more = `Memory of the page after these seeks: ${number(usedSize / 1e6)} MB of scripts. Load average of the machine in the last minute: ${number(loadavg()[0] ?? 0, 1)}.`
process.stdout.write(`${report}\n\n${more}\n`)
writeSection('Playing a replay', `${report}\n\n${more}`)
