import { beforeAll, describe, expect, it } from 'vitest'
import { bundleOf, packed, SYSB, sha1, uploaderOf, type BundledFile } from '../lib/uploads.ts'
import { LIMITS } from '../../apps/server/src/artifacts/limits.ts'
import { zipOf } from '../../apps/server/src/artifacts/bundle/zip.fixture.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'

/** Uploads of source maps, sent as programs send them; what the real programs do is in `sentry-cli.test.ts`. */

const ORGANIZATION = 'artifacts'
const ID = 'a1b2c3d4-e5f6-4789-8abc-def012345678'
const PLAIN_ID = ID.replaceAll('-', '')

const MINIFIED: BundledFile = {
  url: '~/static/app.js',
  type: 'minified_source',
  content: '!function(){throw 1}();\n//# sourceMappingURL=app.js.map\n',
  headers: { 'debug-id': ID, sourcemap: 'app.js.map' },
}
const MAP: BundledFile = {
  url: '~/static/app.js.map',
  type: 'source_map',
  content: JSON.stringify({
    version: 3,
    sources: ['app.ts'],
    names: [],
    mappings: 'AAAA',
    sourcesContent: ['throw 1'],
  }),
  headers: { 'debug-id': ID },
}

interface BundleJson {
  readonly bundleId: string
  readonly associations: readonly { readonly release: string | null; readonly dist: string | null }[]
  readonly fileCount: number
  readonly state: string
  readonly detail: string | null
}
interface FileJson {
  readonly id: string
  readonly filePath: string
  readonly fileType: string
  readonly fileSize: number
  readonly debugId: string | null
  readonly sourcemap: string | null
  /** Of a map: whether frames are looked up in it by now. */
  readonly isReady: boolean | null
}

let server: SharedServer
let cli: ReturnType<typeof uploaderOf>

const call = (method: string, path: string, token = server.account.token): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.port}/api/0${path}`, { method, headers: { authorization: `Bearer ${token}` } })

const get = async <Body>(path: string): Promise<Body> => {
  const answer = await call('GET', path)
  expect(answer.status, path).toBe(200)
  return (await answer.json()) as Body
}

const ofProject = `/projects/${ORGANIZATION}/shop`
const bundles = (query = ''): Promise<BundleJson[]> =>
  get(`${ofProject}/files/artifact-bundles/?query=${encodeURIComponent(query)}`)
const filesOf = async (bundle: BundleJson, query = ''): Promise<readonly FileJson[]> => {
  const path = `${ofProject}/artifact-bundles/${bundle.bundleId}/files/?query=${encodeURIComponent(query)}`
  return (await get<{ files: FileJson[] }>(path)).files
}

beforeAll(async () => {
  server = await joinServer(ORGANIZATION)
  cli = uploaderOf({ port: server.port, organization: ORGANIZATION, token: server.account.token })
})

describe('options of uploads', () => {
  it('L1, L18: name every size, an absolute address, and what is stored', async () => {
    const options = await get<Record<string, unknown>>(`/organizations/${ORGANIZATION}/chunk-upload/`)
    expect(options).toEqual({
      url: `http://127.0.0.1:${server.port}/api/0/organizations/${ORGANIZATION}/chunk-upload/`,
      chunkSize: 8 * 1024 * 1024,
      chunksPerRequest: 64,
      maxFileSize: 2048 * 1024 * 1024,
      maxRequestSize: 32 * 1024 * 1024,
      concurrency: 4,
      hashAlgorithm: 'sha1',
      compression: ['gzip'],
      accept: [
        'release_files',
        'sources',
        'artifact_bundles',
        'artifact_bundles_v2',
        'debug_files',
        'pdbs',
        'portablepdbs',
        'proguard',
      ],
    })
  })

  it('L2: are for whoever has a token of the organisation', async () => {
    const other = await joinServer('artifacts-neighbour')
    for (const method of ['GET', 'POST']) {
      const path = `/organizations/${ORGANIZATION}/chunk-upload/`
      const stranger = await call(method, path, 'no-such-token')
      expect([stranger.status, await stranger.json()]).toMatchObject([401, { detail: expect.any(String) }])
      const neighbour = await call(method, path, other.account.token)
      expect([neighbour.status, await neighbour.json()]).toMatchObject([404, { detail: expect.any(String) }])
    }
  })
})

describe('pieces', () => {
  const piece = Buffer.from('a piece of a bundle')

  it('L9: are the same packed and as they are', async () => {
    expect((await cli.send([packed(piece)])).status).toBe(200)
    expect((await cli.send([{ filename: sha1(piece), bytes: piece }])).status).toBe(200)
    const { body } = await cli.assemble('0'.repeat(40), [sha1(piece)], { projects: ['shop'] })
    expect(body.missingChunks).toEqual([])
  })

  it('L8: are refused when they are not what they are called, and not kept', async () => {
    const wrong = Buffer.from('another piece')
    const answer = await cli.send([{ filename: '1'.repeat(40), bytes: wrong }])
    expect([answer.status, await answer.json()]).toMatchObject([400, { detail: expect.stringContaining(sha1(wrong)) }])
    const { body } = await cli.assemble('1'.repeat(40), ['1'.repeat(40), sha1(wrong)], { projects: ['shop'] })
    expect(body).toEqual({ state: 'not_found', missingChunks: ['1'.repeat(40), sha1(wrong)], detail: null })
  })

  it('L10: are refused with the limit when they are too large, too many, or too much together', async () => {
    const refusal = async (pieces: Parameters<typeof cli.send>[0]): Promise<unknown> => {
      const answer = await cli.send(pieces)
      return [answer.status, ((await answer.json()) as { detail: string }).detail]
    }
    const zeros = (bytes: number) => packed(Buffer.alloc(bytes))
    const whole = 8 * 1024 * 1024
    expect(await refusal([zeros(whole + 1)])).toEqual([400, expect.stringContaining(String(whole))])
    expect(await refusal(Array.from({ length: 65 }, () => zeros(1)))).toEqual([400, expect.stringContaining('64')])
    expect(await refusal(Array.from({ length: 5 }, () => zeros(whole)))).toEqual([
      400,
      expect.stringContaining(String(4 * whole)),
    ])
    expect((await cli.send(Array.from({ length: 4 }, () => zeros(whole)))).status).toBe(200)
  })

  it.each([
    ['no form', 'application/json', '{}', 415],
    ['a form that names no boundary', 'multipart/form-data', '', 400],
    [
      'a form that is cut off',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhal',
      400,
    ],
    [
      'gzip that is none',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file_gzip"; filename="a"\r\n\r\nabc\r\n--x--\r\n',
      400,
    ],
  ])('are refused in words: %s', async (_, type, body, status) => {
    const answer = await fetch(`${cli.base}/chunk-upload/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.account.token}`, 'content-type': type },
      body,
    })
    expect([answer.status, await answer.json()]).toMatchObject([status, { detail: expect.any(String) }])
  })
})

describe('more uploads at once than are read', () => {
  const piece = Buffer.from('a piece whose end comes late')
  const form = [
    `--x\r\nContent-Disposition: form-data; name="file"; filename="${sha1(piece)}"\r\n\r\n`,
    `${piece.toString()}\r\n--x--\r\n`,
  ]

  /** Sends the beginning of an upload, and the rest when it is told to. */
  const hanging = () => {
    let isOver = false
    let finish = (): void => undefined
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        stream.enqueue(Buffer.from(form[0] ?? ''))
        finish = () => {
          if (isOver) return
          stream.enqueue(Buffer.from(form[1] ?? ''))
          stream.close()
        }
      },
      cancel: () => {
        isOver = true
      },
    })
    // Node alone knows `duplex`, and asks for it of a body that comes bit by bit.
    const request = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.account.token}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
      body,
      duplex: 'half' as const,
    }
    const answer = fetch(`${cli.base}/chunk-upload/`, request)
    return { answer, finish: (): void => finish() }
  }

  it('L16: one is refused with 503, which programs try again, the others are taken, and so is it when it comes again', async () => {
    const most = LIMITS.UPLOADS_READ_PER_ORGANIZATION + LIMITS.UPLOADS_WAITING
    const uploads = Array.from({ length: most + 1 }, hanging)
    const refused = await Promise.race(uploads.map(({ answer }) => answer))
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, expect.toSatisfy((s) => s > 0)])
    for (const { finish } of uploads) finish()
    const statuses = await Promise.all(uploads.map(async ({ answer }) => (await answer).status))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: most }, () => 200), 503])
    expect((await cli.send([{ filename: sha1(piece), bytes: piece }])).status).toBe(200)
  })
})

describe('a bundle', () => {
  it('L6, L7, L29: is uploaded once, and lists its files with type, size and debug id', async () => {
    const bundle = bundleOf([MINIFIED, MAP], { manifest: { org: ORGANIZATION } })
    const asked = { projects: ['shop'], version: 'shop@1.0.0', dist: 'web' }
    expect(await cli.upload(bundle, asked, 100)).toEqual({
      state: 'ok',
      missingChunks: [],
      detail: null,
      sent: Math.ceil(bundle.byteLength / 100),
    })
    expect(await cli.upload(bundle, asked, 100)).toEqual({ state: 'ok', missingChunks: [], detail: null, sent: 0 })

    const [listed, ...others] = await bundles('shop@1.0.0')
    expect([listed?.associations, listed?.fileCount, listed?.state, others]).toEqual([
      [{ release: 'shop@1.0.0', dist: 'web' }],
      2,
      'ok',
      [],
    ])
    if (listed === undefined) throw new Error('no bundle')
    const files = await filesOf(listed)
    expect(files).toEqual([
      {
        id: expect.any(String),
        filePath: '~/static/app.js',
        fileType: 'minified_source',
        fileSize: MINIFIED.content.length,
        debugId: PLAIN_ID,
        sourcemap: 'app.js.map',
        isReady: null,
        detail: null,
      },
      {
        id: expect.any(String),
        filePath: '~/static/app.js.map',
        fileType: 'source_map',
        fileSize: MAP.content.length,
        debugId: PLAIN_ID,
        sourcemap: null,
        isReady: expect.any(Boolean),
        detail: null,
      },
    ])
    const path = `${ofProject}/artifact-bundles/${listed.bundleId}/files/${files[1]?.id}/`
    const saved = await call('GET', path)
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename="app.js.map"')
    expect(await saved.text()).toBe(MAP.content)
    expect((await call('GET', path, 'no-such-token')).status).toBe(401)
  })

  it('is known as a release before any event names it', async () => {
    await cli.upload(bundleOf([MINIFIED], { manifest: { of: 'release' } }), { projects: ['shop'], version: 'early@1' })
    const release = await get<{ version: string; projects: { slug: string }[] }>(
      `/organizations/${ORGANIZATION}/releases/early%401/`,
    )
    expect(release).toMatchObject({ version: 'early@1', projects: [{ slug: 'shop' }] })
  })

  it('L13: is an error, and none of its files is there, when its pieces are something else', async () => {
    const bundle = bundleOf([MINIFIED], { manifest: { of: 'another checksum' } })
    await cli.send([packed(bundle)])
    const { status, body } = await cli.assemble('2'.repeat(40), [sha1(bundle)], { projects: ['shop'], version: 'no@1' })
    expect([status, body]).toEqual([
      200,
      { state: 'error', missingChunks: [], detail: expect.stringContaining('are not what its checksum says') },
    ])
    const [listed] = await bundles('no@1')
    expect([listed?.state, listed?.fileCount]).toEqual(['error', 0])
  })

  it.each([
    ['a truncated archive', bundleOf([MINIFIED], { manifest: { of: 'truncated' } }).subarray(0, 200)],
    ['random bytes', Buffer.from('Zufall ist kein Archiv. '.repeat(20))],
    ['an archive without a list', zipOf([{ name: 'files/_/_/app.js', content: 'x' }])],
    ['a list that is no JSON', zipOf([{ name: 'manifest.json', content: 'no' }])],
    [
      'a list with a file that is not there',
      zipOf([{ name: 'manifest.json', content: '{"files":{"a.js":{"type":"source"}}}' }]),
    ],
  ])('L14: is an error with its reason: %s', async (_, bytes) => {
    expect(await cli.upload(bytes, { projects: ['shop'] })).toMatchObject({
      state: 'error',
      missingChunks: [],
      detail: expect.stringMatching(/\w{4}.*\./),
    })
  })

  it('L15: is for projects by slug and by number, all of them or none', async () => {
    const bundle = bundleOf([MINIFIED], { manifest: { of: 'projects' } })
    const { id } = await get<{ id: string }>(`${ofProject}/`)
    const wrong = await cli.assemble(sha1(bundle), [sha1(bundle)], { projects: ['shop', 'no-such'], version: 'some@1' })
    expect(wrong).toMatchObject({ status: 400, body: { detail: expect.stringContaining('invalid') } })
    expect(await cli.upload(bundle, { projects: ['shop', Number(id)], version: 'some@1' })).toMatchObject({
      state: 'ok',
    })
    expect(await bundles('some@1')).toHaveLength(1)
  })

  it('L19, L20: is the same with and without what sentry-cli puts in front, its folder, and its list last', async () => {
    const shapes = [
      { prefix: SYSB, folder: 'files/_/_/', manifestFirst: false },
      { prefix: '', folder: '', manifestFirst: true },
      { prefix: '', folder: '_/_/', manifestFirst: false },
    ]
    const indexes: unknown[] = []
    for (const [index, shape] of shapes.entries()) {
      const version = `shape@${index}`
      expect(await cli.upload(bundleOf([MINIFIED, MAP], shape), { projects: ['shop'], version })).toMatchObject({
        state: 'ok',
      })
      const [listed] = await bundles(version)
      if (listed === undefined) throw new Error(`no bundle of ${version}`)
      // When it is ready is another matter.
      indexes.push((await filesOf(listed)).map((file) => ({ ...file, id: '', isReady: null })))
    }
    expect(indexes[0]).toHaveLength(2)
    expect(indexes.slice(1)).toEqual([indexes[0], indexes[0]])
  })

  it('L21: with the same id of its own for another release is another bundle', async () => {
    const bundle = bundleOf([MINIFIED, MAP], { manifest: { debug_id: ID, of: 'two releases' } })
    for (const version of ['twice@1', 'twice@2']) await cli.upload(bundle, { projects: ['shop'], version })
    const releases = (await bundles('twice@')).map(({ associations }) => associations[0]?.release)
    expect(new Set(releases)).toEqual(new Set(['twice@1', 'twice@2']))
    expect(releases).toHaveLength(2)
  })

  it('L22, L23: is found by the debug id of a header, of a comment, and of a map in both spellings', async () => {
    const id = (digit: string): string => `${digit.repeat(8)}-AAAA-4BBB-8CCC-DDDDDDDDDDDD`
    const files: BundledFile[] = [
      { url: '~/h.js', type: 'minified_source', content: 'h', headers: { 'Debug-Id': id('1') } },
      { url: '~/c.js', type: 'minified_source', content: `c\n//# debugId=${id('2')}\n` },
      { url: '~/u.map', type: 'source_map', content: JSON.stringify({ version: 3, debug_id: id('3'), mappings: '' }) },
      { url: '~/v.map', type: 'source_map', content: JSON.stringify({ version: 3, mappings: '', debugId: id('4') }) },
    ]
    await cli.upload(bundleOf(files), { projects: ['shop'], version: 'ids@1' })
    const [listed] = await bundles('ids@1')
    if (listed === undefined) throw new Error('no bundle')
    const found = (await filesOf(listed)).map(({ filePath, debugId }) => [filePath, debugId?.slice(0, 8)])
    expect(Object.fromEntries(found)).toEqual({
      '~/h.js': '11111111',
      '~/c.js': '22222222',
      '~/u.map': '33333333',
      '~/v.map': '44444444',
    })
    for (const spelling of [id('2'), id('2').toLowerCase(), id('2').replaceAll('-', '')]) {
      expect((await bundles(spelling)).map(({ bundleId }) => bundleId)).toEqual([listed.bundleId])
      expect((await filesOf(listed, spelling)).map(({ filePath }) => filePath)).toEqual(['~/c.js'])
    }
  })

  it('L25, L26: keeps kinds that nobody knows, and names that are something elsewhere', async () => {
    const files: BundledFile[] = [
      { url: '~/a.hbc', type: 'bytecode_of_tomorrow', content: 'x' },
      {
        url: '__proto__',
        type: 'source',
        content: 'p',
        headers: JSON.parse('{"__proto__": "1", "constructor": "2"}') as Record<string, string>,
      },
    ]
    expect(await cli.upload(bundleOf(files, { folder: '' }), { projects: ['shop'], version: 'odd@1' })).toMatchObject({
      state: 'ok',
    })
    const [listed] = await bundles('odd@1')
    if (listed === undefined) throw new Error('no bundle')
    expect((await filesOf(listed)).map(({ filePath, fileType }) => [filePath, fileType])).toEqual([
      ['__proto__', 'source'],
      ['~/a.hbc', 'bytecode_of_tomorrow'],
    ])
  })

  it('L12: uploaded twice at once is one bundle', async () => {
    const bundle = bundleOf([MINIFIED, MAP], { manifest: { of: 'a race' } })
    const asked = { projects: ['shop'], version: 'race@1' }
    const ends = await Promise.all([cli.upload(bundle, asked, 64), cli.upload(bundle, asked, 64)])
    expect(ends.map(({ state }) => state)).toEqual(['ok', 'ok'])
    expect(await bundles('race@1')).toHaveLength(1)
  })

  it('is deleted by itself, or with all files of its release', async () => {
    for (const version of ['old@1', 'old@2']) {
      const files = [{ ...MINIFIED, content: `of ${version}` }]
      await cli.upload(bundleOf(files), { projects: ['shop'], version })
    }
    const [bundle] = await bundles('old@1')
    const remove = (path: string): Promise<number> =>
      call('DELETE', `${ofProject}/files/${path}`).then((one) => one.status)
    expect(await remove(`artifact-bundles/?bundleId=${bundle?.bundleId}`)).toBe(204)
    expect(await remove(`artifact-bundles/?bundleId=${bundle?.bundleId}`)).toBe(404)
    const releases = await get<{ name: string; fileCount: number }[]>(`${ofProject}/files/source-maps/?query=old@`)
    expect(releases.map(({ name, fileCount }) => [name, fileCount])).toEqual([['old@2', 1]])
    expect(await remove('source-maps/?name=old%402')).toBe(204)
    expect(await bundles('old@')).toEqual([])
  })
})
