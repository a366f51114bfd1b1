/**
 * What a recorder costs the main thread of a page that changes all the time (R83): this project's and Sentry's on the same page,
 * one after the other in the same run, and the page without any.
 *
 *   npm run bench:recorder              2,000 changes a second
 *   npm run bench:recorder -- 500       another number
 *   npm run bench:recorder -- 2000 3    in fewer rounds
 *
 * Processor time of the page's main thread as Chromium counts it, above the page's own; the median of several rounds in turns.
 * What changes is not drawn: on a busy machine a page draws now more, now less, which is many times what a recorder takes. Both record every visit with their defaults, and send to somebody who takes everything.
 *
 * Then the same of ten canvases of 1920 × 1080 that change all the time, recorded at the highest quality (R80).
 */
import { launchBrowser, openPage } from '../../e2e/lib/browser.ts'
import { type Collector, startCollector } from '../../e2e/lib/collector.ts'
import { serveSite } from '../../e2e/lib/site.ts'
import { number, table, writeSection } from '../lib/results.ts'

type Page = Awaited<ReturnType<typeof openPage>>['page']

const ROUNDS = Number(process.argv[3] ?? 5)
const WARM_MS = 2000
const SECONDS = 6
/** So long a recorder has to send something, once it was measured. */
const SEND_SECONDS = 20
const CHANGES = Number(process.argv[2] ?? 2000)

const ours = (options = ''): string => `
  import * as Sdk from '@firsthand/browser'
  import { replayIntegration } from '@firsthand/replay'
  Sdk.init({ dsn: window.dsn, replaysSessionSampleRate: 1, integrations: [replayIntegration(${options})] })`
const theirs = (more = ''): string => `
  import * as Sdk from 'sentry-browser-11'
  Sdk.init({ dsn: window.dsn, replaysSessionSampleRate: 1, integrations: [Sdk.replayIntegration()${more}] })`
type Contenders = readonly (readonly [name: string, script: string])[]
const ON_BUSY_PAGE: Contenders = [
  ['without', ''],
  ['Firsthand', ours()],
  ['Sentry 11', theirs()],
]
const OF_CANVASES: Contenders = [
  ['without', ''],
  ['Firsthand', ours(`{ canvas: { quality: 'high' } }`)],
  ['Sentry 11', theirs(`, Sdk.replayCanvasIntegration({ quality: 'high' })`)],
]

/** A table of 2,000 cells, of which texts, classes, styles and elements change in turn, a few at a time. */
const startChanges = (perSecond: number): void => {
  const cells = [...document.querySelectorAll<HTMLElement>('td')]
  const began = performance.now()
  let done = 0
  const change = (): void => {
    const cell = cells[(done * 7) % cells.length]
    if (!cell) return
    const kind = done % 4
    if (kind === 0) cell.textContent = `price ${done}`
    else if (kind === 1) cell.className = `up${done % 9}`
    else if (kind === 2) cell.style.setProperty('opacity', String(0.5 + (done % 50) / 100))
    else {
      cell.replaceChildren()
      cell.append(Object.assign(document.createElement('b'), { textContent: `item ${done}` }))
    }
    done += 1
  }
  setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond
    for (let left = Math.ceil(due - done); left > 0; left -= 1) change()
  }, 10)
}

/** Ten times a second each canvas has another rectangle of another colour: in every frame would be as often as the machine has time. */
const startDrawing = (): void => {
  const contexts = [...document.querySelectorAll('canvas')].flatMap((canvas) => canvas.getContext('2d') ?? [])
  let frame = 0
  const draw = (): void => {
    frame += 1
    for (const [index, context] of contexts.entries()) {
      context.fillStyle = `hsl(${(frame * 7 + index * 36) % 360} 80% 50%)`
      context.fillRect((frame * 13) % 1800, (frame * 29 + index * 90) % 1000, 120, 80)
    }
  }
  setInterval(draw, 100)
}

/** Milliseconds of the processor in one second. */
const measure = async (page: Page, start: (page: Page) => Promise<void>): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1000
  }
  await start(page)
  await page.waitForTimeout(WARM_MS)
  const before = await spent()
  await page.waitForTimeout(SECONDS * 1000)
  return ((await spent()) - before) / SECONDS
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

const waitForSegment = async (page: Page, collector: Collector, name: string): Promise<void> => {
  for (let left = SEND_SECONDS; collector.segments.length === 0; left -= 1) {
    if (left === 0) throw new Error(`${name} has recorded nothing`)
    await page.waitForTimeout(1000)
  }
}

/** Medians by contender, in turns. */
const compare = async (
  contenders: Contenders,
  html: string,
  start: (page: Page) => Promise<void>,
): Promise<(name: string) => number> => {
  const measured = new Map<string, number[]>(contenders.map(([name]) => [name, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, script] of contenders) {
      const collector = await startCollector()
      const site = await serveSite(`window.dsn = ${JSON.stringify(collector.dsn)};${script}`, html)
      const { page, close } = await openPage(browser)
      await page.goto(site.url)
      measured.get(name)?.push(await measure(page, start))
      if (script !== '') await waitForSegment(page, collector, name)
      await close()
      await site.close()
      await collector.close()
    }
  }
  return (name) => median(measured.get(name) ?? [])
}

const browser = await launchBrowser()
const onBusyPage = await compare(
  ON_BUSY_PAGE,
  `<table hidden>${'<tr><td>a</td><td>b</td><td>c</td><td>d</td><td>e</td></tr>'.repeat(400)}</table>`,
  (page) => page.evaluate(startChanges, CHANGES),
)
const ofCanvases = await compare(
  OF_CANVASES,
  '<canvas width="1920" height="1080" style="width:19%"></canvas>'.repeat(10),
  (page) => page.evaluate(startDrawing),
)
await browser.close()

const rowsOf = (medianOf: (name: string) => number): [string, string][] => {
  const cost = (name: string): number => medianOf(name) - medianOf('without')
  return [
    ['the page itself', number(medianOf('without'), 1)],
    ['Firsthand, above it', number(cost('Firsthand'), 1)],
    ['Sentry 11, above it', number(cost('Sentry 11'), 1)],
    ['ratio (1 or less is as cheap)', number(cost('Firsthand') / cost('Sentry 11'), 2)],
  ]
}
const UNIT = 'ms of the processor in a second'
const report = [
  table([`${number(CHANGES)} changes a second`, UNIT], rowsOf(onBusyPage)),
  table(['ten canvases of 1920 × 1080 at the highest quality', UNIT], rowsOf(ofCanvases)),
].join('\n\n')
process.stdout.write(`${report}\n`)
writeSection('Recorder on a busy page', report)
