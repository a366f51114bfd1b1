import { build } from 'esbuild'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import vm from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../lib/api.ts'
import { errorEvent, newEventId, sendEvents } from '../lib/send.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'
import { bundleOf, uploaderOf, type BundledFile } from '../lib/uploads.ts'

/** A build of esbuild is uploaded; what it throws is read back as it was written. */

const ORGANIZATION = 'frames'
const CODE_URL = 'https://shop.example/static/app.js'
const ID = 'b1b2c3d4-e5f6-4789-8abc-def012345678'

const CART = `export class Cart {
  private items: string[] = []

  /** 😀 a character of two units in front of what throws */
  checkout(total: number): number {
    const smile = '😀😀'; if (this.items.length === 0) throw new RangeError(\`the cart is empty \${smile} \${total}\`)
    return total
  }
}
`
const MAIN = `import { Cart } from './cart'

export function pay(total: number): number {
  return new Cart().checkout(total)
}
;(globalThis as { pay?: unknown }).pay = pay
`

interface Frame {
  readonly filename: string
  readonly absPath: string
  readonly function: string | null
  readonly lineNo: number
  readonly colNo: number
  readonly inApp: boolean
  readonly context: readonly (readonly [number, string])[]
}
interface ExceptionEntry {
  readonly values: readonly {
    readonly stacktrace: { readonly frames: readonly Frame[] }
    readonly rawStacktrace: { readonly frames: readonly Frame[] } | null
  }[]
}
interface EventErrors {
  readonly errors: readonly {
    readonly type: string
    readonly data: { readonly name?: string; readonly reason?: string }
  }[]
}

let server: SharedServer
let cli: ReturnType<typeof uploaderOf>
let folder: string
let code: string
let map: string
let thrown: { readonly function: string; readonly lineno: number; readonly colno: number }[]

/** Of V8, outermost last there and first in events. */
const framesOf = (stack: string): typeof thrown =>
  [...stack.matchAll(/^\s+at (?:(.+?) \()?https:\/\/shop\.example\/static\/app\.js:(\d+):(\d+)\)?$/gm)]
    .map(([, name = '', line, column]) => ({ function: name, lineno: Number(line), colno: Number(column) }))
    .toReversed()

beforeAll(async () => {
  server = await joinServer(ORGANIZATION)
  cli = uploaderOf({ port: server.port, organization: ORGANIZATION, token: server.account.token })
  folder = mkdtempSync(join(tmpdir(), 'firsthand-frames-'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src', 'cart.ts'), CART)
  writeFileSync(join(folder, 'src', 'main.ts'), MAIN)
  await build({
    absWorkingDir: folder,
    entryPoints: ['src/main.ts'],
    outfile: 'static/app.js',
    bundle: true,
    minify: true,
    sourcemap: true,
    format: 'iife',
    charset: 'utf8',
    logLevel: 'silent',
  })
  code = readFileSync(join(folder, 'static', 'app.js'), 'utf8')
  map = readFileSync(join(folder, 'static', 'app.js.map'), 'utf8')
  const page = vm.createContext({})
  vm.runInContext(code, page, { filename: CODE_URL })
  const stack = vm.runInContext('try { pay(7) } catch (error) { error.stack }', page, { filename: 'page' }) as string
  thrown = framesOf(stack)
  if (thrown.length !== 2) throw new Error(`the build did not throw as it should: ${stack}`)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const filesOf = (headers: Readonly<Record<string, string>> = {}): BundledFile[] => [
  { url: '~/static/app.js', type: 'minified_source', content: code, headers: { ...headers, sourcemap: 'app.js.map' } },
  { url: '~/static/app.js.map', type: 'source_map', content: map, headers },
]

const project = `/projects/${ORGANIZATION}/shop`

/** Uploads, and waits until frames are looked up in it. */
const upload = async (files: readonly BundledFile[], version: string, dist?: string): Promise<void> => {
  const asked = { projects: ['shop'], version, ...(dist === undefined ? {} : { dist }) }
  expect(await cli.upload(bundleOf(files), asked)).toMatchObject({ state: 'ok' })
  const api = apiOf(server)
  await until(`the maps of ${version} are ready`, async () => {
    const bundles = await api.get<{ bundleId: string; associations: { release: string }[] }[]>(
      `${project}/files/artifact-bundles/?query=${encodeURIComponent(version)}`,
    )
    const lists = await Promise.all(
      bundles.map(({ bundleId }) =>
        api.get<{ files: { isReady: boolean | null; detail: string | null }[] }>(
          `${project}/artifact-bundles/${bundleId}/files/`,
        ),
      ),
    )
    const maps = lists.flatMap(({ files: listed }) => listed.filter(({ isReady }) => isReady !== null))
    return maps.every(({ isReady, detail }) => isReady === true || detail !== null) ? true : null
  })
}

/** Sends what the build threw. @returns its newest event, with what the server could not do */
const send = async (
  message: string,
  more: object,
): Promise<{ exception: ExceptionEntry; errors: EventErrors['errors'] }> => {
  const stack = thrown.map((frame) => ({ ...frame, filename: CODE_URL, abs_path: CODE_URL, in_app: true }))
  await sendEvents(server.account.dsn, [
    errorEvent('RangeError', message, {
      event_id: newEventId(),
      platform: 'javascript',
      frames: stack,
      ...more,
    }),
  ])
  const api = apiOf(server)
  const event = await api.latestEvent((await api.issue(message)).id, message)
  const entry = event.entries.find(({ type }) => type === 'exception')?.data as unknown as ExceptionEntry
  return { exception: entry, errors: (event as unknown as EventErrors).errors }
}

const debugMeta = { debug_meta: { images: [{ type: 'sourcemap', code_file: CODE_URL, debug_id: ID }] } }

const expectMapped = ({ values: [value] }: ExceptionEntry): void => {
  const [caller, inner] = value?.stacktrace.frames ?? []
  const lines = CART.split('\n')
  const line = lines.findIndex((text) => text.includes('throw new RangeError'))
  expect(inner).toMatchObject({
    filename: 'src/cart.ts',
    function: 'Cart.checkout',
    lineNo: line + 1,
    colNo: (lines[line] ?? '').indexOf('throw') + 1 + 'throw '.length,
    inApp: true,
  })
  expect(inner?.context.find(([number]) => number === line + 1)?.[1]).toBe(lines[line])
  expect(inner?.context.map(([number]) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].filter((n) => n >= line - 4))
  expect(caller).toMatchObject({ filename: 'src/main.ts', function: 'pay', lineNo: 4, inApp: true })
  const [rawCaller, rawInner] = value?.rawStacktrace?.frames ?? []
  expect([rawCaller, rawInner]).toMatchObject([
    { absPath: CODE_URL, lineNo: thrown[0]?.lineno, colNo: thrown[0]?.colno },
    { absPath: CODE_URL, lineNo: thrown[1]?.lineno, colNo: thrown[1]?.colno },
  ])
}

describe('frames of a minified build', () => {
  it('L31, L42, L54, L57: are those of the source by debug id, whatever the release says', async () => {
    await upload(filesOf({ 'debug-id': ID }), 'by-id@1')
    const { exception, errors } = await send('by debug id', { release: 'of-nobody@9', ...debugMeta })
    expect(errors).toEqual([])
    expectMapped(exception)
  })

  it('L32, L36: are found by release and address where there is no debug id', async () => {
    await upload(filesOf(), 'by-release@1')
    const { exception, errors } = await send('by release', { release: 'by-release@1' })
    expect(errors).toEqual([])
    expectMapped(exception)
  })

  it('L33: are not found with another dist, and the event says so', async () => {
    await upload(filesOf(), 'by-dist@1', 'web')
    const { exception, errors } = await send('by another dist', { release: 'by-dist@1' })
    expect(exception.values[0]?.stacktrace.frames[0]).toMatchObject({ absPath: CODE_URL })
    expect(exception.values[0]?.rawStacktrace).toBeNull()
    expect(errors).toMatchObject([
      { type: 'js_no_source', data: { reason: expect.stringContaining('release by-dist@1 without a dist') } },
    ])
    expectMapped((await send('by its dist', { release: 'by-dist@1', dist: 'web' })).exception)
  })

  it('L37: need the map alone', async () => {
    await upload(filesOf().slice(1), 'map-only@1')
    const { exception } = await send('by the map alone', { release: 'map-only@1' })
    expect(exception.values[0]?.stacktrace.frames[1]).toMatchObject({ filename: 'src/cart.ts', inApp: true })
  })

  it('L38: say what is missing when only the code was uploaded', async () => {
    await upload(filesOf().slice(0, 1), 'code-only@1')
    const { errors } = await send('with the code alone', { release: 'code-only@1' })
    expect(errors).toMatchObject([{ data: { reason: expect.stringContaining('but not its source map app.js.map') } }])
  })

  it('L58: make one issue of one error in two builds', async () => {
    await upload(filesOf({ 'debug-id': ID }), 'again@1')
    const api = apiOf(server)
    const message = 'one error of two builds'
    await send(message, debugMeta)
    const before = await api.issue(message)
    // The next build has more in front of the same source.
    const moved = JSON.parse(map) as { mappings: string }
    const next: BundledFile[] = [
      {
        url: '~/static/next.js',
        type: 'minified_source',
        content: `\n\n\n${code}`,
        headers: { sourcemap: 'next.js.map' },
      },
      {
        url: '~/static/next.js.map',
        type: 'source_map',
        content: JSON.stringify({ ...moved, mappings: `;;;${moved.mappings}` }),
      },
    ]
    await upload(next, 'again@2')
    const url = CODE_URL.replace('app.js', 'next.js')
    const stack = thrown.map((frame) => ({
      ...frame,
      lineno: frame.lineno + 3,
      filename: url,
      abs_path: url,
      in_app: true,
    }))
    await sendEvents(server.account.dsn, [
      errorEvent('RangeError', message, {
        event_id: newEventId(),
        platform: 'javascript',
        release: 'again@2',
        frames: stack,
      }),
    ])
    await until('the issue has both events', async () =>
      Number((await api.issue(message)).count) >= Number(before.count) + 1 ? true : null,
    )
    expect((await api.issue(message)).id).toBe(before.id)
  })

  it('L39: are not found in another project of the organisation', async () => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/0/organizations/${ORGANIZATION}/projects/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Other', slug: 'other' }),
    })
    expect([200, 201]).toContain(answer.status)
    const id = 'c1b2c3d4-e5f6-4789-8abc-def012345678'
    expect(await cli.upload(bundleOf(filesOf({ 'debug-id': id })), { projects: ['other'] })).toMatchObject({
      state: 'ok',
    })
    const { exception, errors } = await send('of another project', {
      debug_meta: { images: [{ type: 'sourcemap', code_file: CODE_URL, debug_id: id }] },
    })
    expect(exception.values[0]?.stacktrace.frames[0]).toMatchObject({ absPath: CODE_URL })
    expect(errors).toMatchObject([
      { type: 'js_no_source', data: { reason: expect.stringContaining(id.replaceAll('-', '')) } },
    ])
  })

  it('L40: are looked for on the site itself where the project allows it, and nowhere otherwise', async () => {
    const asked: string[] = []
    const site = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end(request.url?.endsWith('.map') === true ? map : code)
    })
    await new Promise<void>((listening) => {
      site.listen(0, '127.0.0.1', listening)
    })
    const { port } = site.address() as AddressInfo
    const sendFrom = async (message: string, url: string) => {
      const frames = thrown.map((frame) => ({ ...frame, filename: url, abs_path: url, in_app: true }))
      await sendEvents(server.account.dsn, [
        errorEvent('RangeError', message, { event_id: newEventId(), platform: 'javascript', frames }),
      ])
      const api = apiOf(server)
      const { id } = await api.issue(message)
      return async (): Promise<ExceptionEntry> => {
        const event = await api.latestEvent(id, message)
        return event.entries.find(({ type }) => type === 'exception')?.data as unknown as ExceptionEntry
      }
    }
    try {
      const before = await sendFrom('while sites are left alone', `http://127.0.0.1:${port}/off/app.js`)
      expect((await before()).values[0]?.rawStacktrace).toBeNull()
      const settings = await fetch(`http://127.0.0.1:${server.port}/api/0${project}/site-maps/`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ enabled: true, hosts: [`127.0.0.1:${port}`] }),
      })
      expect(settings.status).toBe(200)
      const read = await sendFrom('while sites are asked', `http://127.0.0.1:${port}/on/app.js`)
      const mapped = await until('the frames are those of the source', async () => {
        const entry = await read()
        return entry.values[0]?.rawStacktrace ? entry : null
      })
      expect(mapped.values[0]?.stacktrace.frames[1]).toMatchObject({
        filename: 'src/cart.ts',
        function: 'Cart.checkout',
      })
      expect(asked).toEqual(['/on/app.js', '/on/app.js.map'])
    } finally {
      site.closeAllConnections()
      site.close()
    }
  })

  it('say that a map cannot be read, in the words of the upload', async () => {
    const broken: BundledFile[] = [
      ...filesOf().slice(0, 1),
      { url: '~/static/app.js.map', type: 'source_map', content: '<html>Log in</html>' },
    ]
    await upload(broken, 'broken@1')
    const { errors } = await send('with a broken map', { release: 'broken@1' })
    expect(errors).toMatchObject([
      { type: 'js_invalid_source', data: { reason: expect.stringContaining('This is HTML') } },
    ])
  })
})
