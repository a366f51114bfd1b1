/**
 * What readable stacks cost: the upload of a bundle of source maps with what is made of it, and events with minified frames
 * while their maps are held (releases.md, L17, L66, L67). The same for events of the JVM by a mapping of R8 (L105).
 *
 *   npm run bench:symbolication                    five maps of 20 MB, 20,000 events of 50 frames of either kind
 *   npm run bench:symbolication -- 2000            so many events
 */
import { loadavg } from 'node:os'
import { gzipSync } from 'node:zlib'
import { createApi } from '../packages/vite/src/api.ts'
import { uploadFiles } from '../packages/vite/src/upload.ts'
import { zipOf } from '../packages/vite/src/zip.ts'
import { proportionalBytes, startServer, type RunningServer } from '../tools/harness/server.ts'
import { randomFrom } from './events.ts'
import { quantile, sendAll } from './lib/http-load.ts'
import { CONNECTIONS, createStages, waitForStored } from './lib/many-things.ts'
import { minifiedFile, type MinifiedFile } from './lib/minified-build.ts'
import { obfuscatedBuild } from './lib/obfuscated-build.ts'
import { envelopePath } from './lib/projects.ts'
import { number, table, writeSection, type Row } from './lib/results.ts'

const wanted = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 20_000)
const MAPS = 5
const MAP_BYTES = 20e6
/** Of the maps, so many are in the stacks of the events: what is held of maps has room for them. */
const MAPS_IN_STACKS = 3
const MAPPING_BYTES = 20e6
/** Places of an app that is called by 125,000 ranges of lines, which its errors go through. */
const MAPPED_PLACES = 2000
const MAPPING_ID = '5b65abfb-2384-4e30-9bb3-8dc8f3bc1f2e'
const OTHER_ID = '6c65abfb-2384-4e30-9bb3-8dc8f3bc1f2e'
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

const random = randomFrom(7)
const pick = <Value>(from: readonly Value[]): Value => {
  const value = from[Math.floor(random() * from.length)]
  if (value === undefined) throw new Error('nothing to choose from')
  return value
}

const stacksWith = (frame: () => object): readonly object[] =>
  Array.from({ length: STACKS }, () => ({ frames: Array.from({ length: FRAMES }, frame) }))

/** Stacks of the files, as a browser's SDK sends them. */
const stacksOf = (files: readonly MinifiedFile[]): readonly object[] =>
  stacksWith(() => {
    const { name, places } = pick(files)
    const { line, column } = pick(places)
    return { filename: `https://shop.example/${name}`, function: 'e', lineno: line, colno: column, in_app: true }
  })

/** Stacks of an app for Android, as its SDK sends them. */
const renamedStacks = (): readonly object[] => {
  const places = Array.from({ length: MAPPED_PLACES }, () => pick(build.places))
  return stacksWith(() => ({ ...pick(places), filename: 'SourceFile', in_app: true }))
}

/** As older programs send a mapping: an archive in one call. */
const uploadMapping = async ({ account, port }: RunningServer): Promise<void> => {
  const form = new FormData()
  const parts = await zipOf([{ name: `proguard/${MAPPING_ID}.txt`, bytes: Buffer.from(build.mapping) }])
  form.set('file', new Blob([Buffer.concat(parts ?? [])]), 'mapping.zip')
  const address = `http://127.0.0.1:${port}/api/0/projects/${account.organization}/${account.project}/files/dsyms/`
  const answer = await fetch(address, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${account.token}`, connection: 'close' },
  })
  if (!answer.ok) throw new Error(`the mapping was not taken: ${answer.status} ${await answer.text()}`)
}

/** What an event has beside its stack. */
const inBrowser = (files: readonly MinifiedFile[]): object => ({
  platform: 'javascript',
  release: 'bench@1',
  debug_meta: {
    images: files.map(({ name }, file) => ({
      type: 'sourcemap',
      code_file: `https://shop.example/${name}`,
      debug_id: idOf(file),
    })),
  },
})
const onAndroid = (uuid: string): object => ({
  platform: 'java',
  release: 'com.acme.shop@1.0+1',
  debug_meta: { images: [{ type: 'proguard', uuid }] },
})

const requestsOf = (
  { account }: RunningServer,
  about: object,
  stacks: readonly object[],
  count: number,
  seed: number,
): readonly Buffer[] =>
  Array.from({ length: count }, (_, index) => {
    const eventId = `${seed.toString(16).padStart(8, '0')}${index.toString(16).padStart(24, '0')}`
    const event = {
      ...about,
      event_id: eventId,
      timestamp: Date.now() / 1000,
      exception: { values: [{ type: 'RangeError', value: 'nothing is left', stacktrace: stacks[index % STACKS] }] },
    }
    const body = gzipSync(`{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}`)
    const head = `POST ${envelopePath(account)} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`
    return Buffer.concat([Buffer.from(head, 'latin1'), body])
  })

const files: MinifiedFile[] = []
for (let index = 0; index < MAPS; index += 1) files.push(await minifiedFile(index, MAP_BYTES))
const mapBytes = files.reduce((sum, { map }) => sum + map.length, 0)
const codeBytes = files.reduce((sum, { code }) => sum + code.length, 0)

const build = obfuscatedBuild(MAPPING_BYTES)

/** All that is measured against one server. */
const measure = async (server: RunningServer) => {
  const pid = server.process.pid ?? 0
  const sent = await memoryDuring(pid, () => upload(server, files))
  const read = await memoryDuring(pid, () => untilReady(server))

  const inStacks = files.slice(0, MAPS_IN_STACKS)
  const stacks = stacksOf(inStacks)
  const unmapped = stacksOf(inStacks.map((file) => ({ ...file, name: `unknown-${file.name}` })))

  /** Events a second until they are stored, and what one costs the thread that digests, in microseconds. */
  const digested = async (about: object, which: readonly object[], before: number, seed: number) => {
    const requests = requestsOf(server, about, which, wanted, seed)
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

  const warmUp = async (about: object, which: readonly object[], before: number, seed: number) => {
    await sendAll(server.port, requestsOf(server, about, which, WARM_UP, seed), CONNECTIONS)
    await waitForStored(server, 'event', before + WARM_UP)
  }

  await warmUp(inBrowser(inStacks), stacks, 0, 1)
  const mapped = await digested(inBrowser(inStacks), stacks, WARM_UP, 2)
  // Frames whose files are no file of an upload: the same work but for what maps do.
  const plain = await digested(inBrowser(inStacks), unmapped, WARM_UP + wanted, 3)

  const mapping = await memoryDuring(pid, () => uploadMapping(server))
  const renamed = renamedStacks()
  const before = WARM_UP + 2 * wanted
  await warmUp(onAndroid(MAPPING_ID), renamed, before, 4)
  const retraced = await digested(onAndroid(MAPPING_ID), renamed, before + WARM_UP, 5)
  const asItCame = await digested(onAndroid(OTHER_ID), renamed, before + WARM_UP + wanted, 6)
  return { sent, read, mapped, plain, mapping, retraced, asItCame }
}

const server = await startServer({ environment: { FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: '0' } })
let measured: Awaited<ReturnType<typeof measure>>
try {
  measured = await measure(server)
} finally {
  await server.stop()
  server.remove()
}
const { asItCame, mapped, mapping, plain, read, retraced, sent } = measured

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
  [
    `upload of a mapping of R8, ${number(build.mapping.length / MB)} MB, until frames are read by it: s`,
    number(mapping.seconds, 1),
  ],
  ['most memory more meanwhile, MB', number(mapping.bytes / MB)],
  [`events of ${FRAMES} frames of ${number(MAPPED_PLACES)} places in it, stored /s`, number(retraced.perSecond)],
  ['the same without a mapping for them, stored /s', number(asItCame.perSecond)],
  ['CPU of the digest µs/event', number(retraced.micros)],
  ['the same without a mapping', number(asItCame.micros)],
  ['CPU µs/frame that the mapping takes', number((retraced.micros - asItCame.micros) / FRAMES, 1)],
  ['load of the machine at the end, with what else runs on it', number(loadavg()[0] ?? 0, 1)],
]
const report = table(['what', 'how much'], rows)
process.stdout.write(`${report}\n`)
if (process.argv.includes('--write')) writeSection('Symbolication', report)
