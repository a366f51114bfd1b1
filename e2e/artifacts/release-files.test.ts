import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as ask, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type EventJson } from '../lib/api.ts'
import { minified, type Minified } from '../lib/minified.ts'
import { installProgram, runProgram } from '../lib/programs.ts'
import { errorEvent, newEventId, sendEvents } from '../lib/send.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'
import { bundleOf, sha1, uploaderOf } from '../lib/uploads.ts'

/** L30: files of a release that are sent one by one, as programs did before there were bundles. */

const ORGANIZATION = 'release-files'
const CODE = 'https://shop.example/static/app.js'

interface FileJson {
  readonly id: string
  readonly name: string
  readonly dist: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly size: number
  readonly sha1: string
}

const SOURCES = {
  'src/till.ts':
    'export class Till {\n  pay(total: number): number {\n    if (total > 0) throw new RangeError("no money " + total)\n    return total\n  }\n}\n',
  'src/main.ts':
    'import { Till } from "./till"\n\n;(globalThis as { run?: unknown }).run = function run() {\n  return new Till().pay(Date.now())\n}\n',
}

let server: SharedServer
let build: Minified

const call = (method: string, path: string, body?: FormData): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.port}/api/0${path}`, {
    method,
    headers: { authorization: `Bearer ${server.account.token}` },
    ...(body !== undefined && { body }),
  })

const filesAt = (release: string): string =>
  `/projects/${ORGANIZATION}/shop/releases/${encodeURIComponent(release)}/files/`

const list = async (release: string, query = ''): Promise<readonly FileJson[]> =>
  (await (await call('GET', `${filesAt(release)}${query}`)).json()) as FileJson[]

const send = (
  release: string,
  name: string,
  content: string,
  more: Readonly<Record<string, readonly string[]>> = {},
): Promise<Response> => {
  const form = new FormData()
  form.append('name', name)
  for (const [part, values] of Object.entries(more)) for (const value of values) form.append(part, value)
  form.append('file', new Blob([content]), 'file')
  return call('POST', filesAt(release), form)
}

const innermost = (event: EventJson) => {
  const entry = event.entries.find(({ type }) => type === 'exception')
  const data = entry?.data as
    | { values: { stacktrace: { frames: { filename: string; function: string | null }[] } }[] }
    | undefined
  return data?.values[0]?.stacktrace.frames.at(-1)
}

const throwIn = async (message: string, release: string): Promise<string> => {
  const event = { event_id: newEventId(), platform: 'javascript', release, frames: [...build.frames] }
  await sendEvents(server.account.dsn, [errorEvent('RangeError', message, event)])
  return (await apiOf(server).issue(message)).id
}

/** Like a server that keeps no bundles: it tells programs that it takes nothing in pieces. */
const withoutBundles = async (): Promise<Server> => {
  const proxy = createServer((incoming, outgoing) => {
    const forwarded = ask(
      { port: server.port, path: incoming.url, method: incoming.method, headers: incoming.headers },
      (answer) => {
        const isOptions = incoming.method === 'GET' && incoming.url?.endsWith('/chunk-upload/') === true
        if (!isOptions) {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(outgoing)
          return
        }
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('end', () => {
          const options = JSON.parse(Buffer.concat(pieces).toString()) as object
          outgoing.writeHead(200, { 'content-type': 'application/json' })
          outgoing.end(JSON.stringify({ ...options, accept: [] }))
        })
      },
    )
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  return proxy
}

beforeAll(async () => {
  server = await joinServer(ORGANIZATION)
  build = await minified(CODE, SOURCES)
})

describe('files of a release', () => {
  it('L30: make frames readable by release and address, the map before its code, also of events from before', async () => {
    const id = await throwIn('before the files', 'one@1')
    expect(innermost(await apiOf(server).latestEvent(id))).toMatchObject({ filename: '/static/app.js' })
    const [code, map] = ['minified_source', 'source_map'].map((type) => build.files.find((file) => file.type === type))
    if (code === undefined || map === undefined) throw new Error('a build has code and a map')
    expect((await send('one@1', map.url, map.content)).status).toBe(201)
    const byMapAlone = await until('the event is read by the map alone', async () => {
      const frame = innermost(await apiOf(server).latestEvent(id))
      return frame?.filename === 'src/till.ts' ? frame : null
    })
    expect(byMapAlone.function).not.toBe('Till.pay')
    expect((await send('one@1', code.url, code.content)).status).toBe(201)
    await until('the event is read by the files', async () => {
      const frame = innermost(await apiOf(server).latestEvent(id))
      return frame?.filename === 'src/till.ts' && frame.function === 'Till.pay' ? true : null
    })
  })

  it('L30: are listed as Sentry does, found by name and sum, saved and deleted', async () => {
    const release = 'two+build@1.0.0+7'
    const answer = await send(release, '~/a.js', 'let a', {
      header: ['Sourcemap: a.js.map', 'X-Kind: tea'],
      dist: ['7'],
    })
    expect([answer.status, await answer.json()]).toEqual([
      201,
      {
        id: expect.any(String),
        name: '~/a.js',
        dist: '7',
        headers: { sourcemap: 'a.js.map', 'x-kind': 'tea' },
        size: 5,
        sha1: sha1(Buffer.from('let a')),
        dateCreated: expect.any(String),
      },
    ])
    await send(release, '~/b.js', 'let b')
    expect((await list(release)).map(({ dist, name }) => [name, dist])).toEqual([
      ['~/a.js', '7'],
      ['~/b.js', null],
    ])
    expect(await list(release, '?query=B.J')).toMatchObject([{ name: '~/b.js' }])
    expect(await list(release, `?checksum=${sha1(Buffer.from('let a'))}`)).toMatchObject([{ name: '~/a.js' }])
    expect(await list('two+build@1.0.0+8')).toEqual([])
    const [first] = await list(release)
    const saved = await call('GET', `${filesAt(release)}${first?.id}/?download=1`)
    expect([await saved.text(), saved.headers.get('content-disposition')]).toEqual([
      'let a',
      'attachment; filename="a.js"',
    ])
    const one = `/organizations/${ORGANIZATION}/releases/${encodeURIComponent(release)}/files/${first?.id}/`
    expect(await (await call('GET', one)).json()).toMatchObject({ name: '~/a.js' })
    expect((await call('DELETE', `${filesAt('another@1')}${first?.id}/`)).status).toBe(404)
    expect((await call('DELETE', one)).status).toBe(204)
    expect(await list(release)).toMatchObject([{ name: '~/b.js' }])
    // The release is there as soon as a file names it.
    expect((await call('GET', `/projects/${ORGANIZATION}/shop/releases/${encodeURIComponent(release)}/`)).status).toBe(
      200,
    )
  })

  it('L30: take the place of those that had their name, and are refused when they are the same', async () => {
    expect((await send('three@1', '~/a.js', 'let a')).status).toBe(201)
    const again = await send('three@1', '~/a.js', 'let a')
    expect([again.status, await again.json()]).toMatchObject([
      409,
      { detail: expect.stringContaining('already exists') },
    ])
    expect((await send('three@1', '~/a.js', 'let ab')).status).toBe(201)
    expect(await list('three@1')).toMatchObject([{ name: '~/a.js', size: 6 }])
  })

  it('L30: of a bundle are among them; without one of them the bundle is uploaded whole again', async () => {
    const { port, account } = server
    const cli = uploaderOf({ port, organization: ORGANIZATION, token: account.token })
    const bundle = bundleOf(build.files)
    const about = { projects: ['shop'], version: 'four@1' }
    expect(await cli.upload(bundle, about)).toMatchObject({ state: 'ok' })
    const before = await list('four@1')
    expect(before).toHaveLength(2)
    expect((await call('DELETE', `${filesAt('four@1')}${before[0]?.id}/`)).status).toBe(204)
    expect(await list('four@1')).toHaveLength(1)
    expect(await cli.upload(bundle, about)).toMatchObject({ state: 'ok' })
    expect(new Set((await list('four@1')).map(({ name }) => name)).size).toBe(2)
  })

  it.each([
    ['without a file', { name: '~/a.js' }, 'has no file'],
    ['with a header that is none', { name: '~/a.js', header: 'tea', file: 'x' }, 'Sourcemap: app.js.map'],
    ['with a name of two lines', { name: '~/a\n.js', file: 'x' }, 'has no name that can be used'],
  ])('L30: are refused with a sentence: %s', async (_, parts, words) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(parts)) form.append(name, name === 'file' ? new Blob([value]) : value)
    const answer = await call('POST', filesAt('five@1'), form)
    expect([answer.status, await answer.json()]).toMatchObject([400, { detail: expect.stringContaining(words) }])
  })

  it('L30: with a name of a release that is none, or larger than what is taken, are refused', async () => {
    const named = await send('latest', '~/a.js', 'let a')
    expect(named.status).toBe(400)
    const large = await send('five@1', '~/a.js', 'x'.repeat(33 * 1024 * 1024))
    expect([large.status, await large.json()]).toMatchObject([
      400,
      { detail: expect.stringContaining('sentry-cli sourcemaps upload') },
    ])
    expect(await list('five@1')).toEqual([])
  })
})

describe('sentry-cli 2 of a server that takes nothing in pieces', () => {
  let folder: string
  let proxy: Server

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'firsthand-files-'))
    proxy = await withoutBundles()
  })
  afterAll(() => {
    proxy.closeAllConnections()
    proxy.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('L30: uploads source maps file by file, and frames are read by them', async () => {
    const program = await installProgram(folder, '@sentry/cli', '2.58.6', 'sentry-cli')
    const out = join(folder, 'static')
    mkdirSync(out)
    for (const { content, url } of build.files) writeFileSync(join(out, url.split('/').at(-1) ?? ''), content)
    const release = 'file-by-file@1'
    const ended = await runProgram(
      program,
      ['sourcemaps', 'upload', '--release', release, '--url-prefix', '~/static', out],
      {
        cwd: folder,
        env: {
          ...process.env,
          SENTRY_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`,
          SENTRY_ORG: ORGANIZATION,
          SENTRY_PROJECT: 'shop',
          SENTRY_AUTH_TOKEN: server.account.token,
        },
      },
    )
    expect(ended.status, ended.stdout + ended.stderr).toBe(0)
    expect(ended.stderr).not.toMatch(/error/i)
    expect((await list(release)).map(({ name }) => name)).toEqual(['~/static/app.js', '~/static/app.js.map'])
    const id = await throwIn('after sentry-cli', release)
    await until('the event is read by the files', async () => {
      const frame = innermost(await apiOf(server).latestEvent(id))
      return frame?.filename === 'src/till.ts' && frame.function === 'Till.pay' ? true : null
    })
  }, 120_000)
})
