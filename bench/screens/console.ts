/**
 * What the console costs a browser: its first load, the way from the list of issues to one of them, and scrolling.
 *
 *   npm run bench:console               5,000 issues
 *   npm run bench:console -- 500        another number
 *
 * The first load is counted in a browser that remembers nothing, over HTTP as the server compresses it, from the address to
 * the first row in the document; what is begun later, before anybody asks for it, is counted apart. An issue is opened by a click
 * that nothing announced (the pointer does not rest on the row before). A long task is one above 50 ms, as the browser
 * itself counts them.
 */
import { originOf, signIn } from '../../e2e/lib/account.ts'
import { launchBrowser, openPage } from '../../e2e/lib/browser.ts'
import { errorEvent, sendEvents } from '../../e2e/lib/send.ts'
import { startServer } from '../../tools/harness/server.ts'
import { quantile } from '../lib/http-load.ts'
import { number, type Row, table, writeSection } from '../lib/results.ts'

type Page = Awaited<ReturnType<typeof openPage>>['page']

const ROUNDS = 10
const SCROLLS = 200
const KB = 1000
/** After the rows are there, so long is waited for what is fetched before anybody asks for it. */
const LATER_MS = 6000
const issues = Number(process.argv[2] ?? 5000)

interface Request {
  readonly path: string
  readonly kind: string
  readonly bytes: number
  readonly at: number
}

/** Every finished request with its size on the wire and when it was begun, milliseconds since the epoch. */
const watchRequests = async (page: Page): Promise<Request[]> => {
  const network = await page.context().newCDPSession(page)
  const asked = new Map<string, Omit<Request, 'bytes'>>()
  const done: Request[] = []
  network.on('Network.requestWillBeSent', ({ requestId, request, wallTime, type = 'Other' }) => {
    const { pathname, search } = new URL(request.url)
    asked.set(requestId, { path: pathname + search, kind: type, at: wallTime * 1000 })
  })
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = asked.get(requestId)
    if (request !== undefined) done.push({ ...request, bytes: encodedDataLength })
  })
  await network.send('Network.enable')
  return done
}

declare global {
  interface Window {
    /** When the first row of the list stood in the document, milliseconds since the epoch. */
    rowsAt?: number
  }
}

/** Runs in the page, before anything of it. */
const noteRows = (): void => {
  const observer = new MutationObserver(() => {
    if (document.querySelector('main a[href*="/issues/"]') === null) return
    observer.disconnect()
    globalThis.window.rowsAt = Date.now()
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** Milliseconds from a click on the nth row until each of these headings is painted, one after the other. */
const openRow = (page: Page, nth: number, headings: readonly string[]): Promise<number[]> =>
  page.evaluate(
    ([index, wanted]) =>
      new Promise<number[]>((resolve, reject) => {
        const link = [...document.querySelectorAll<HTMLAnchorElement>('main a[href*="/issues/"]')].filter((one) =>
          /\/issues\/\d+/.test(one.href),
        )[index]
        if (link === undefined) return reject(new Error('the list has no such row'))
        const started = performance.now()
        const deadline = started + 60_000
        const times: number[] = []
        const look = (): void => {
          const next = wanted[times.length]
          if (next === undefined) return resolve(times)
          if ([...document.querySelectorAll('main h1, main h2')].some((one) => one.textContent === next)) {
            // What this frame shows is painted when the next task runs.
            const painted = new MessageChannel()
            painted.port1.addEventListener('message', () => {
              times.push(performance.now() - started)
              requestAnimationFrame(look)
            })
            painted.port1.start()
            requestAnimationFrame(() => painted.port2.postMessage(null))
            return
          }
          if (performance.now() > deadline) return reject(new Error(`no heading "${next}" after 60 s`))
          requestAnimationFrame(look)
        }
        link.click()
        requestAnimationFrame(look)
      }),
    [nth, headings] as const,
  )

/** The longest tasks, in milliseconds, while the list is scrolled to its end, fetching page after page, and back. */
const longTasksWhileScrolling = (page: Page): Promise<{ readonly tasks: number[]; readonly height: number }> =>
  page.evaluate(
    (scrolls) =>
      new Promise<{ tasks: number[]; height: number }>((resolve) => {
        const tasks: number[] = []
        const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration)))
        observer.observe({ entryTypes: ['longtask'] })
        const row = document.querySelector('main a[href*="/issues/"]')
        let scroller = row?.parentElement ?? null
        while (scroller !== null && scroller.scrollHeight <= scroller.clientHeight + 1)
          scroller = scroller.parentElement
        const scrolled = scroller ?? document.documentElement
        let step = 0
        const next = (): void => {
          step += 1
          const height = scrolled.scrollHeight - scrolled.clientHeight
          // To the end by half a screen at a time, then back in leaps: both are what people do.
          scrolled.scrollTop =
            step < scrolls * 0.7
              ? scrolled.scrollTop + scrolled.clientHeight / 2
              : height * Math.abs(Math.cos((step * Math.PI) / 17))
          if (step < scrolls) requestAnimationFrame(next)
          else
            setTimeout(() => {
              tasks.push(...observer.takeRecords().map((one) => one.duration))
              observer.disconnect()
              resolve({ tasks, height })
            }, 500)
        }
        requestAnimationFrame(next)
      }),
    SCROLLS,
  )

const median = (values: readonly number[], part = 0.5): number => quantile(Float64Array.from(values).toSorted(), part)
const kb = (requests: readonly Request[]): string => number(requests.reduce((sum, { bytes }) => sum + bytes, 0) / KB)

const server = await startServer()
const signedIn = await signIn(server, { email: 'ann@example.com', password: 'correct horse battery' })
const browser = await launchBrowser()
try {
  for (let from = 0; from < issues; from += 500) {
    const events = Array.from({ length: Math.min(500, issues - from) }, (_, index) =>
      errorEvent(`Failure${from + index}`, 'the step did not end', {
        in: `step${from + index}`,
        breadcrumbs: [{ category: 'ui.click', message: 'button.pay' }],
      }),
    )
    await sendEvents(server.account.dsn, events)
  }
  const list = `${originOf(server)}/organizations/${server.account.organization}/issues`
  const painted: number[] = []
  const opened: number[] = []
  const tasks: number[] = []
  let first: readonly Request[] = []
  let later: readonly Request[] = []
  let height = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const { page, close } = await openPage(browser, signedIn)
    const requests = await watchRequests(page)
    await page.addInitScript(noteRows)
    const started = Date.now()
    await page.goto(list, { waitUntil: 'commit' })
    await page.locator('main a[href*="/issues/"]').first().waitFor()
    const shown = await page.evaluate(() => globalThis.window.rowsAt ?? Number.NaN)
    painted.push(shown - started)
    await page.waitForTimeout(LATER_MS)
    first = requests.filter(({ at }) => at <= shown)
    later = requests.filter(({ at }) => at > shown)
    const [whole] = await openRow(page, 3, ['What happened before'])
    opened.push(whole ?? Number.NaN)
    await page.goBack()
    await page.locator('main a[href*="/issues/"]').first().waitFor()
    const scrolled = await longTasksWhileScrolling(page)
    tasks.push(...scrolled.tasks)
    height = scrolled.height
    await close()
  }
  for (const { path, kind, bytes } of first) process.stdout.write(`${kind} ${number(bytes)} ${path}\n`)
  const rows: Row[] = [
    ['first load, begun until the rows are there: requests', number(first.length)],
    ['… of them of the API', number(first.filter(({ path }) => path.startsWith('/api/')).length)],
    ['… kB on the wire', kb(first)],
    ['… until the rows are there, p50 ms', number(median(painted))],
    ['fetched in the next seconds, before it is asked for: requests', number(later.length)],
    ['… kB on the wire', kb(later)],
    ['click on an issue to the breadcrumbs of its event, p50 ms', number(median(opened))],
    ['… p95 ms', number(median(opened, 0.95))],
    [`tasks above 50 ms in ${ROUNDS * SCROLLS} steps of scrolling`, number(tasks.length)],
    ['… the longest, ms', tasks.length === 0 ? '–' : number(Math.max(...tasks))],
    ['pixels that were scrolled', number(height)],
  ]
  const report = table([`console, ${number(issues)} issues`, ''], rows)
  process.stdout.write(`${report}\n`)
  writeSection('Console', report)
} finally {
  await browser.close()
  await server.stop()
  server.remove()
}
