import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  LEDGER_ENGINES,
  recordingLogger,
  seedOrganization,
  temporaryFolder,
  type OpenedLedger,
} from '../../storage/conformance/engines.ts'
import { createFileBlobs } from '../../storage/blobs/file-blobs.ts'
import { createBundles, type NewFile } from '../ledger/bundles.ts'
import { createPreparing } from '../ledger/preparing.ts'
import { LIMITS } from '../limits.ts'
import { PreparedMap } from '../maps/prepared-map.ts'
import type { PrepareMapRequest } from './messages.ts'
import { createMapProcess, type MapProcess, type Reading, type ReadingBounds } from './map-process.ts'
import { createMapPreparation } from './prepare-maps.ts'

const AT = Date.UTC(2026, 10, 27, 10)

let opened: OpenedLedger
let folder: ReturnType<typeof temporaryFolder>
let lines: string[]

beforeEach(async () => {
  const [engine] = LEDGER_ENGINES
  if (engine === undefined) throw new Error('no ledger')
  opened = await engine.open()
  folder = temporaryFolder()
  await seedOrganization(opened.ledger)
  const other = { slug: 'other', name: 'Other', retention_days: 90, settings: '{}', created_at: AT }
  await opened.ledger.db.insertInto('organizations').values(other).execute()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await opened.close()
  folder.remove()
})

const blobs = () => createFileBlobs(join(folder.path, 'blobs'))

const stored = async (organizationId: number, text: string, more: Partial<NewFile>): Promise<NewFile> => {
  const bytes = Buffer.from(text)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await blobs().put([{ organizationId, bytes, sha256 }])
  return {
    kind: 'source_map',
    type: 'source_map',
    url: '~/app.js.map',
    debug_id: null,
    source_map: null,
    headers: '{}',
    blob_key: `${organizationId}/${sha256}`,
    bytes: bytes.length,
    sha1: '0'.repeat(40),
    ...more,
  }
}

const mapOf = (name: string): string =>
  JSON.stringify({ version: 3, sources: [`src/${name}.ts`], names: [], mappings: 'AAAA' })

/** Maps of an organisation, which are called by their only source. */
const upload = async (organizationId: number, names: readonly string[], code?: string): Promise<void> => {
  const bundles = createBundles(opened)
  const files = await Promise.all(names.map((name) => stored(organizationId, mapOf(name), { url: `~/${name}.js.map` })))
  if (code !== undefined) {
    files.push(
      await stored(organizationId, code, {
        kind: 'minified_source',
        url: '~/app.js',
        source_map: `${names[0]}.js.map`,
      }),
    )
  }
  const key = { organizationId, checksum: 'c'.repeat(40), release: 'shop@1', dist: '' }
  const id = await bundles.begin(key, { pieces: [], projectIds: [], now: AT })
  await bundles.finish({ id, organization_id: organizationId }, files, AT)
}

/** A map that only names its source, beside what else was uploaded with it. */
const uploadBare = async (sources: readonly string[], others: Readonly<Record<string, string>>): Promise<void> => {
  const bundles = createBundles(opened)
  const text = JSON.stringify({ version: 3, sources, names: [], mappings: 'AAAA' })
  const files = [await stored(1, text, { url: '~/static/app.js.map' })]
  for (const [url, content] of Object.entries(others)) {
    files.push(await stored(1, content, { url, kind: 'source', type: 'source' }))
  }
  const key = { organizationId: 1, checksum: 'd'.repeat(40), release: 'shop@2', dist: '' }
  const id = await bundles.begin(key, { pieces: [], projectIds: [], now: AT })
  await bundles.finish({ id, organization_id: 1 }, files, AT)
}

/** Texts of the sources of the only map that is prepared. */
const contentsOf = async (count: number): Promise<readonly (string | null)[]> => {
  const { prepared_key: key } = await opened.ledger.db
    .selectFrom('artifact_files')
    .select('prepared_key')
    .where('prepared_key', 'is not', null)
    .executeTakeFirstOrThrow()
  const bytes = await blobs().get(key ?? '')
  const map = bytes === null ? null : PreparedMap.of(bytes)
  if (map === null) throw new Error('no prepared map')
  return Array.from({ length: count }, (_, index) => map.sourceContent(index))
}

/** What became of maps: 'waits', 'prepared', or what people are told. */
const became = async (): Promise<Record<string, string>> => {
  const rows = await opened.ledger.db
    .selectFrom('artifact_files')
    .select(['url', 'prepared_form', 'map_error'])
    .where('kind', '=', 'source_map')
    .execute()
  return Object.fromEntries(
    rows.map((row) => [
      row.url.slice('~/'.length, -'.js.map'.length),
      row.prepared_form === null ? 'waits' : (row.map_error ?? 'prepared'),
    ]),
  )
}

type Fault = (name: string, request: PrepareMapRequest, bounds: ReadingBounds) => Promise<Reading> | Reading | null

/** The process itself, but where a fault of the machine is played. */
const preparation = (fault: Fault, place = join(folder.path, 'maps')) => {
  const log = recordingLogger()
  lines = log.lines
  return createMapPreparation(
    {
      preparing: createPreparing(opened),
      blobs: blobs(),
      ledger: opened.ledger,
      clock: opened.clock,
      logger: log.logger,
      folder: place,
    },
    (): MapProcess => {
      const real = createMapProcess()
      return {
        end: real.end,
        ask: async (request, bounds) => {
          if (request.kind !== 'map') throw new Error('only maps are prepared here')
          const name = /src\/(\w+)\.ts/.exec(readFileSync(request.map, 'utf8'))?.[1] ?? ''
          return (await fault(name, request, bounds)) ?? real.ask(request, bounds)
        },
      }
    },
  )
}

it('does not hold a full disk against maps, however long it lasts', async () => {
  await upload(1, ['a', 'b'])
  let isFull = true
  const { run } = preparation(() => (isFull ? { kind: 'away', error: 'ENOSPC' } : null))
  for (let times = 0; times < LIMITS.PREPARE_ATTEMPTS + 2; times++) await run()
  expect(await became()).toEqual({ a: 'waits', b: 'waits' })
  expect(lines.join('')).toContain('ENOSPC')
  isFull = false
  await run()
  expect(await became()).toEqual({ a: 'prepared', b: 'prepared' })
})

it('has no map that always fails keep the others from being prepared', async () => {
  await upload(1, ['a', 'b'])
  const { run } = preparation((name) => (name === 'a' ? { kind: 'away', error: 'ENOSPC' } : null))
  await run()
  await run()
  expect(await became()).toEqual({ a: 'waits', b: 'prepared' })
})

it('tries a map again whose process was ended by others, and gives it up when that goes on', async () => {
  await upload(1, ['a', 'b'])
  let endings = 0
  const { run } = preparation((name) => {
    if (name === 'b') return null
    endings++
    return { kind: 'ended', error: 'SIGKILL' }
  })
  await run()
  expect(await became()).toEqual({ a: 'waits', b: 'prepared' })
  for (let times = 1; times < LIMITS.PREPARE_ATTEMPTS; times++) await run()
  expect((await became())['a']).toContain('ended by the system')
  await run()
  expect(endings).toBe(LIMITS.PREPARE_ATTEMPTS)
})

it('knows after a restart how often a map was tried, and gives it up', async () => {
  await upload(1, ['a', 'b'])
  let endings = 0
  for (let times = 0; times < LIMITS.PREPARE_ATTEMPTS; times++) {
    const { run } = preparation((name) => {
      if (name === 'b') return null
      endings++
      return { kind: 'ended', error: 'SIGKILL' }
    })
    await run()
  }
  expect((await became())['a']).toContain('ended by the system')
  await preparation(() => ({ kind: 'ended', error: 'SIGKILL' })).run()
  expect(endings).toBe(LIMITS.PREPARE_ATTEMPTS)
})

it('has one time for all tries of a map, of which one without its code has a part', async () => {
  await upload(1, ['a'], 'a()')
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const asked: boolean[] = []
  const { run } = preparation((_name, { code }, { withinMs }) => {
    asked.push(code?.isParsed === true)
    now += withinMs
    return { kind: 'late' }
  })
  await run()
  expect(asked).toEqual([true, false])
  expect(now).toBe(LIMITS.PREPARE_MAP_MS)
  expect(await became()).toEqual({ a: 'waits' })
})

it('has organisations take turns by the time that their maps took', async () => {
  await upload(1, ['slow1', 'slow2', 'slow3'])
  await upload(2, ['a', 'b'])
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const asked: string[] = []
  const { run } = preparation((name, _request, { withinMs }) => {
    asked.push(name)
    if (!name.startsWith('slow')) return null
    now += withinMs
    return { kind: 'late' }
  })
  await run()
  expect(asked).toEqual(['slow1', 'a', 'b', 'slow2', 'slow3'])
  expect(await became()).toMatchObject({ slow1: 'waits', a: 'prepared', b: 'prepared' })
})

it('ends with the server: what is asked is not held against its map, and nothing is begun', async () => {
  await upload(1, ['a', 'b'])
  const asked: string[] = []
  const begun = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<Reading>()
  const { run, end } = preparation((name) => {
    asked.push(name)
    begun.resolve()
    return ending.promise
  })
  const under = run()
  await begun.promise
  end()
  ending.resolve({ kind: 'ended', error: 'SIGKILL' })
  await under
  await run()
  expect(asked).toEqual(['a'])
  expect(await became()).toEqual({ a: 'waits', b: 'waits' })
  expect(lines).toEqual([])
})

it('logs a folder that cannot be made or emptied, and does not reject', async () => {
  const file = join(folder.path, 'file')
  writeFileSync(file, '')
  await upload(1, ['a'])
  await preparation(() => null, join(file, 'maps')).run()
  expect(lines.join('')).toContain('could not be emptied')
  expect(await became()).toEqual({ a: 'waits' })
})

it('L55: has the text of a source that the map only names from what was uploaded with it', async () => {
  const sources = ['../src/cart.ts', 'webpack://shop/./src/tea.ts', '../src/other.ts', '']
  await uploadBare(sources, {
    '~/src/cart.ts': 'the cart\n',
    '~/src/tea.ts': 'tëa 😀\n',
    '~/static/other.ts': 'elsewhere',
    '~/': 'the root',
  })
  await preparation(() => null).run()
  expect(await contentsOf(4)).toEqual(['the cart\n', 'tëa 😀\n', null, null])
})
