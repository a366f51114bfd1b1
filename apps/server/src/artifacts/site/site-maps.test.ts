import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NormalisedEvent } from '../../event/event.ts'
import { createOutgoing } from '../../lib/outgoing.ts'
import { createFileBlobs } from '../../storage/blobs/file-blobs.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  silentLogger,
  temporaryFolder,
  testClock,
  type OpenedLedger,
} from '../../storage/conformance/engines.ts'
import { createBundles } from '../ledger/bundles.ts'
import { fetchedBeyond, keepFetched } from '../ledger/fetched-bundles.ts'
import { createPreparing } from '../ledger/preparing.ts'
import { createSiteFiles } from '../ledger/site-files.ts'
import { readSiteSettings, saveSiteSettings } from '../ledger/site-settings.ts'
import { LIMITS } from '../limits.ts'
import { createMapPreparation } from '../prepare/prepare-maps.ts'
import { frameResolverOf, mapFrames } from '../resolve/index.ts'
import { createSiteFetching } from './fetch-maps.ts'

const PROJECT = 1
const MAP = JSON.stringify({
  version: 3,
  sources: ['src/cart.ts'],
  sourcesContent: ['pour(tea)'],
  names: [],
  mappings: 'AAAA',
})
const ID = 'a1b2c3d4-e5f6-4789-8abc-def012345678'

/** Every kind of address that is nobody's on the Internet. */
const INNER = [
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[fe80::1]',
  '[fd00::1]',
  '[ff02::1]',
  '[::ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
]

/** A site, and what it was asked for. */
const openSite = async () => {
  const asked: { readonly path: string; readonly headers: readonly string[] }[] = []
  const site: Server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    asked.push({ path: request.url ?? '', headers: Object.keys(request.headers).toSorted() })
    const { port } = site.address() as AddressInfo
    const inside = `http://inside.example:${port}`
    if (path === '/away.js') response.writeHead(302, { location: `${inside}/app.js` }).end()
    else if (path === '/elsewhere.js') response.writeHead(302, { location: `http://stranger.example:${port}/` }).end()
    else if (path === '/inner.js') response.end(`run()\n//# sourceMappingURL=${inside}/app.js.map`)
    else if (path === '/changing.js') response.end(`run()\n//# sourceMappingURL=/changing.js.map`)
    else if (path === '/bare.js') response.end('run()')
    else if (path === '/header.js') response.writeHead(200, { sourcemap: '/app.js.map' }).end('run()')
    else if (path === '/page.js') response.end('run()\n//# sourceMappingURL=page')
    else if (path === '/page') response.end('<!doctype html><title>Log in</title>')
    else if (path === '/built.js') response.end(`run()\n//# sourceMappingURL=app.js.map\n//# debugId=${ID}`)
    else if (path === '/app.js' || /^\/chunk-\d+\.js$/.test(path))
      response.end('run()\n//# sourceMappingURL=app.js.map')
    else if (path.endsWith('.map')) response.end(MAP)
    else response.writeHead(404).end()
  })
  await new Promise<void>((listening) => {
    site.listen(0, '127.0.0.1', listening)
  })
  return {
    asked,
    port: (site.address() as AddressInfo).port,
    close: () => {
      site.closeAllConnections()
      site.close()
    },
  }
}

const eventAt = (address: string, more: Partial<NormalisedEvent> = {}): NormalisedEvent =>
  ({
    event_id: 'b'.repeat(32),
    platform: 'javascript',
    exception: {
      values: [
        { type: 'Error', value: 'no tea', stacktrace: { frames: [{ abs_path: address, lineno: 1, colno: 1 }] } },
      ],
    },
    errors: [],
    ...more,
  }) as Partial<NormalisedEvent> as NormalisedEvent

describe.each(LEDGER_ENGINES)('source maps of sites, with a ledger on $name', (engine) => {
  const folder = temporaryFolder()
  const blobs = createFileBlobs(join(folder.path, 'blobs'))
  const clock = testClock()
  let opened: OpenedLedger
  let site: Awaited<ReturnType<typeof openSite>>

  beforeAll(async () => {
    opened = await engine.open()
    await seedOrganization(opened.ledger)
    site = await openSite()
  }, 120_000)
  afterAll(async () => {
    site.close()
    await opened.close()
    folder.remove()
  })

  const choose = (isOn: boolean, hosts: readonly string[]): Promise<void> =>
    saveSiteSettings(opened.ledger, PROJECT, { isOn, hosts })

  const shop = (path: string): string => `http://shop.example:${site.port}${path}`

  /** The digest sees the event; then sites are asked, and what came is prepared. @returns what is known of the file afterwards */
  const see = async (
    address: string,
    {
      event = {},
      names = {},
      ranges = ['127.0.0.0/8'],
      between = () => Promise.resolve(),
    }: {
      readonly event?: Partial<NormalisedEvent>
      /** The addresses of a name, in the order in which it is looked up. */
      readonly names?: Readonly<Record<string, readonly string[]>>
      readonly ranges?: readonly string[]
      readonly between?: () => Promise<void>
    } = {},
  ): Promise<NormalisedEvent> => {
    const { ledger } = opened
    const lookups = new Map<string, number>()
    const resolve = async (host: string): Promise<readonly string[]> => {
      const own = names[host] ?? (host === 'shop.example' ? ['127.0.0.1'] : [])
      const before = lookups.get(host) ?? 0
      lookups.set(host, before + 1)
      return own.slice(Math.min(before, own.length - 1)).slice(0, 1)
    }
    const seen = eventAt(address, event)
    await frameResolverOf({ ledger, blobs }, { clock }).find(PROJECT, seen)
    await between()
    const preparation = createMapPreparation({
      preparing: createPreparing({ ledger }),
      blobs,
      ledger,
      clock,
      logger: silentLogger,
      folder: join(folder.path, 'maps'),
    })
    await createSiteFetching({
      ledger,
      files: createSiteFiles({ ledger }),
      settings: (projectId) => readSiteSettings(ledger.db, projectId),
      bundles: createBundles({ ledger }),
      blobs,
      outgoing: createOutgoing({ allowedRanges: ranges, resolve }),
      clock,
      logger: silentLogger,
      finished: () => preparation.run(),
      ending: new AbortController().signal,
    })()
    const found = await frameResolverOf({ ledger, blobs }, {}).find(PROJECT, seen)
    return found === null ? seen : mapFrames(seen, found)
  }

  const frameOf = (event: NormalisedEvent) => event.exception?.values[0]?.stacktrace?.frames[0]
  const reasonOf = (event: NormalisedEvent): string => event.errors[0]?.reason ?? ''

  it('L40: are asked for where the project allows it, and no request leaves the process otherwise', async () => {
    await see(shop('/app.js'))
    await choose(false, [`shop.example:${site.port}`])
    await see(shop('/app.js'))
    await choose(true, ['other.example'])
    await see(shop('/app.js'))
    // It is switched off before the site is asked.
    await choose(true, [`shop.example:${site.port}`])
    await see(shop('/app.js'), { between: () => choose(false, [`shop.example:${site.port}`]) })
    expect(site.asked).toEqual([])
    expect(await opened.ledger.db.selectFrom('site_files').selectAll().execute()).toEqual([])

    await choose(true, [`shop.example:${site.port}`])
    const mapped = await see(shop('/app.js?v=1#top'))
    expect(site.asked.map(({ path }) => path)).toEqual(['/app.js?v=1', '/app.js.map'])
    // Nothing says who asks, or for whom.
    expect(new Set(site.asked.flatMap(({ headers }) => headers))).toEqual(
      new Set(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']),
    )
    expect(frameOf(mapped)).toMatchObject({ filename: 'src/cart.ts', context_line: 'pour(tea)' })
    expect(mapped.errors).toEqual([])
  }, 120_000)

  it('are asked for once, told of where there are none, and asked for again after a while', async () => {
    await choose(true, [`shop.example:${site.port}`])
    site.asked.length = 0
    const again = async (path: string): Promise<string> => reasonOf(await see(shop(path)))
    expect(await again('/bare.js')).toContain('names no source map')
    expect(await again('/bare.js')).toContain('names no source map')
    expect(site.asked.map(({ path }) => path)).toEqual(['/bare.js'])
    clock.set(clock.now() + LIMITS.SITE_AGAIN_MS)
    // That is noticed when the job runs: the next event asks for it again.
    await again('/none.js')
    await again('/bare.js')
    expect(site.asked.map(({ path }) => path)).toEqual(['/bare.js', '/none.js', '/bare.js'])
    expect(await again('/none.js')).toContain('it answered 404')
    expect(await again('/page.js')).toContain('it may be a page of an error or of a log-in')
    expect(await again('/elsewhere.js')).toContain('leads to a host that the settings of the project do not name')
  })

  it('are those of the build that the event names', async () => {
    const debug = (debugId: string) => ({
      event: {
        release: 'shop@1',
        debug_meta: { images: [{ type: 'sourcemap', code_file: shop('/built.js'), debug_id: debugId }] },
      },
    })
    const other = await see(shop('/built.js'), debug(ID.replace('a1', 'b2')))
    expect(reasonOf(other)).toContain('another build')
    expect(frameOf(await see(shop('/built.js'), debug(ID)))?.filename).toBe('src/cart.ts')
    expect(frameOf(await see(shop('/header.js'), { event: { release: 'shop@1' } }))?.filename).toBe('src/cart.ts')
  })

  it('L109: are not asked for at any private address, also by redirect and by a name that changes its address', async () => {
    const hosts = [`shop.example:${site.port}`, `inside.example:${site.port}`, `named.example:${site.port}`]
    await choose(true, [...hosts, ...INNER.map((host) => `${host}:${site.port}`)])
    site.asked.length = 0
    for (const host of INNER) {
      const event = await see(`http://${host}:${site.port}/app.js`, { ranges: [] })
      expect(`${host} ${reasonOf(event)}`).toContain('lies inside of a network')
    }
    const named = await see(`http://named.example:${site.port}/app.js`, {
      ranges: [],
      names: { 'named.example': ['192.168.0.7'] },
    })
    expect(reasonOf(named)).toContain('lies inside of a network')
    expect(site.asked).toEqual([])

    const names = { 'inside.example': ['10.0.0.7'] }
    for (const path of ['/away.js', '/inner.js']) {
      expect(`${path} ${reasonOf(await see(shop(path), { names }))}`).toContain('lies inside of a network')
    }
    // The file comes from where it may; then the name has another address.
    const changing = await see(shop('/changing.js'), { names: { 'shop.example': ['127.0.0.1', '10.0.0.7'] } })
    expect(reasonOf(changing)).toContain('lies inside of a network')
    expect(site.asked.map(({ path }) => path)).toEqual(['/away.js', '/inner.js', '/changing.js'])
  }, 120_000)

  it('take no more of a host, and no more room, than they may', async () => {
    await choose(true, [`shop.example:${site.port}`])
    site.asked.length = 0
    const frames = Array.from({ length: 40 }, (_, index) => ({
      abs_path: shop(`/chunk-${index}.js`),
      lineno: 1,
      colno: 1,
    }))
    const value = { type: 'Error', value: 'no tea', stacktrace: { frames } }
    await see(shop('/'), { event: { release: 'shop@2', exception: { values: [value] } } })
    const { count } = await opened.ledger.db
      .selectFrom('site_files')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('release_version', '=', 'shop@2')
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(LIMITS.SITE_FILES_PER_EVENT)
    expect(site.asked).toHaveLength(2 * LIMITS.SITE_FILES_PER_TURN)
    expect(await fetchedBeyond(opened.ledger, PROJECT)).toEqual([])
  }, 120_000)

  it('are so many of a project and no more: the oldest go', async () => {
    const { db } = opened.ledger
    const { id: last } = await db
      .selectFrom('artifact_bundles')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    for (let index = 0; index < LIMITS.SITE_BUNDLES; index += 1) {
      const key = { organizationId: 1, checksum: String(index).padStart(40, '0'), release: 'shop@3', dist: '' }
      await keepFetched(opened.ledger, key, { files: [], now: clock.now(), projectId: PROJECT })
      // What is there already stays as it is.
      if (index === 0) await keepFetched(opened.ledger, key, { files: [], now: clock.now(), projectId: PROJECT })
    }
    const beyond = await fetchedBeyond(opened.ledger, PROJECT)
    expect(beyond[0]).toBe(last)
    const fetched = await db.selectFrom('artifact_bundles').select('id').where('from_site', '=', 1).execute()
    expect(fetched.length - beyond.length).toBe(LIMITS.SITE_BUNDLES)
  }, 120_000)
})
