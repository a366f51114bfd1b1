import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  breakpadOf,
  elfOf,
  machOOf,
  pdbOf,
  peOf,
} from '../../apps/server/src/artifacts/debug-files/identify/debug-files.fixture.ts'
import { zipOf } from '../../apps/server/src/artifacts/bundle/zip.fixture.ts'
import { apiOf, type EventJson } from '../lib/api.ts'
import { installProgram, runProgram, type Ended } from '../lib/programs.ts'
import { newEventId, sendEvents } from '../lib/send.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

/** The real sentry-cli uploads debug files, and frames are read by them. */

const ORGANIZATION = 'artifacts-debug'
const VERSIONS = ['2.58.6', '3.8.0'] as const

let server: SharedServer
let api: ReturnType<typeof apiOf>
let folder: string

const programs = new Map<string, string>()

const cli = (version: string, args: readonly string[]): Promise<Ended> =>
  runProgram(programs.get(version) ?? '', args, {
    cwd: folder,
    env: {
      ...process.env,
      SENTRY_URL: `http://127.0.0.1:${server.port}/`,
      SENTRY_ORG: ORGANIZATION,
      SENTRY_PROJECT: 'shop',
      SENTRY_AUTH_TOKEN: server.account.token,
    },
  })

interface DebugFile {
  readonly id: string
  readonly debugId: string | null
  readonly codeId: string | null
  readonly objectName: string
  readonly cpuName: string
  readonly symbolType: string
  readonly size: number
}

const path = `/projects/${ORGANIZATION}/shop/files/dsyms/`
const list = (query: string): Promise<DebugFile[]> => api.get(`${path}?query=${encodeURIComponent(query)}`)
const call = (method: string, query: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.port}/api/0${path}${query}`, {
    method,
    ...init,
    headers: { authorization: `Bearer ${server.account.token}` },
  })

const expectDone = ({ status, stdout, stderr }: Ended): void => {
  expect(status, `${stdout}\n${stderr}`).toBe(0)
  expect(stderr).not.toMatch(/error/i)
}

beforeAll(async () => {
  server = await joinServer(ORGANIZATION)
  api = apiOf(server)
  folder = mkdtempSync(join(tmpdir(), 'firsthand-debug-files-'))
  for (const version of VERSIONS) {
    programs.set(version, await installProgram(folder, '@sentry/cli', version, 'sentry-cli'))
  }
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** As R8 writes it: `checkout` calls `pay`, which was inlined. */
const mappingOf = (name: string): string => `# compiler: R8
com.acme.${name}.Basket -> a.a:
# {"id":"sourceFile","fileName":"Basket.kt"}
    1:1:void com.acme.${name}.Till.pay(int):40:40 -> a
    1:1:void checkout(int):21:21 -> a
com.acme.${name}.EmptyBasket -> a.c:
`

const writeMapping = (name: string): { readonly uuid: string; readonly file: string } => {
  const file = join(folder, `mapping-${name}.txt`)
  writeFileSync(file, mappingOf(name))
  return { uuid: randomUUID(), file }
}

/** As the SDK of Android sends it. */
const throwObfuscated = async (uuid: string, message: string): Promise<void> => {
  const frames = [
    { module: 'android.os.Handler', function: 'dispatchMessage', filename: 'Handler.java', lineno: 102 },
    { module: 'a.a', function: 'a', filename: 'SourceFile', lineno: 1 },
  ]
  await sendEvents(server.account.dsn, [
    {
      event_id: newEventId(),
      platform: 'java',
      sdk: { name: 'sentry.java.android', version: '8.0.0' },
      debug_meta: { images: [{ type: 'proguard', uuid }] },
      exception: { values: [{ type: 'c', module: 'a', value: message, stacktrace: { frames } }] },
    },
  ])
}

interface ExceptionJson {
  readonly type: string
  readonly module: string
  readonly stacktrace: {
    readonly frames: readonly { module: string; function: string; filename: string; lineNo: number | null }[]
  }
  readonly rawStacktrace: ExceptionJson['stacktrace'] | null
}

const exceptionOf = (event: EventJson): ExceptionJson => {
  const entry = event.entries.find(({ type }) => type === 'exception')
  const data = entry?.data as unknown as { readonly values: readonly ExceptionJson[] } | undefined
  const exception = data?.values[0]
  if (exception === undefined) throw new Error('the event has no exception')
  return exception
}

const placesOf = (stack: ExceptionJson['stacktrace'] | null): readonly string[] =>
  (stack?.frames ?? []).map((frame) => `${frame.module}.${frame.function}(${frame.filename}:${frame.lineNo})`)

const WRITTEN = (name: string) => [
  'android.os.Handler.dispatchMessage(Handler.java:102)',
  `com.acme.${name}.Basket.checkout(Basket.kt:21)`,
  `com.acme.${name}.Till.pay(Till.java:40)`,
]

describe.each(VERSIONS)('ProGuard mappings by sentry-cli %s', (version) => {
  const name = `v${version[0]}`

  it('L105: are one mapping however often they are uploaded; what is thrown then reads as it was written', async () => {
    const { file, uuid } = writeMapping(name)
    expectDone(await cli(version, ['upload-proguard', '--uuid', uuid, file]))
    expectDone(await cli(version, ['upload-proguard', '--uuid', uuid, file]))
    const found = await list(uuid)
    expect(found).toMatchObject([{ debugId: uuid, symbolType: 'proguard', size: mappingOf(name).length }])

    const content = await call('GET', `?id=${found[0]?.id}`)
    expect(content.headers.get('content-disposition')).toContain('attachment')
    expect(await content.text()).toBe(mappingOf(name))

    await throwObfuscated(uuid, `thrown in ${name}`)
    const issue = await api.issue(`thrown in ${name}`)
    expect(issue.title).toBe(`EmptyBasket: thrown in ${name}`)
    const exception = exceptionOf(await api.latestEvent(issue.id))
    expect(exception).toMatchObject({ type: 'EmptyBasket', module: `com.acme.${name}` })
    expect(placesOf(exception.stacktrace)).toEqual(WRITTEN(name))
    expect(placesOf(exception.rawStacktrace)[1]).toBe('a.a.a(SourceFile:1)')
  })

  it('L60, L105: that come after the event are used for it, and its issue is called by them', async () => {
    const late = `late${name}`
    const { file, uuid } = writeMapping(late)
    await throwObfuscated(uuid, `before ${late}`)
    const { id, title } = await api.issue(`before ${late}`)
    expect(title).toBe(`c: before ${late}`)
    const before = await api.latestEvent(id)
    expect(placesOf(exceptionOf(before).stacktrace)[1]).toBe('a.a.a(SourceFile:1)')

    expectDone(await cli(version, ['upload-proguard', '--uuid', uuid, file]))
    await until('the issue is called as it was written', async () =>
      (await api.issue(`before ${late}`)).title.startsWith('EmptyBasket') ? true : null,
    )
    const event = await api.latestEvent(id)
    expect(placesOf(exceptionOf(event).stacktrace)).toEqual(WRITTEN(late))
    expect(event.title).toBe(`EmptyBasket: before ${late}`)

    // Once it is deleted the event is as it came.
    const [mapping] = await list(uuid)
    expect((await call('DELETE', `?id=${mapping?.id}`)).status).toBe(204)
    expect(await list(uuid)).toEqual([])
    expect(placesOf(exceptionOf(await api.latestEvent(id)).stacktrace)[1]).toBe('a.a.a(SourceFile:1)')
  })
})

/** Another id for each version, so that neither finds the other's files. */
const writeDebugFiles = (version: string) => {
  const place = join(folder, `native-${version}`)
  mkdirSync(place)
  const own = (kind: string): string => `${version[0]}0${kind}`.padEnd(32, '1')
  const plain = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  /** Where its first fields are numbers of the machine. */
  const swapped = (id: string): string =>
    plain(
      Buffer.concat(
        [
          [0, 4],
          [4, 6],
          [6, 8],
        ].map(([from, to]) => Buffer.from(id, 'hex').subarray(from, to).reverse()),
      ).toString('hex') + id.slice(16),
    )
  const files = [
    { name: 'shop.so', content: elfOf(own('e1')), symbolType: 'elf', cpuName: 'x86_64', debugId: swapped(own('e1')) },
    {
      name: 'shop.dSYM',
      content: machOOf(own('a1')),
      symbolType: 'macho',
      cpuName: 'arm64',
      debugId: plain(own('a1')),
    },
    {
      name: 'shop.exe',
      content: peOf(own('b1'), 3),
      symbolType: 'pe',
      cpuName: 'x86_64',
      debugId: `${swapped(own('b1'))}-3`,
    },
    {
      name: 'shop.pdb',
      content: pdbOf(own('c1'), { age: 2 }),
      symbolType: 'pdb',
      cpuName: 'x86_64',
      debugId: `${swapped(own('c1'))}-2`,
    },
    {
      name: 'shop.sym',
      content: breakpadOf(`${own('d1')}0`),
      symbolType: 'breakpad',
      cpuName: 'x86_64',
      debugId: plain(own('d1')),
    },
  ]
  for (const { content, name } of files) writeFileSync(join(place, name), content)
  return { place, files }
}

describe.each(VERSIONS)('debug files by sentry-cli %s', (version) => {
  it('L104: are listed with their ids, kinds and architectures, and need not be sent a second time', async () => {
    const { files, place } = writeDebugFiles(version)
    const sent = await cli(version, ['debug-files', 'upload', '--wait', place])
    expectDone(sent)
    expect(sent.stdout + sent.stderr).toContain('Uploaded 5 missing')
    for (const { content, debugId, name, ...of } of files) {
      const found = await list(debugId)
      expect(found, name).toMatchObject([{ ...of, debugId, size: content.byteLength }])
      const saved = await call('GET', `?id=${found[0]?.id}`)
      expect(Buffer.from(await saved.arrayBuffer()).equals(content), name).toBe(true)
    }
    const again = await cli(version, ['debug-files', 'upload', place])
    expectDone(again)
    expect(again.stdout + again.stderr).toContain('Nothing to upload')
  })
})

describe('frames of native code', () => {
  it('L107: are addresses that say which debug id is missing, and that its file is here once it is', async () => {
    const debugId = randomUUID()
    await sendEvents(server.account.dsn, [
      {
        event_id: newEventId(),
        platform: 'native',
        debug_meta: {
          images: [
            { type: 'elf', debug_id: debugId, code_file: '/usr/bin/shop', image_addr: '0x400000', image_size: 4096 },
          ],
        },
        exception: {
          values: [
            { type: 'SIGSEGV', value: 'in the shop', stacktrace: { frames: [{ instruction_addr: '0x400123' }] } },
          ],
        },
      },
    ])
    const { id } = await api.issue('in the shop')
    const native = async () => {
      const { errors } = (await api.latestEvent(id)) as unknown as {
        errors: { type: string; data: { name: string; reason: string } }[]
      }
      return errors.filter(({ type }) => type.startsWith('native')).map(({ data, type }) => ({ type, ...data }))
    }
    expect(await native()).toMatchObject([
      { type: 'native_missing_dsym', name: 'shop', reason: expect.stringContaining(`Missing: debug id ${debugId}`) },
    ])
    const file = join(folder, 'shop.sym')
    writeFileSync(file, breakpadOf(`${debugId.replaceAll('-', '')}0`))
    expectDone(await cli('3.8.0', ['debug-files', 'upload', '--wait', file]))
    expect(await native()).toMatchObject([
      { type: 'native_not_resolved', reason: expect.stringContaining(`${debugId} is uploaded`) },
    ])
  })
})

describe('archives of debug files', () => {
  it.each([
    ['no archive', Buffer.from('hello'), 'no ZIP archive'],
    ['one that leads out of its folder', zipOf([{ name: '../../proguard/x.txt', content: 'a' }]), 'zip-slip'],
    [
      'one with too many files',
      zipOf(Array.from({ length: 101 }, (_, index) => ({ name: `f${index}`, content: '' }))),
      '100 are taken',
    ],
    [
      'one that unpacks to a thousand times its size',
      zipOf([{ name: 'bomb', content: 'x'.repeat(64 * 1024 * 1024) }]),
      'ZIP bomb',
    ],
    [
      'one with a mapping that names no class',
      zipOf([{ name: `proguard/${randomUUID()}.txt`, content: '# nothing\n' }]),
      'none of its lines names a class',
    ],
    ['one of other files', zipOf([{ name: 'readme.txt', content: 'hello' }]), 'none of the debug files'],
  ])('L27: %s is refused with the reason', async (_, archive, reason) => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(archive)]), 'archive.zip')
    const answer = await call('POST', '', { body: form })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain(reason)
  })

  it('may be empty, as sentry-cli leaves out what it cannot use', async () => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(zipOf([]))]), 'archive.zip')
    const answer = await call('POST', '', { body: form })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toEqual([])
  })
})
