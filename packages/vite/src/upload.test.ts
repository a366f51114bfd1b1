import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { inflateRawSync } from 'node:zlib'
import { build, createLogger, type Plugin } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { firsthand, type FirsthandOptions } from './index.ts'

/**
 * What builds send and leave behind, and what they say of a server that does not do as Firsthand does. Builds against the
 * real server, read back from Chromium, are in `e2e/artifacts/plugins.test.ts`.
 */

interface Said {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Ends the connection in the middle of the body. */
  readonly isCut?: boolean
}

let folder: string
let url: string
/** Archives that came. */
let sent: Buffer[]
/** What is said instead of the next answers to this address, the first first. */
let instead: Map<string, Said[]>

const CHUNKS = '/chunk-upload/'
const ASSEMBLE = '/artifactbundle/assemble/'

const answerOf = async (request: IncomingMessage): Promise<Said> => {
  const body = await buffer(request)
  const path = (request.url ?? '').replace(/^\/api\/0\/organizations\/acme/, '')
  const other = instead.get(path)?.shift()
  if (other !== undefined) return other
  if (path === CHUNKS && request.method === 'GET') {
    return { body: { chunkSize: 8_388_608, chunksPerRequest: 64, maxRequestSize: 33_554_432 } }
  }
  if (path === CHUNKS) {
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const form = await new Response(new Uint8Array(body), { headers }).formData()
    for (const file of form.getAll('file')) if (file instanceof Blob) sent.push(Buffer.from(await file.arrayBuffer()))
    return {}
  }
  if (path === ASSEMBLE) {
    const { chunks } = JSON.parse(body.toString()) as { chunks: string[] }
    return sent.length === 0
      ? { body: { state: 'not_found', missingChunks: chunks, detail: null } }
      : { body: { state: 'ok', missingChunks: [], detail: null } }
  }
  return {}
}

const server = createServer((request, response) => {
  void answerOf(request).then(({ body = {}, headers = {}, isCut = false, status = 200 }) => {
    const text = JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length, ...headers })
    if (!isCut) return response.end(text)
    response.write(text.slice(0, 1), () => response.destroy())
    return response
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  sent = []
  instead = new Map()
  folder = mkdtempSync(join(tmpdir(), 'firsthand-vite-'))
  writeFileSync(join(folder, 'main.js'), "throw new RangeError('empty')\n")
  writeFileSync(join(folder, 'worker.js'), "self.onmessage = () => { throw new RangeError('worked') }\n")
  return () => rmSync(folder, { recursive: true, force: true })
})

/** @returns what the build warned of */
const built = async (options: FirsthandOptions = {}, plugins: readonly Plugin[] = []): Promise<string> => {
  const warnings: string[] = []
  const own = firsthand({
    url,
    org: 'acme',
    project: 'shop',
    token: 'secret',
    release: 'shop@1',
    silent: true,
    ...options,
  })
  await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    customLogger: { ...createLogger('silent'), warn: (text) => warnings.push(text) },
    build: { assetsInlineLimit: 0, rolldownOptions: { input: join(folder, 'main.js') } },
    plugins: [own, ...plugins],
  })
  return warnings.join('\n')
}

const outputNames = (): readonly string[] => readdirSync(join(folder, 'dist', 'assets')).toSorted()

const mapsInOutput = (): readonly string[] => outputNames().filter((name) => name.endsWith('.map'))

/** Puts files into the output as plugins do that run a bundler of their own. */
const emitting = (files: Readonly<Record<string, string>>): Plugin => ({
  name: 'emitting',
  generateBundle() {
    for (const [name, source] of Object.entries(files)) {
      this.emitFile({ type: 'asset', fileName: `assets/${name}`, source })
    }
  },
})

interface SentFile {
  readonly type: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What came, by its name without the hash. */
const sentFiles = (): Readonly<Record<string, SentFile>> => {
  const archive = Buffer.concat(sent)
  const texts = new Map<string, string>()
  let at = archive.readUInt32LE(archive.length - 6)
  for (let count = archive.readUInt16LE(archive.length - 12); count > 0; count -= 1) {
    const name = archive.subarray(at + 46, at + 46 + archive.readUInt16LE(at + 28)).toString()
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26)
    texts.set(name, inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20))).toString())
    at += 46 + name.length
  }
  const { files } = JSON.parse(texts.get('manifest.json') ?? '{}') as { files: Record<string, SentFile> }
  return Object.fromEntries(
    Object.entries(files).map(([name, about]) => [
      about.url.replace(/^~\/assets\//, '').replace(/-[^.]+/, ''),
      { ...about, text: texts.get(name) ?? '' },
    ]),
  )
}

const idIn = (code: string | undefined): string | undefined =>
  /_sentryDebugIds.{0,40}?([\da-f-]{36})/.exec(code ?? '')?.[1]

describe('maps of what else is in a build', () => {
  it('those of web workers are sent, by the debug id that the worker says', async () => {
    writeFileSync(
      join(folder, 'main.js'),
      "new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }).postMessage(0)\n",
    )
    expect(await built()).toBe('')
    const files = sentFiles()
    expect(Object.keys(files).toSorted()).toEqual(['main.js', 'main.js.map', 'worker.js', 'worker.js.map'])
    const id = idIn(files['worker.js']?.text)
    expect(id).toBeDefined()
    expect(files['worker.js']?.headers).toMatchObject({ 'debug-id': id })
    expect(files['worker.js.map']?.headers).toMatchObject({ 'debug-id': id })
    expect(id).not.toBe(idIn(files['main.js']?.text))
    expect(files['worker.js']?.text).toContain('SENTRY_RELEASE')
    expect(JSON.parse(files['worker.js.map']?.text ?? '')).toMatchObject({
      sourcesContent: [expect.stringContaining('worked')],
    })
    const worker = outputNames().find((name) => name.startsWith('worker-')) ?? ''
    expect(readFileSync(join(folder, 'dist', 'assets', worker), 'utf8')).toBe(files['worker.js']?.text)
    expect(mapsInOutput()).toEqual([])
  })

  it('those of inlined workers too', async () => {
    writeFileSync(join(folder, 'main.js'), "import Work from './worker.js?worker&inline'\nnew Work().postMessage(0)\n")
    expect(await built()).toBe('')
    const files = sentFiles()
    const id = files['worker.js.map']?.headers['debug-id']
    expect(id).toBe(idIn(files['worker.js']?.text))
    expect(files['main.js']?.text).toContain(id)
    expect(mapsInOutput()).toEqual([])
  })

  it('files of another kind that are called so stay', async () => {
    writeFileSync(join(folder, 'world.map'), 'a world')
    writeFileSync(join(folder, 'main.js'), "import level from './world.map?url'\nconsole.log(level)\n")
    await built({}, [emitting({ 'level.map': 'a level' })])
    expect(mapsInOutput()).toEqual(['level.map', expect.stringMatching(/^world-.+\.map$/)])
    expect(Object.keys(sentFiles()).toSorted()).toEqual(['main.js', 'main.js.map'])
  })

  it('those of style sheets go', async () => {
    await built({}, [emitting({ 'shop.css': 'a{}', 'shop.css.map': '{}' })])
    expect(outputNames()).toContain('shop.css')
    expect(mapsInOutput()).toEqual([])
  })

  it('those of scripts without a debug id are sent for the release; without one they stay, and are named', async () => {
    const other = emitting({ 'other.js': 'throw 1', 'other.js.map': '{"version":3,"sources":[],"mappings":""}' })
    expect(await built({}, [other])).toBe('')
    expect(sentFiles()['other.js']).toMatchObject({ url: '~/assets/other.js', headers: { sourcemap: 'other.js.map' } })
    expect(sentFiles()['other.js']?.headers).not.toHaveProperty('debug-id')
    expect(mapsInOutput()).toEqual([])

    sent = []
    expect(await built({ release: false }, [other])).toContain('not uploaded: assets/other.js.map. They are still in')
    expect(Object.keys(sentFiles()).toSorted()).toEqual(['main.js', 'main.js.map'])
    expect(mapsInOutput()).toEqual(['other.js.map'])
  })
})

describe('a server that is not as it should be', () => {
  it('is asked again when it is busy, or when its answer breaks off', async () => {
    instead.set(CHUNKS, [{ status: 503 }])
    instead.set(ASSEMBLE, [{ isCut: true }])
    expect(await built()).toBe('')
    expect(Object.keys(sentFiles())).toHaveLength(2)
    expect(mapsInOutput()).toEqual([])
  })

  it.each([
    [
      'answers from elsewhere',
      CHUNKS,
      { status: 302, headers: { location: 'https://ann:pw@firsthand.example/login?next=secret' } },
      'answers from another address: https://firsthand.example/login. Set url',
    ],
    ['says how to send in no way', CHUNKS, { body: {} }, 'does not answer as Firsthand does'],
    ['says nothing', CHUNKS, { body: null }, 'does not answer as Firsthand does'],
    ['says no state', ASSEMBLE, { body: {} }, 'does not answer as Firsthand does'],
    [
      'cannot read what came',
      ASSEMBLE,
      { body: { state: 'error', missingChunks: [], detail: 'The archive is broken.' } },
      'Firsthand cannot use what was built: The archive is broken.',
    ],
  ])('fails the build with a sentence when it %s, or warns with it', async (_, path, said, sentence) => {
    instead.set(path, [said])
    const failure = built()
    await expect(failure).rejects.toThrow(sentence)
    await expect(failure).rejects.not.toThrow('secret')
    instead.set(path, [said])
    expect(await built({ onError: 'warn' })).toContain(sentence)
    expect(mapsInOutput()).toHaveLength(1)
  })

  it('warns only, where it is told to, also of maps that cannot be removed', async () => {
    const blocking: Plugin = {
      name: 'blocking',
      writeBundle: { order: 'pre', sequential: true, handler: () => block() },
    }
    const path = (): string => join(folder, 'dist', 'assets', 'shop.css.map')
    const block = (): void => {
      rmSync(path())
      mkdirSync(path())
    }
    const warning = await built({ onError: 'warn' }, [emitting({ 'shop.css': 'a{}', 'shop.css.map': '{}' }), blocking])
    expect(warning).toContain('the source maps were uploaded, but not all could be removed')
    expect(existsSync(path())).toBe(true)
  })
})
