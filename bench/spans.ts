/**
 * How many spans per second are accepted and stored, what they cost and take, and how long the questions of the screens
 * take then; beside a bare HTTP server that parses the same bodies and the bare engine that inserts the same rows.
 *
 *   npm run bench:spans               a million spans
 *   npm run bench:spans -- 100000
 */
import { engineInsertRate } from './lib/floor-engine.ts'
import { quantile, sendAll } from './lib/http-load.ts'
import { ask, CONNECTIONS, httpFloor, timesOf, waitForStored } from './lib/many-things.ts'
import { number, type Row, table, writeSection } from './lib/results.ts'
import { createProjects } from './lib/projects.ts'
import { prepareSpanRequests, SPANS_PER_TRACE } from './lib/span-requests.ts'
import { cpuSeconds, diskBytes, startServer } from '../tools/harness/server.ts'

const PORTION = 100_000
const PROJECTS = 500
const wanted = Number(process.argv[2] ?? 1_000_000)

interface Transaction {
  readonly transaction: string
}

const server = await startServer({ environment: { FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: '0' } })
const pid = server.process.pid ?? 0
const senders = await createProjects(server, PROJECTS)
const warmUp = prepareSpanRequests(senders, 10_000, 5, 3)
await sendAll(server.port, warmUp, CONNECTIONS)
await waitForStored(server, 'span', 10_000)

let sent = 0
let sending = 0
let working = 0
let cpu = 0
let lastPortion: Buffer[] = []
for (let from = 0; from < wanted; from += PORTION) {
  lastPortion = prepareSpanRequests(senders, Math.min(PORTION, wanted - from), 5, 100 + from)
  const cpuBefore = cpuSeconds(pid)
  const started = performance.now()
  const load = await sendAll(server.port, lastPortion, CONNECTIONS)
  if (load.ok !== load.sent) throw new Error(`not accepted: ${JSON.stringify(load.otherStatus)}`)
  sent += load.ok * 5 * SPANS_PER_TRACE
  sending += load.seconds
  await waitForStored(server, 'span', 10_000 + sent)
  working += (performance.now() - started) / 1000
  cpu += cpuSeconds(pid) - cpuBefore
}

const { transactions } = await ask<{ transactions: Transaction[] }>(server, '/transactions/?statsPeriod=1h')
const name = encodeURIComponent(transactions[0]?.transaction ?? '')
const { slowest } = await ask<{ slowest: { traceId: string }[] }>(
  server,
  `/transactions/summary/?statsPeriod=1h&transaction=${name}`,
)
const reads: Row[] = []
for (const [what, path] of [
  ['transactions by total time, 1 h', '/transactions/?statsPeriod=1h'],
  ['one transaction', `/transactions/summary/?statsPeriod=1h&transaction=${name}`],
  ['a trace by its id', `/traces/${slowest[0]?.traceId}/`],
] as const) {
  const times = await timesOf(() => ask(server, path))
  reads.push([what, number(quantile(times, 0.5), 1), number(quantile(times, 0.95), 1)])
}

// The engine keeps the files of merged parts for half a minute; they are not to be counted as disk.
await new Promise((resolve) => setTimeout(resolve, 45_000))
const disk = diskBytes(server.dataDir)
await server.stop()
const http = (await httpFloor(lastPortion)) * 5 * SPANS_PER_TRACE
const engine = await engineInsertRate(server.dataDir, 200_000, 'spans')
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
        number((cpu / sent) * 1e6, 1),
        number((disk['telemetry'] ?? 0) / (sent + 10_000)),
        number(http),
        number(engine),
        `${number((sent / working / http) * 100)} % / ${number((sent / working / engine) * 100)} %`,
      ],
    ],
  ),
  table(['read, with so many spans', 'p50 ms', 'p95 ms'], reads),
].join('\n\n')
process.stderr.write(`disk ${JSON.stringify(disk)}\n`)
process.stdout.write(`${report}\n`)
if (process.argv[2] === undefined) writeSection('Spans', report)
