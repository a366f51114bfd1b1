/**
 * What a long replay takes: an hour of 100 MB in 720 segments, sent as fast as it goes. How many segments a second are
 * stored with their index and texts and cut into chunks, and of several replays, of which some are cut while others come; how much memory the server grows by meanwhile, and how soon an
 * error that comes in between can be read; how long what a player loads then takes, at the beginning and anywhere.
 *
 *   npm run bench:replay            720 segments
 *   npm run bench:replay -- 100     fewer, and nothing is written down
 */
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { diskBytes, type RunningServer, startServer } from '../tools/harness/server.ts'
import { randomFrom } from './events.ts'
import { quantile, sendAll } from './lib/http-load.ts'
import { ask, createStages, waitForStored } from './lib/many-things.ts'
import { envelopePath } from './lib/projects.ts'
import { HOUR } from './lib/recorded-hour.ts'
import { replayRequests } from './lib/replay-requests.ts'
import { number, table, writeSection } from './lib/results.ts'

const REPLAY = '1'.repeat(32)
/** Sent and read before anything is measured. */
const WARM = '2'.repeat(32)
const WARM_SEGMENTS = 20
/** Of as many segments together. The next one begins when half of the one before has come. */
const SEVERAL = Array.from({ length: 6 }, (_, index) => `${index}`.padStart(32, '3'))
const CONNECTIONS = 4
const POLL_MS = 200
const ROUNDS = 12
const SEEKS = 100
const wanted = Number(process.argv[2] ?? HOUR.segments)
if (!Number.isInteger(wanted) || wanted < 1) {
  process.stderr.write('Usage: node bench/replay.ts [segments]\n')
  process.exit(2)
}

const residentMB = (pid: number): number => {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1])
  return (pages * 4096) / 1e6
}

/** The most that the server's process takes while something goes on. */
const peakOf = async (pid: number, work: () => Promise<void>): Promise<number> => {
  let peak = residentMB(pid)
  const timer = setInterval(() => (peak = Math.max(peak, residentMB(pid))), 50)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return peak
}

/** Sends one error after the other until it is over. @returns milliseconds until each could be read */
const errorsMeanwhile = async (server: RunningServer, isOver: () => boolean): Promise<number[]> => {
  const { account, port } = server
  const times: number[] = []
  while (!isOver()) {
    const id = times.length.toString(16).padStart(32, 'e')
    const body = `{"event_id":"${id}"}\n{"type":"event"}\n{"event_id":"${id}","message":"meanwhile"}`
    const sent = performance.now()
    await fetch(`http://127.0.0.1:${port}${envelopePath(account)}`, { method: 'POST', body })
    const path = `http://127.0.0.1:${port}/api/0/projects/${account.organization}/${account.project}/events/${id}/`
    const headers = { authorization: `Bearer ${account.token}` }
    for (;;) {
      const answer = await fetch(path, { headers })
      await answer.arrayBuffer()
      if (answer.status === 200) break
      if (performance.now() - sent > 60_000) throw new Error('an error could not be read after 60 s')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    times.push(performance.now() - sent)
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  return times
}

interface Chunks {
  readonly chunks: readonly { readonly number: number; readonly bytes: number }[]
}

const chunksOf = (server: RunningServer, replay: string): Promise<Chunks> =>
  ask<Chunks>(server, `/replays/${replay}/playback/chunks/`)

/** Until all segments of a replay are stored. */
const waitForReplay = async (server: RunningServer, replay: string, segments: number): Promise<void> => {
  for (;;) {
    const path = `/replays/?statsPeriod=1d&project=-1&field=id&field=count_segments&query=id:${replay}`
    const { data } = await ask<{ data: readonly { count_segments: number }[] }>(server, path)
    if ((data[0]?.count_segments ?? 0) >= segments) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Sends several replays, as from several visitors, and has each cut when it has come whole. @returns segments */
const severalAtOnce = async (server: RunningServer): Promise<number> => {
  const segments = Math.max(2, Math.floor(wanted / SEVERAL.length))
  const path = envelopePath(server.account)
  const requests = SEVERAL.flatMap((replay, index) =>
    replayRequests(path, replay, segments, index).requests.map((request, segment) => ({
      request,
      due: (index * segments) / 2 + segment,
    })),
  )
  const ordered = requests.toSorted((one, other) => one.due - other.due).map(({ request }) => request)
  let sent: Promise<unknown> = Promise.resolve()
  await several.during(async () => {
    const started = performance.now()
    sent = sendAll(server.port, ordered, CONNECTIONS)
    for (const replay of SEVERAL) {
      await waitForReplay(server, replay, segments)
      await chunksOf(server, replay)
    }
    severalIn = seconds(started)
  })
  await sent
  return segments * SEVERAL.length
}

/** @returns bytes on the wire */
const load = async ({ account, port }: RunningServer, path: string): Promise<number> => {
  const url = `http://127.0.0.1:${port}/api/0/organizations/${account.organization}/replays/${REPLAY}/${path}`
  const headers = { authorization: `Bearer ${account.token}`, 'accept-encoding': 'gzip' }
  const answer = await fetch(url, { headers })
  const json = await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  return Number(answer.headers.get('content-length') ?? json.byteLength)
}

/** The whole recording, as a program reads it. @returns its bytes */
const download = async ({ account, port }: RunningServer): Promise<number> => {
  const path = `/api/0/projects/${account.organization}/${account.project}/replays/${REPLAY}/recording-segments/?download`
  const headers = { authorization: `Bearer ${account.token}`, 'accept-encoding': 'identity' }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  let bytes = 0
  for await (const piece of answer.body ?? []) bytes += piece.byteLength
  return bytes
}

const seconds = (since: number): number => (performance.now() - since) / 1000

const environment = { FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: '0' }
const server = await startServer({ environment })
const pid = server.process.pid ?? 0
const path = envelopePath(server.account)
await sendAll(server.port, replayRequests(path, WARM, WARM_SEGMENTS).requests, CONNECTIONS)
await waitForStored(server, 'replay_recording', WARM_SEGMENTS)
await chunksOf(server, WARM)

const { raw, requests } = replayRequests(path, REPLAY, wanted)
const sentBytes = requests.reduce((sum, { byteLength }) => sum + byteLength, 0)
const before = residentMB(pid)
const receiving = createStages(pid)
const cutting = createStages(pid)
const several = createStages(pid)
let [receivedIn, cutIn, severalIn] = [0, 0, 0]
let isOver = false
const meanwhile = errorsMeanwhile(server, () => isOver)
const peakReceiving = await peakOf(pid, () =>
  receiving.during(async () => {
    const started = performance.now()
    const { ok } = await sendAll(server.port, requests, CONNECTIONS)
    if (ok !== wanted) throw new Error(`${wanted - ok} segments were refused`)
    await waitForStored(server, 'replay_recording', WARM_SEGMENTS + wanted)
    receivedIn = seconds(started)
  }),
)
const peakCutting = await peakOf(pid, () =>
  cutting.during(async () => {
    const started = performance.now()
    await chunksOf(server, REPLAY)
    cutIn = seconds(started)
  }),
)
isOver = true
const errors = (await meanwhile).toSorted((one, other) => one - other)
const load1 = loadavg()[0] ?? 0
const inSeveral = await severalAtOnce(server)
const load2 = loadavg()[0] ?? 0
await server.stop()

/** Nothing of it is remembered by the server that answers now. */
const again = {
  ...(await startServer({ dataDir: server.dataDir, setUp: false, environment })),
  account: server.account,
}
const first: number[] = []
let firstBytes = 0
let { chunks } = await chunksOf(again, WARM)
for (let round = 0; round < ROUNDS; round++) {
  const started = performance.now()
  const bytes = await Promise.all([load(again, 'playback/'), load(again, 'playback/chunks/')])
  chunks = (await chunksOf(again, REPLAY)).chunks
  firstBytes = bytes[0] + bytes[1] + (await load(again, `playback/chunks/${chunks[0]?.number}/`))
  first.push(performance.now() - started)
}
const random = randomFrom(5)
const seeks: number[] = []
for (let seek = 0; seek < SEEKS; seek++) {
  const chunk = chunks[Math.floor(random() * chunks.length)]
  const started = performance.now()
  await load(again, `playback/chunks/${chunk?.number}/`)
  seeks.push(performance.now() - started)
}
const againPid = again.process.pid ?? 0
const beforeDownload = residentMB(againPid)
let downloaded = 0
const peakDownload = await peakOf(againPid, async () => {
  downloaded = await download(again)
})
first.sort((one, other) => one - other)
seeks.sort((one, other) => one - other)
await again.stop()
const disk = diskBytes(server.dataDir)
server.remove()

const cpu = receiving.total() + cutting.total()
const report = [
  table(
    [
      'segments',
      'recorded MB',
      'sent MB',
      'chunks',
      'R119 of one replay, stored, then cut /s',
      'stored and indexed /s',
      'cut /s',
      'CPU ms/segment, stored',
      'CPU ms/segment, cut',
    ],
    [
      [
        number(wanted),
        number(raw / 1e6, 1),
        number(sentBytes / 1e6, 1),
        number(chunks.length),
        number(wanted / (receivedIn + cutIn)),
        number(wanted / receivedIn),
        number(wanted / cutIn),
        number((receiving.total() / wanted) * 1e3, 1),
        number((cutting.total() / wanted) * 1e3, 1),
      ],
    ],
  ),
  table(
    ['replays, each cut while others come', 'segments', 'R119 of all, stored, indexed and cut /s', 'CPU ms/segment'],
    [
      [
        number(SEVERAL.length),
        number(inSeveral),
        number(inSeveral / severalIn),
        number((several.total() / inSeveral) * 1e3, 1),
      ],
    ],
  ),
  receiving.report(wanted, 'segment stored'),
  cutting.report(wanted, 'segment cut'),
  table(
    ['while it came and was cut', ''],
    [
      ['memory of the server before, MB', number(before)],
      ['R12 most memory while it came, MB more', number(peakReceiving - before)],
      ['most memory while it was cut, MB more', number(peakCutting - before)],
      ['R12 an error that came meanwhile could be read, p50 ms', number(quantile(errors, 0.5))],
      ['the same, p95 ms', number(quantile(errors, 0.95))],
      ['the same, longest of all, ms', number(errors.at(-1) ?? Number.NaN)],
      ['first view before it was cut, s', number(cutIn, 1)],
      [
        `R113 most memory while ${number(downloaded / 1e6)} MB of it were downloaded, MB more`,
        number(peakDownload - beforeDownload),
      ],
      ['blobs on disk, MB', number((disk['blobs'] ?? 0) / 1e6, 1)],
    ],
  ),
  table(
    ['what a player loads, after another start', 'p50 ms', 'p95 ms', 'most ms'],
    [
      [`index, list and first chunk, ${number(firstBytes / 1e3)} kB`, ...timesRow(first)],
      ['a chunk anywhere', ...timesRow(seeks)],
    ],
  ),
  `Load of the machine when the hour had come: ${number(load1, 1)}; when the several replays had: ${number(load2, 1)}. At ${number((cpu / wanted) * 1e3, 1)} ms of processor time for a segment, two processors are busy with ${number((2 * wanted) / cpu)} segments a second.`,
].join('\n\n')

function timesRow(times: readonly number[]): string[] {
  return [quantile(times, 0.5), quantile(times, 0.95), times.at(-1) ?? Number.NaN].map((time) => number(time, 1))
}

process.stdout.write(`${report}\n`)
if (process.argv[2] === undefined) writeSection('Replay', report)
