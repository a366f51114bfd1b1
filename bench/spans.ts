/**
 * How many spans per second are accepted and stored, what they cost and take, and how long the questions of the screens
 * take then; beside a bare HTTP server that parses the same bodies and the bare engine that inserts the same rows.
 *
 *   npm run bench:spans                      a million spans by HTTP, then ten million for the questions
 *   npm run bench:spans -- 100000 1000000    fewer
 *
 * The ten million are asked when the server has summed up the days that are over, as it does within minutes.
 */
import { fillSpans } from './lib/fill-spans.ts'
import { engineInsertRate } from './lib/floor-engine.ts'
import { quantile, sendAll } from './lib/http-load.ts'
import { ask, CONNECTIONS, createStages, httpFloor, timesOf, waitForStored } from './lib/many-things.ts'
import { number, type Row, table, writeSection } from './lib/results.ts'
import { createProjects } from './lib/projects.ts'
import { waitForDays } from './lib/span-days.ts'
import { prepareSpanRequests, SPANS_PER_TRACE } from './lib/span-requests.ts'
import { diskBytes, type RunningServer, startServer } from '../tools/harness/server.ts'

/** Sent and stored as one: at its beginning and end the parts of the server wait for each other, which is no steady state. */
const PORTION = 1_000_000
const PROJECTS = 500
const WARM_UP = 10_000
const wanted = Number(process.argv[2] ?? 1_000_000)
const wantedForReads = Number(process.argv[3] ?? 10 * wanted)

/** Of fewer, the 95th percentile is the second slowest. */
const ROUNDS = 100

const READ_COLUMNS = ['first ms', 'p50 ms', 'p95 ms', 'CPU ms', 'CPU ms of merges meanwhile']

/**
 * How long the questions of the screens take: the first time, while little of it is in memory, then the median and the 95th
 * percentile of many; and what one of them costs all threads of the server, merges apart: what these took, the question had
 * to do without.
 */
const readsOf = async (server: RunningServer, period: string): Promise<Row[]> => {
  const inPeriod = `statsPeriod=${period}`
  const { transactions } = await ask<{ transactions: { transaction: string }[] }>(server, `/transactions/?${inPeriod}`)
  const summary = `/transactions/summary/?${inPeriod}&transaction=${encodeURIComponent(transactions[0]?.transaction ?? '')}`
  const { slowest } = await ask<{ slowest: { traceId: string }[] }>(server, summary)
  const percentile = encodeURIComponent('p95(span.duration)')
  const reads: Row[] = []
  for (const [what, path] of [
    [`transactions with their percentiles, ${period}`, `/transactions/?${inPeriod}`],
    [`one transaction, ${period}`, summary],
    [
      `p95 of all spans by operation, ${period}`,
      `/events/?dataset=spans&field=span.op&field=${percentile}&sort=-${percentile}&${inPeriod}`,
    ],
    ['a trace by its id', `/traces/${slowest[0]?.traceId}/`],
  ] as const) {
    const started = performance.now()
    await ask(server, path)
    const first = performance.now() - started
    const stages = createStages(server.process.pid ?? 0)
    let times: Float64Array = new Float64Array()
    await stages.during(async () => {
      times = await timesOf(() => ask(server, path), ROUNDS)
    })
    const merges = stages.of('engine, merges')
    const perQuestion = (seconds: number): string => number((seconds * 1000) / times.length, 1)
    reads.push([
      what,
      ...[first, quantile(times, 0.5), quantile(times, 0.95)].map((ms) => number(ms, 1)),
      perQuestion(stages.total() - merges),
      perQuestion(merges),
    ])
  }
  return reads
}

const environment = { FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: '0' }
const server = await startServer({ environment })
const senders = await createProjects(server, PROJECTS)
const warmUp = prepareSpanRequests(senders, WARM_UP, 5, 3)
await sendAll(server.port, warmUp, CONNECTIONS)
await waitForStored(server, 'span', WARM_UP)

let sent = 0
let sending = 0
let working = 0
const stages = createStages(server.process.pid ?? 0)
let lastPortion: Buffer[] = []
for (let from = 0; from < wanted; from += PORTION) {
  lastPortion = prepareSpanRequests(senders, Math.min(PORTION, wanted - from), 5, 100 + from)
  await stages.during(async () => {
    const started = performance.now()
    const load = await sendAll(server.port, lastPortion, CONNECTIONS)
    if (load.ok !== load.sent) throw new Error(`not accepted: ${JSON.stringify(load.otherStatus)}`)
    sent += load.ok * 5 * SPANS_PER_TRACE
    sending += load.seconds
    await waitForStored(server, 'span', WARM_UP + sent)
    working += (performance.now() - started) / 1000
  })
}

const reads = await readsOf(server, '1h')

// The engine keeps the files of merged parts for half a minute; they are not to be counted as disk.
await new Promise((resolve) => setTimeout(resolve, 45_000))
const disk = diskBytes(server.dataDir)
await server.stop()
const http = (await httpFloor(lastPortion)) * 5 * SPANS_PER_TRACE
const engine = await engineInsertRate(server.dataDir, 200_000, 'spans')
await fillSpans({ dataDir: server.dataDir, stored: sent + WARM_UP, wanted: wantedForReads }, (filled) =>
  process.stderr.write(`\rfilled ${number(filled)} of ${number(wantedForReads)}`),
)
process.stderr.write('\n')
const filled = {
  ...(await startServer({ dataDir: server.dataDir, setUp: false, environment })),
  account: server.account,
}
await waitForDays(server.dataDir)
const readsOfMany = await readsOf(filled, '14d')
await filled.stop()
server.remove()

const report = [
  table(
    [
      'spans',
      'accepted + durable /s',
      'stored /s',
      'CPU µs/span',
      'telemetry on disk B/span',
      'bare HTTP + parse /s',
      'bare engine insert /s',
      'stored of bare HTTP / engine',
    ],
    [
      [
        number(sent),
        number(sent / sending),
        number(sent / working),
        number((stages.total() / sent) * 1e6, 1),
        number((disk['telemetry'] ?? 0) / (sent + WARM_UP)),
        number(http),
        number(engine),
        `${number((sent / working / http) * 100)} % / ${number((sent / working / engine) * 100)} %`,
      ],
    ],
  ),
  stages.report(sent, 'span'),
  table([`read, with ${number(sent)} spans`, ...READ_COLUMNS], reads),
  table([`read, with ${number(wantedForReads)} spans`, ...READ_COLUMNS], readsOfMany),
].join('\n\n')
process.stderr.write(`disk ${JSON.stringify(disk)}\n`)
process.stdout.write(`${report}\n`)
if (process.argv[2] === undefined) writeSection('Spans', report)
