/**
 * How many log lines per second are accepted and stored, what they cost and take, and how long the questions of the screen
 * take then; beside a bare HTTP server that parses the same bodies and the bare engine that inserts the same rows.
 *
 *   npm run bench:logs                           a million lines by HTTP, and the questions of the screen
 *   npm run bench:logs -- 100000
 *   npm run bench:logs -- 500000 100000000       half a million, copied to a hundred million of two weeks for the questions
 */
import { fillLogs } from './lib/fill-logs.ts'
import { engineInsertRate } from './lib/floor-engine.ts'
import { quantile, sendAll } from './lib/http-load.ts'
import { LINES_PER_REQUEST, prepareLogRequests } from './lib/log-requests.ts'
import { ask, CONNECTIONS, createStages, httpFloor, timesOf, waitForStored } from './lib/many-things.ts'
import { number, type Row, table, writeSection } from './lib/results.ts'
import { diskBytes, type RunningServer, startServer } from '../tools/harness/server.ts'

/** Sent and stored as one; at its beginning and end the parts of the server wait for each other. */
const PORTION = 200_000
const WARM_UP = 10_000
const wanted = Number(process.argv[2] ?? 1_000_000)
const wantedForReads = Number(process.argv[3] ?? 0)

/** How long the questions of the screen take: what, then the first, the median and the 95th percentile in milliseconds. */
const readsOf = async (server: RunningServer): Promise<Row[]> => {
  const reads: Row[] = []
  for (const [what, path] of [
    ['the newest 200 lines of 14 days', '/logs/?statsPeriod=14d&limit=200'],
    ['200 lines with a word', '/logs/?statsPeriod=14d&limit=200&query=area7'],
    [
      '200 lines of a level and an attribute',
      '/logs/?statsPeriod=14d&limit=200&query=level%3Aerror%20order.id%3A%3C1000',
    ],
    ['volume by level, 1 h', '/logs/volume/?statsPeriod=1h'],
    ['facets, 1 h', '/logs/facets/?statsPeriod=1h'],
  ] as const) {
    const started = performance.now()
    await ask(server, path)
    const first = performance.now() - started
    const times = await timesOf(() => ask(server, path))
    reads.push([what, number(first, 1), number(quantile(times, 0.5), 1), number(quantile(times, 0.95), 1)])
  }
  return reads
}

const environment = { FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: '0' }
const server = await startServer({ environment })
await sendAll(server.port, prepareLogRequests([server.account], WARM_UP, 3), CONNECTIONS)
await waitForStored(server, 'log', WARM_UP)

let sent = 0
let sending = 0
let working = 0
const stages = createStages(server.process.pid ?? 0)
let lastPortion: Buffer[] = []
for (let from = 0; from < wanted; from += PORTION) {
  lastPortion = prepareLogRequests([server.account], Math.min(PORTION, wanted - from), 100 + from)
  await stages.during(async () => {
    const started = performance.now()
    const load = await sendAll(server.port, lastPortion, CONNECTIONS)
    if (load.ok !== load.sent) throw new Error(`not accepted: ${JSON.stringify(load.otherStatus)}`)
    sent += load.ok * LINES_PER_REQUEST
    sending += load.seconds
    await waitForStored(server, 'log', WARM_UP + sent)
    working += (performance.now() - started) / 1000
  })
}

const reads = await readsOf(server)

// The engine keeps the files of merged parts for half a minute; they are not to be counted as disk.
await new Promise((resolve) => setTimeout(resolve, 45_000))
const disk = diskBytes(server.dataDir)
await server.stop()
const http = (await httpFloor(lastPortion)) * LINES_PER_REQUEST
const engine = await engineInsertRate(server.dataDir, Math.min(200_000, sent), 'logs')
/** Beyond what was sent, of lines that were copied. */
const readsOfMany = async (): Promise<Row[]> => {
  await fillLogs({ dataDir: server.dataDir, stored: sent + WARM_UP, wanted: wantedForReads }, (filled) =>
    process.stderr.write(`\rfilled ${number(filled)} of ${number(wantedForReads)}`),
  )
  process.stderr.write('\n')
  const restarted = await startServer({ dataDir: server.dataDir, setUp: false, environment })
  const found = await readsOf({ ...restarted, account: server.account })
  process.stderr.write(`disk of many ${JSON.stringify(diskBytes(server.dataDir))}\n`)
  await restarted.stop()
  return found
}
const many = wantedForReads > sent ? await readsOfMany() : []
server.remove()

const report = [
  table(
    [
      'log lines',
      'accepted + durable /s',
      'stored /s',
      'CPU µs/line',
      'telemetry on disk B/line',
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
  stages.report(sent, 'line'),
  table([`read, with ${number(sent)} lines`, 'first ms', 'p50 ms', 'p95 ms'], reads),
  ...(many.length === 0
    ? []
    : [table([`read, with ${number(wantedForReads)} lines of 14 days`, 'first ms', 'p50 ms', 'p95 ms'], many)]),
].join('\n\n')
process.stderr.write(`disk ${JSON.stringify(disk)}\n`)
process.stdout.write(`${report}\n`)
if (process.argv[2] === undefined) writeSection('Logs', report)
