import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileBlobs } from '../../storage/blobs/file-blobs.ts'
import {
  LEDGER_ENGINES,
  recordingLogger,
  seedOrganization,
  temporaryFolder,
  type OpenedLedger,
} from '../../storage/conformance/engines.ts'
import { LIMITS } from '../limits.ts'
import { createMapProcess, type MapProcess } from '../prepare/map-process.ts'
import { createHeldMappings } from '../retrace/held-mappings.ts'
import { createAssemblingFiles } from './assembling-files.ts'
import { createDebugFileLookup } from './ledger/debug-file-view.ts'
import { createDebugFiles } from './ledger/debug-files.ts'

const ID = '5b65abfb23844e309bb38dc8f3bc1f2e'
const OTHER = '6c65abfb23844e309bb38dc8f3bc1f2e'
/** Both engines start here, on machines that may be busy. */
const ENGINES_START_MS = 240_000

describe.each(LEDGER_ENGINES)('mappings that are uploaded, with a ledger on $name', (engine) => {
  let opened: OpenedLedger
  let folder: ReturnType<typeof temporaryFolder>
  let projects: number[]

  beforeEach(async () => {
    opened = await engine.open()
    folder = temporaryFolder()
    await seedOrganization(opened.ledger)
    projects = []
    for (const slug of ['tea', 'till']) {
      const project = { organization_id: 1, slug, name: slug, platform: 'android', settings: '{}', created_at: 1 }
      const { id } = await opened.ledger.db
        .insertInto('projects')
        .values({ ...project, last_issue_number: 0 })
        .returning('id')
        .executeTakeFirstOrThrow()
      projects.push(id)
    }
  }, ENGINES_START_MS)
  afterEach(async () => {
    await opened.close()
    folder.remove()
  })

  const blobs = () => createFileBlobs(join(folder.path, 'blobs'))

  const upload = async (
    text: string,
    {
      project = 0,
      id = ID,
      checksum = 'a'.repeat(40),
      at = 1,
      bytes = null as number | null,
      reader = (): MapProcess => createMapProcess(),
    } = {},
  ) => {
    const files = createDebugFiles(opened)
    const place = join(folder.path, 'debug-files')
    mkdirSync(place, { recursive: true })
    const path = join(place, checksum)
    writeFileSync(path, text)
    if (bytes !== null) truncateSync(path, bytes)
    const key = { organizationId: 1, projectId: projects[project] ?? 0, checksum, saidId: id }
    const fileId = await files.begin(key, { name: `/proguard/${id}.txt`, pieces: [], now: at })
    const assembling = createAssemblingFiles(
      {
        ledger: opened.ledger,
        blobs: blobs(),
        files,
        bundles: { keptBytes: async () => 0 },
        chunks: {
          keysOf: async () => new Map(),
          read: () => Promise.reject(new Error('it has no pieces')),
          touch: async () => undefined,
        },
        folder: place,
        clock: opened.clock,
        logger: recordingLogger().logger,
        finished: () => undefined,
      },
      reader,
    )
    const begun = { id: fileId, organization_id: 1 }
    await assembling.begin(begun, path)
    return { file: await files.byId(fileId), again: () => assembling.begin(begun, path), end: assembling.end, files }
  }

  it(
    'are prepared, and found by project and id, the newest first',
    async () => {
      await upload('com.acme.Old -> a.b:\n', { checksum: 'b'.repeat(40), at: 2 })
      await upload('com.acme.Tea -> a.b:\n    void pour() -> a\n', { at: 3 })
      await upload('com.acme.Other -> a.b:\n', { project: 1, id: OTHER })
      const lookup = createDebugFileLookup(opened)
      const [shop = 0, till = 0] = projects
      const found = await lookup.mappings([
        { projectId: shop, debugId: ID },
        { projectId: till, debugId: OTHER },
      ])
      expect(found).toHaveLength(2)
      const held = createHeldMappings(blobs(), 1e9)
      const originals = await Promise.all(
        found.map(async ({ indexBytes: bytes, indexKey: key }) => {
          const open = await held.open({ key, bytes })
          return open?.headOf('a.b', 'obfuscated').found?.original
        }),
      )
      expect(new Set(originals)).toEqual(new Set(['com.acme.Other', 'com.acme.Tea']))
      expect(await lookup.known(shop, [ID, OTHER])).toEqual(new Set([ID]))
    },
    ENGINES_START_MS,
  )

  it(
    'say what is wrong with them',
    async () => {
      const { file } = await upload('no mapping at all\n')
      expect(file).toMatchObject({ state: 'error', error: expect.stringContaining('none of its lines names a class') })
      const many = 'a.b -> c:\n'.repeat(LIMITS.PROGUARD_CLASSES + 1)
      const { file: large } = await upload(many, { checksum: 'c'.repeat(40) })
      expect(large).toMatchObject({ state: 'error', error: expect.stringContaining('more than 500000 classes') })
    },
    ENGINES_START_MS,
  )

  it(
    'may be as large as is taken, and are found then; one byte more is refused',
    async () => {
      // What follows the class is one line that is too long to count.
      const text = 'com.acme.Tea -> a.b:\n'
      const { file } = await upload(text, { bytes: LIMITS.PROGUARD_MAPPING_BYTES })
      expect(file).toMatchObject({ state: 'ok', bytes: LIMITS.PROGUARD_MAPPING_BYTES })
      const { index_bytes: bytes = 0, index_key: key = null } = file ?? {}
      const open = await createHeldMappings(blobs(), 1e9).open({ key: key ?? '', bytes })
      expect(open?.headOf('a.b', 'obfuscated').found?.original).toBe('com.acme.Tea')
      const more = { bytes: LIMITS.PROGUARD_MAPPING_BYTES + 1, checksum: 'd'.repeat(40) }
      expect((await upload(text, more)).file).toMatchObject({
        state: 'error',
        error: expect.stringContaining(`${LIMITS.PROGUARD_MAPPING_BYTES} are taken`),
      })
    },
    ENGINES_START_MS,
  )

  it(
    'are read in a process of their own: where that is ended they wait for another try',
    async () => {
      let isEnded = true
      const { again, file, files } = await upload('com.acme.Tea -> a.b:\n', {
        reader: () => {
          const real = createMapProcess()
          return {
            end: real.end,
            ask: async (request, bounds) =>
              isEnded ? { kind: 'ended', error: 'its process ended with SIGKILL' } : real.ask(request, bounds),
          }
        },
      })
      expect(file).toMatchObject({ state: 'assembling', error: null, attempts: 1 })
      isEnded = false
      await again()
      expect(await files.byId(file?.id ?? 0)).toMatchObject({ state: 'ok' })
    },
    ENGINES_START_MS,
  )
})
