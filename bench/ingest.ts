/**
 * How many error events per second are accepted (answered 200, which means: on disk) and searchable (stored in
 * telemetry, visible through the API), what memory and disk they take, and what this machine allows at all: a bare
 * HTTP server that inflates and parses the same bodies, and the bare engine that inserts the same rows.
 *
 *   npm run bench:ingest              both sizes
 *   npm run bench:ingest -- 4000      one of them
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createEventFactory } from './events.ts'
import { engineInsertRate } from './lib/floor-engine.ts'
import { quantile, sendAll } from './lib/http-load.ts'
import { prepareRequests } from './lib/requests.ts'
import { number, type Row, table, writeSection } from './lib/results.ts'
import { waitForStored } from './lib/stored.ts'
import { cpuSeconds, diskBytes, proportionalBytes, residentBytes, startServer } from '../tools/harness/server.ts'

const CONNECTIONS = 32
const SIZES = [
  { bytes: 4000, count: 60_000, warmUp: 4000 },
  { bytes: 59_000, count: 8000, warmUp: 800 },
]

const httpFloor = async (requests: readonly Buffer[]): Promise<number> => {
  const child = fork(join(import.meta.dirname, 'lib', 'floor-http.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [address] = (await once(child, 'message')) as [{ port: number }]
  const result = await sendAll(address.port, requests, CONNECTIONS)
  child.disconnect()
  return result.ok / result.seconds
}

const mebibytes = (bytes: number): string => number(bytes / 2 ** 20)

const only = process.argv.slice(2).map(Number)
const rows: Row[] = []
for (const { bytes, count, warmUp } of SIZES.filter((size) => only.length === 0 || only.includes(size.bytes))) {
  // No limit per day: it depends on the disk, and this load may be more.
  const server = await startServer({ environment: { FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: '0' } })
  const pid = server.process.pid ?? 0
  // The threads that read and write the ledger at the start have ended by then.
  await new Promise((resolve) => setTimeout(resolve, 30_000))
  const idle = { resident: residentBytes(pid), proportional: proportionalBytes(pid) }
  const factory = createEventFactory(bytes)
  await sendAll(server.port, prepareRequests(factory, server.account, warmUp), CONNECTIONS)
  await waitForStored(server, warmUp)

  const requests = prepareRequests(factory, server.account, count, warmUp)
  const peak = { resident: 0, proportional: 0 }
  const sampler = setInterval(() => {
    peak.resident = Math.max(peak.resident, residentBytes(pid))
    peak.proportional = Math.max(peak.proportional, proportionalBytes(pid))
  }, 250)
  const cpuBefore = cpuSeconds(pid)
  const started = performance.now()
  const load = await sendAll(server.port, requests, CONNECTIONS)
  await waitForStored(server, warmUp + load.ok)
  const seconds = (performance.now() - started) / 1000
  const cpu = cpuSeconds(pid) - cpuBefore
  clearInterval(sampler)
  // The engine keeps the files of merged parts for half a minute; they are not to be counted as disk.
  await new Promise((resolve) => setTimeout(resolve, 45_000))
  const disk = diskBytes(server.dataDir)
  const diskSum = Object.values(disk).reduce((sum, part) => sum + part, 0)
  await server.stop()

  const http = await httpFloor(requests)
  const engine = await engineInsertRate(server.dataDir, Math.min(count, 20_000))
  server.remove()

  const accepted = load.ok / load.seconds
  const searchable = load.ok / seconds
  if (load.ok !== load.sent) process.stderr.write(`not accepted: ${JSON.stringify(load.otherStatus)}\n`)
  rows.push([
    `${number(bytes)} B`,
    number(accepted),
    number(searchable),
    `${number(quantile(load.latencies, 0.5), 1)} / ${number(quantile(load.latencies, 0.99), 1)}`,
    number((cpu / load.ok) * 1e6),
    `${mebibytes(idle.proportional)} / ${mebibytes(peak.proportional)}`,
    `${mebibytes(idle.resident)} / ${mebibytes(peak.resident)}`,
    number(diskSum / (load.ok + warmUp)),
    number(http),
    number(engine),
    `${number((searchable / http) * 100)} % / ${number((searchable / engine) * 100)} %`,
  ])
  process.stderr.write(
    `${bytes} B: accepted ${number(accepted)}/s, searchable ${number(searchable)}/s, disk ${JSON.stringify(disk)}\n`,
  )
}

const report = table(
  [
    'event',
    'accepted + durable /s',
    'searchable /s',
    'answer p50 / p99 ms',
    'CPU µs/event',
    'memory idle / peak MiB',
    'same, shared pages counted twice',
    'disk B/event',
    'bare HTTP + parse /s',
    'bare engine insert /s',
    'searchable of bare HTTP / engine',
  ],
  rows,
)
process.stdout.write(`${report}\n`)
if (only.length === 0) writeSection('Ingest', report)
