/**
 * What readable stacks cost: the upload of a bundle of source maps with what is made of it, and events with minified frames
 * while their maps are held (releases.md, L17, L66, L67).
 *
 *   npm run bench:symbolication                    five maps of 20 MB, 20,000 events of 50 frames
 *   npm run bench:symbolication -- 2000            so many events
 */
import { gzipSync } from 'node:zlib'
import { createApi } from '../packages/vite/src/api.ts'
import { uploadFiles } from '../packages/vite/src/upload.ts'
import { proportionalBytes, startServer, type RunningServer } from '../tools/harness/server.ts'
import { randomFrom } from './events.ts'
import { quantile, sendAll } from './lib/http-load.ts'
import { CONNECTIONS, createStages, waitForStored } from './lib/many-things.ts'
import { minifiedFile, type MinifiedFile } from './lib/minified-build.ts'
import { envelopePath } from './lib/projects.ts'
import { number, table, writeSection, type Row } from './lib/results.ts'

const wanted = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 20_000)
const MAPS = 5
const MAP_BYTES = 20e6
/** Of the maps, so many are in the stacks of the events: what is held of maps has room for them. */
const MAPS_IN_STACKS = 3
const FRAMES = 50
/** Stacks that recur, as errors do. */
const STACKS = 200
const WARM_UP = 400
const MB = 1e6

const settingsOf = ({ account, port }: RunningServer) => ({
  url: `http://127.0.0.1:${port}`,
  org: account.organization,
  project: account.project,
  token: account.token,
  release: 'bench@1',
  dist: null,
  deleteMaps: false,
  finalize: false,
})

const idOf = (index: number): string => `${String(index).padStart(8, '0')}-0000-4000-8000-000000000001`

/** The most memory beyond what there was, while something goes on. */
const memoryDuring = async (pid: number, work: () => Promise<void>): Promise<{ seconds: number; bytes: number }> => {
  const before = proportionalBytes(pid)
  let peak = before
  const sampler = setInterval(() => (peak = Math.max(peak, proportionalBytes(pid))), 50)
  const started = performance.now()
  await work()
  clearInterval(sampler)
  return { seconds: (performance.now() - started) / 1000, bytes: peak - before }
}

const upload = (server: RunningServer, files: readonly MinifiedFile[]): Promise<void> =>
  uploadFiles(
    createApi(settingsOf(server)),
    settingsOf(server),
    files.map(({ code, map, name }, index) => ({
      url: `~/${name}`,
      debugId: idOf(index),
      code: Buffer.from(code),
      map: Buffer.from(map),
      mapReference: `${name}.map`,
    })),
    () => undefined,
  )

const get = async <Body>({ account, port }: RunningServer, path: string): Promise<Body> => {
  const answer = await fetch(
    `http://127.0.0.1:${port}/api/0/projects/${account.organization}/${account.project}/${path}`,
    {
      headers: { authorization: `Bearer ${account.token}`, connection: 'close' },
    },
  )
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Body
}

const untilReady = async (server: RunningServer): Promise<void> => {
  const [bundle] = await get<{ bundleId: string }[]>(server, 'files/artifact-bundles/')
  for (;;) {
    const { files } = await get<{ files: { isReady: boolean | null; detail: string | null }[] }>(
      server,
      `artifact-bundles/${bundle?.bundleId}/files/`,
    )
    const refused = files.find(({ detail }) => detail !== null)
    if (refused !== undefined) throw new Error(`a map was refused: ${refused.detail}`)
    if (files.every(({ isReady }) => isReady !== false)) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Stacks of the files, as a browser's SDK sends them. */
const stacksOf = (files: readonly MinifiedFile[]): readonly object[] => {
  const random = randomFrom(7)
  const pick = <Value>(from: readonly Value[]): Value => {
    const value = from[Math.floor(random() * from.length)]
    if (value === undefined) throw new Error('nothing to choose from')
    return value
  }
  return Array.from({ length: STACKS }, () => ({
    frames: Array.from({ length: FRAMES }, () => {
      const { name, places } = pick(files)
      const { line, column } = pick(places)
      return { filename: `https://shop.example/${name}`, function: 'e', lineno: line, colno: column, in_app: true }
    }),
  }))
}

const requestsOf = (
  { account }: RunningServer,
  files: readonly MinifiedFile[],
  stacks: readonly object[],
  count: number,
  seed: number,
): readonly Buffer[] =>
  Array.from({ length: count }, (_, index) => {
    const eventId = `${seed.toString(16).padStart(8, '0')}${index.toString(16).padStart(24, '0')}`
    const event = {
      event_id: eventId,
      platform: 'javascript',
      timestamp: Date.now() / 1000,
      release: 'bench@1',
      exception: { values: [{ type: 'RangeError', value: 'nothing is left', stacktrace: stacks[index % STACKS] }] },
      debug_meta: {
        images: files.map(({ name }, file) => ({
          type: 'sourcemap',
          code_file: `https://shop.example/${name}`,
          debug_id: idOf(file),
        })),
      },
    }
    const body = gzipSync(`{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}`)
    const head = `POST ${envelopePath(account)} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`
    return Buffer.concat([Buffer.from(head, 'latin1'), body])
  })

const files: MinifiedFile[] = []
for (let index = 0; index < MAPS; index += 1) files.push(await minifiedFile(index, MAP_BYTES))
const mapBytes = files.reduce((sum, { map }) => sum + map.length, 0)
const codeBytes = files.reduce((sum, { code }) => sum + code.length, 0)

/** All that is measured against one server. */
const measure = async (server: RunningServer) => {
  const pid = server.process.pid ?? 0
  const sent = await memoryDuring(pid, () => upload(server, files))
  const read = await memoryDuring(pid, () => untilReady(server))

  const inStacks = files.slice(0, MAPS_IN_STACKS)
  const stacks = stacksOf(inStacks)
  const unmapped = stacksOf(inStacks.map((file) => ({ ...file, name: `unknown-${file.name}` })))

  /** Events a second until they are stored, and what one costs the thread that digests, in microseconds. */
  const digested = async (which: readonly object[], before: number, seed: number) => {
    const requests = requestsOf(server, inStacks, which, wanted, seed)
    const stages = createStages(pid)
    const started = performance.now()
    let p99 = 0
    await stages.during(async () => {
      const load = await sendAll(server.port, requests, CONNECTIONS)
      if (load.ok !== load.sent) throw new Error(`not accepted: ${JSON.stringify(load.otherStatus)}`)
      p99 = quantile(load.latencies, 0.99)
      await waitForStored(server, 'event', before + wanted)
    })
    const seconds = (performance.now() - started) / 1000
    return { perSecond: wanted / seconds, micros: (stages.of('digest') / wanted) * 1e6, p99 }
  }

  await sendAll(server.port, requestsOf(server, inStacks, stacks, WARM_UP, 1), CONNECTIONS)
  await waitForStored(server, 'event', WARM_UP)
  const mapped = await digested(stacks, WARM_UP, 2)
  // Frames whose files are no file of an upload: the same work but for what maps do.
  const plain = await digested(unmapped, WARM_UP + wanted, 3)
  return { sent, read, mapped, plain }
}

const server = await startServer({ environment: { FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: '0' } })
let measured: Awaited<ReturnType<typeof measure>>
try {
  measured = await measure(server)
} finally {
  await server.stop()
  server.remove()
}
const { sent, read, mapped, plain } = measured

const rows: Row[] = [
  [
    `L17 upload of ${MAPS} maps, ${number(mapBytes / MB)} MB, with ${number(codeBytes / MB)} MB of code: s`,
    number(sent.seconds, 1),
  ],
  ['L17 most memory more until it is stored, MB', number(sent.bytes / MB)],
  ['until its maps are ready for frames: s', number(read.seconds, 1)],
  ['L17 most memory more meanwhile, MB', number(read.bytes / MB)],
  [`L67 events of ${FRAMES} minified frames in ${MAPS_IN_STACKS} maps, stored /s`, number(mapped.perSecond)],
  ['the same without a map for them, stored /s', number(plain.perSecond)],
  ['answer p99, ms', number(mapped.p99, 1)],
  ['CPU of the digest µs/event', number(mapped.micros)],
  ['the same without maps', number(plain.micros)],
  ['L66 CPU µs/frame that maps take', number((mapped.micros - plain.micros) / FRAMES, 1)],
]
const report = table(['what', 'how much'], rows)
process.stdout.write(`${report}\n`)
if (process.argv.includes('--write')) writeSection('Symbolication', report)
