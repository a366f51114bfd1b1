/**
 * How long the page of a trace takes to open in Chromium and whether it stutters while it is scrolled.
 *
 *   npm run bench:trace                 traces of 10,000 and of 50,000 spans
 *   npm run bench:trace -- 2000         another size
 *
 * Opened from the list of traces, as a person opens it, by a click that nothing announced (the pointer does not rest on the
 * link before, which would load it early), in a new page each time so that nothing is remembered. The time ends when the
 * first rows are painted. A long task is one above 50 ms, as the browser itself counts them.
 */
import { originOf, signIn } from '../../e2e/lib/account.ts'
import { launchBrowser, openPage } from '../../e2e/lib/browser.ts'
import { newSpanId, newTraceId, sendTransaction, type SpanToSend } from '../../e2e/lib/transactions.ts'
import { startServer } from '../../tools/harness/server.ts'
import { quantile } from '../lib/http-load.ts'
import { waitForStored } from '../lib/many-things.ts'
import { number, type Row, table, writeSection } from '../lib/results.ts'

type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Page = Awaited<ReturnType<typeof openPage>>['page']

const ROUNDS = 12
const SCROLLS = 120
const SPANS_PER_TRANSACTION = 1000
const STEPS = 37
const wanted = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 50_000]

const KINDS = [
  ['db.sql.query', 'SELECT price FROM products WHERE id = ?'],
  ['http.client', 'GET stock.example/items'],
  ['cache.get', 'basket:*'],
  ['function', 'renderLine'],
] as const

/** A request with steps, each with about 26 spans of four kinds below it: many rows, some alike, three levels. */
const requestOf = (name: string): SpanToSend => {
  const below = SPANS_PER_TRANSACTION - 1 - STEPS
  return {
    op: 'http.server',
    name,
    from: 0,
    to: 60_000,
    children: Array.from({ length: STEPS }, (_, step) => {
      const count = Math.floor(((step + 1) * below) / STEPS) - Math.floor((step * below) / STEPS)
      const from = (step * 60_000) / STEPS
      return {
        op: 'function',
        name: `step ${step}`,
        from,
        to: from + 1500,
        children: Array.from({ length: count }, (_, index) => {
          const [op, called] = KINDS[(index * 7 + step) % KINDS.length] ?? KINDS[0]
          return {
            op,
            name: `${called} ${(index * 13) % 9}`,
            from: from + index * 50,
            to: from + index * 50 + 20 + (index % 30),
          }
        }),
      }
    }),
  }
}

/** Milliseconds from the click on the trace's link until its first rows are painted. */
const openTrace = (page: Page, trace: string): Promise<number> =>
  page.evaluate(
    (id) =>
      new Promise<number>((resolve, reject) => {
        const link = document.querySelector<HTMLAnchorElement>(`a[href*="${id}"]`)
        if (link === null) return reject(new Error('the list has no link to the trace'))
        const deadline = performance.now() + 60_000
        const started = performance.now()
        const look = (): void => {
          if (document.querySelector('[role=treegrid] [role=row]') === null) {
            if (performance.now() > deadline) reject(new Error('no row after 60 s'))
            else requestAnimationFrame(look)
            return
          }
          // What this frame shows is painted when the next task runs.
          const painted = new MessageChannel()
          painted.port1.addEventListener('message', () => resolve(performance.now() - started))
          painted.port1.start()
          requestAnimationFrame(() => painted.port2.postMessage(null))
        }
        link.click()
        requestAnimationFrame(look)
      }),
    trace,
  )

/** The longest tasks, in milliseconds, while the rows are scrolled from the first to the last and back. */
const longTasksWhileScrolling = (page: Page): Promise<number[]> =>
  page.evaluate(
    (scrolls) =>
      new Promise<number[]>((resolve) => {
        const tasks: number[] = []
        const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration)))
        observer.observe({ entryTypes: ['longtask'] })
        const scroller = document.querySelector('[role=treegrid]') as HTMLElement
        const height = scroller.scrollHeight - scroller.clientHeight
        let step = 0
        const next = (): void => {
          step += 1
          // By a screen at a time for the first third, then in leaps: both are what people do.
          scroller.scrollTop =
            step < scrolls / 3 ? step * scroller.clientHeight : height * Math.abs(Math.sin((step * Math.PI) / 17))
          if (step < scrolls) requestAnimationFrame(next)
          else
            setTimeout(() => {
              tasks.push(...observer.takeRecords().map((one) => one.duration))
              observer.disconnect()
              resolve(tasks)
            }, 500)
        }
        requestAnimationFrame(next)
      }),
    SCROLLS,
  )

const measure = async (browser: Browser, list: string, signedIn: Awaited<ReturnType<typeof signIn>>, trace: string) => {
  const opened: number[] = []
  const tasks: number[] = []
  let rows = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const { page, close } = await openPage(browser, signedIn)
    await page.goto(list)
    await page.locator(`a[href*="${trace}"]`).first().waitFor()
    opened.push(await openTrace(page, trace))
    rows = Number(await page.locator('[role=treegrid]').getAttribute('aria-rowcount'))
    tasks.push(...(await longTasksWhileScrolling(page)))
    await close()
  }
  return { opened: Float64Array.from(opened).toSorted(), tasks, rows }
}

const server = await startServer()
const signedIn = await signIn(server, { email: 'ann@example.com', password: 'correct horse battery' })
const browser = await launchBrowser()
const results: Row[] = []
let sent = 0
for (const spans of wanted) {
  const traceId = newTraceId()
  const startMs = Date.now() - 120_000
  let parent: string | undefined
  for (let from = 0; from < spans; from += SPANS_PER_TRANSACTION) {
    const root = { ...requestOf(`POST /orders/${from}`), id: newSpanId() }
    await sendTransaction(server.account.dsn, { traceId, startMs, root, ...(parent !== undefined && { parent }) })
    parent ??= root.id
    sent += 1
  }
  await waitForStored(server, 'transaction', sent)
  const answered: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now()
    const { organization, token } = server.account
    // On connections that are kept: Node's own client ends with a failed assertion over a large answer on one that is not.
    const answer = await fetch(`${originOf(server)}/api/0/organizations/${organization}/traces/${traceId}/`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`the trace: ${answer.status}`)
    await answer.arrayBuffer()
    answered.push(performance.now() - started)
  }
  const list = `${originOf(server)}/organizations/${server.account.organization}/traces`
  const { opened, tasks, rows } = await measure(browser, list, signedIn, traceId)
  results.push([
    number(spans),
    number(rows),
    number(quantile(Float64Array.from(answered).toSorted(), 0.5)),
    number(quantile(opened, 0.5)),
    number(quantile(opened, 0.95)),
    `${tasks.length} of ${ROUNDS * SCROLLS}`,
    tasks.length === 0 ? '–' : number(Math.max(...tasks)),
  ])
}
await browser.close()
await server.stop()
server.remove()

const head = [
  'spans',
  'rows at first',
  'answer of the server ms',
  'opened, p50 ms',
  'opened, p95 ms',
  'tasks above 50 ms while scrolling',
  'longest ms',
]
const report = table(head, results)
process.stdout.write(`${report}\n`)
writeSection('Page of a trace', report)
