import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { inflateRawSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { build, type Plugin } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { firsthand } from './index.ts'
import { readSettings } from './options.ts'
import { introOf, withDebugId } from './snippet.ts'
import { zipOf, type ZipEntry } from './zip.ts'

const HERE = { url: 'https://firsthand.example', org: 'acme', project: 'shop', token: 'secret', release: 'shop@1' }

let folder: string

/** Knows nobody, as a server of Firsthand says it. */
const stranger = createServer((_, response) => {
  response.writeHead(401, { 'content-type': 'application/json' }).end('{"detail": "Invalid token"}')
})
let here: typeof HERE

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    stranger.listen(0, '127.0.0.1', resolve)
  })
  here = { ...HERE, url: `http://127.0.0.1:${(stranger.address() as AddressInfo).port}` }
})

afterAll(() => {
  stranger.closeAllConnections()
  stranger.close()
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firsthand-vite-'))
  writeFileSync(join(folder, 'cart.js'), 'export const checkout = (total) => {\n  throw new RangeError(total)\n}\n')
  writeFileSync(join(folder, 'main.js'), "import('./cart.js').then(({ checkout }) => checkout(7))\n")
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

describe('settings', () => {
  it('come from options first, then from our variables, then from those of Sentry', () => {
    const environment = {
      SENTRY_URL: 'https://a.example/',
      FIRSTHAND_ORG: 'acme',
      SENTRY_ORG: 'other',
      SENTRY_PROJECT: 'shop',
    }
    expect(readSettings({ token: 'mine', release: 'shop@2' }, { ...environment, SENTRY_AUTH_TOKEN: 'theirs' })).toEqual(
      {
        url: 'https://a.example',
        org: 'acme',
        project: 'shop',
        token: 'mine',
        release: 'shop@2',
        dist: null,
        deleteMaps: true,
        finalize: true,
      },
    )
  })

  it('take the release from the commit that the CI names', () => {
    expect(readSettings(HERE, {})).toMatchObject({ release: 'shop@1' })
    expect(readSettings({ ...HERE, release: undefined }, { GITHUB_SHA: 'abc' })).toMatchObject({ release: 'abc' })
    expect(readSettings({ ...HERE, release: false }, { GITHUB_SHA: 'abc' })).toMatchObject({ release: null })
  })

  it('say what is missing, and by which variables it is given', () => {
    expect(readSettings({ url: 'https://a.example' }, { SENTRY_ORG: ' ' })).toContain(
      'org (or FIRSTHAND_ORG), project (or FIRSTHAND_PROJECT), token (or FIRSTHAND_AUTH_TOKEN) are missing',
    )
    expect(readSettings({ ...HERE, url: 'firsthand.example' }, {})).toContain('url is no address: firsthand.example')
  })

  it('hold and print nothing secret of the address', () => {
    expect(readSettings({ ...HERE, url: 'https://a.example/sub/?key=hidden#part' }, {})).toMatchObject({
      url: 'https://a.example/sub',
    })
    for (const url of ['https://ann:hidden@a.example', 'https://hidden@a.example/', 'ann:hidden@a.example']) {
      const sentence = readSettings({ ...HERE, url }, {})
      expect(sentence).toContain('source maps are not uploaded, as url ')
      expect(sentence).not.toContain('hidden')
    }
  })
})

describe('the code of a chunk', () => {
  it('says which build it is of, at the same place as before', () => {
    const code = `${introOf('shop@1')}\nthrow new Error('x')`
    const made = withDebugId(code)
    expect(made?.code).toHaveLength(code.length)
    expect(made?.debugId).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    const global = {} as { _sentryDebugIds?: Record<string, string>; SENTRY_RELEASE?: unknown }
    runInNewContext(made?.code.split('\n')[0] ?? '', global)
    expect(Object.values(global._sentryDebugIds ?? {})).toEqual([made?.debugId])
    expect(global.SENTRY_RELEASE).toEqual({ id: 'shop@1' })
    expect(withDebugId(`${code};`)?.debugId).not.toBe(made?.debugId)
    expect(withDebugId("throw new Error('x')")).toBeNull()
  })
})

const archiveOf = async (entries: readonly ZipEntry[]): Promise<Buffer> => Buffer.concat((await zipOf(entries)) ?? [])

describe('the archive', () => {
  it('is none where it would hold more files than it can count', async () => {
    const bytes = Buffer.from('')
    expect(await zipOf(Array.from({ length: 65_536 }, (_, index) => ({ name: String(index), bytes })))).toBeNull()
  })

  it('holds the files whole, and is the same for the same files', async () => {
    const bytes = Buffer.from('throw new Error()\n'.repeat(1000))
    const archive = await archiveOf([{ name: 'files/_/_/é.js', bytes }])
    expect(archive).toEqual(await archiveOf([{ name: 'files/_/_/é.js', bytes }]))
    const end = archive.subarray(-22)
    const central = archive.subarray(end.readUInt32LE(16))
    const local = archive.subarray(central.readUInt32LE(42))
    const start = 30 + local.readUInt16LE(26)
    expect(local.subarray(30, start).toString()).toBe('files/_/_/é.js')
    expect(inflateRawSync(local.subarray(start, start + central.readUInt32LE(20)))).toEqual(bytes)
  })
})

/** Files by name. */
const written = (name: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:js|map)$/.test(path))
      .toSorted()
      .map((path) => [path, readFileSync(join(folder, name, path), 'utf8')]),
  )

const builtByRolldown = async (dir: string): Promise<void> => {
  const bundle = await rolldown({
    input: join(folder, 'main.js'),
    logLevel: 'silent',
    plugins: [firsthand({ ...here, onError: 'warn', silent: true })],
  })
  await bundle.write({ dir: join(folder, dir), entryFileNames: '[name]-[hash].js', minify: true })
  await bundle.close()
}

const builtByVite = async (outDir: string, options: object): Promise<unknown> =>
  build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: { outDir, rolldownOptions: { input: join(folder, 'main.js') } },
    plugins: [firsthand({ ...here, silent: true, ...options }) satisfies Plugin],
  })

describe('a build', () => {
  it('L110: gives the same bytes twice, and says in each chunk which build it is of', async () => {
    await builtByRolldown('one')
    await builtByRolldown('two')
    const one = written('one')
    expect(one).toEqual(written('two'))
    const codes = Object.entries(one).flatMap(([name, text]) => (name.endsWith('.js') ? [text] : []))
    expect(codes).toHaveLength(2)
    const ids = codes.map((code) => /_sentryDebugIds.{0,40}?([\da-f-]{36})/.exec(code)?.[1])
    expect(new Set(ids).size).toBe(2)
    expect(ids).not.toContain(undefined)
    expect(codes.filter((code) => code.includes('SENTRY_RELEASE'))).toHaveLength(1)
    expect(codes.join()).not.toContain('sourceMappingURL')
  })

  it('L110: keeps the maps and fails when nothing can be uploaded, with what to do', async () => {
    await expect(builtByVite('dist', {})).rejects.toThrow(`${here.url} does not know the token. Make one for builds`)
    expect(Object.keys(written('dist')).filter((name) => name.endsWith('.map'))).toHaveLength(2)
  })

  it('is as it was where nothing says where to upload; a CI fails', async () => {
    for (const name of ['FIRSTHAND_AUTH_TOKEN', 'SENTRY_AUTH_TOKEN', 'CI']) vi.stubEnv(name, '')
    await builtByVite('dist', { token: undefined })
    vi.stubEnv('CI', 'false')
    await builtByVite('dist', { token: undefined })
    const files = Object.entries(written('dist'))
    expect(files.filter(([name]) => name.endsWith('.map'))).toEqual([])
    expect(files.map(([, text]) => text).join()).not.toContain('_sentryDebugIds')
    vi.stubEnv('CI', 'true')
    await expect(builtByVite('dist', { token: undefined })).rejects.toThrow(
      'token (or FIRSTHAND_AUTH_TOKEN) is missing',
    )
  })
})
