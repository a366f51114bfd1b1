import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
  const [exception] = (entry?.data as unknown as { values: readonly ExceptionJson[] }).values
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
