import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileBlobs } from '../../storage/blobs/file-blobs.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  silentLogger,
  temporaryFolder,
  type OpenedLedger,
} from '../../storage/conformance/engines.ts'
import { zipOf } from '../bundle/zip.fixture.ts'
import { createBundles } from '../ledger/bundles.ts'
import { createChunks } from '../ledger/chunks.ts'
import { LIMITS } from '../limits.ts'
import { keptEnough } from '../room.ts'
import { createAssembleFiles } from './assemble-files.ts'
import { createAssemblingFiles } from './assembling-files.ts'
import { elfOf } from './identify/debug-files.fixture.ts'
import { createDebugFileView } from './ledger/debug-file-view.ts'
import { createDebugFiles } from './ledger/debug-files.ts'
import { createTakeArchive } from './take-archive.ts'

const AT = Date.UTC(2026, 10, 28, 11)
const PLACE = { organizationId: 1, projectId: 1 }
const NEIGHBOUR = { organizationId: 2, projectId: 3 }
const ANY = { text: '', debugIds: [] }
const PAGE = { offset: 0, limit: 100 }

let opened: OpenedLedger
let folder: ReturnType<typeof temporaryFolder>
let blobs: BlobStore

beforeEach(async () => {
  const [engine] = LEDGER_ENGINES
  if (engine === undefined) throw new Error('no ledger')
  opened = await engine.open()
  opened.clock.set(AT)
  folder = temporaryFolder()
  blobs = createFileBlobs(join(folder.path, 'blobs'))
  await seedOrganization(opened.ledger)
  const { db } = opened.ledger
  const other = { slug: 'other', name: 'Other', retention_days: 90, settings: '{}', created_at: AT }
  await db.insertInto('organizations').values(other).execute()
  const project = {
    slug: 'other',
    name: 'Other',
    platform: 'java',
    settings: '{}',
    last_issue_number: 0,
    created_at: AT,
  }
  await db
    .insertInto('projects')
    .values({ organization_id: 2, ...project })
    .execute()
})
afterEach(async () => {
  await opened.close()
  folder.remove()
})

const world = ({ putFile = blobs.putFile }: Partial<Pick<BlobStore, 'putFile'>> = {}) => {
  const { clock, ledger } = opened
  const files = createDebugFiles({ ledger })
  const bundles = createBundles({ ledger })
  const chunks = createChunks({ ledger, blobs })
  const finished: number[] = []
  const parts = { ledger, blobs: { ...blobs, putFile }, files, bundles, chunks, clock, logger: silentLogger }
  const assembling = createAssemblingFiles({
    ...parts,
    folder: join(folder.path, 'files'),
    finished: (organizationId) => finished.push(organizationId),
  })
  return {
    files,
    finished,
    assembling,
    view: createDebugFileView({ ledger }),
    assemble: createAssembleFiles({ files, bundles, chunks, assembling, clock }),
    takeArchive: createTakeArchive({ files, bundles, assembling, folder: join(folder.path, 'archives'), clock }),
    /** Sends the piece of a file. */
    asked: async (place: typeof PLACE, buildId: string) => {
      const bytes = elfOf(buildId)
      const checksum = createHash('sha1').update(bytes).digest('hex')
      await chunks.keep(place.organizationId, checksum, bytes, AT)
      return { checksum, name: `lib${buildId.slice(0, 2)}.so`, saidId: '', pieces: [checksum] }
    },
  }
}

const buildId = (number: number): string => number.toString(16).padStart(2, '0').repeat(20)

it('has room for some files of a call and refuses the others', async () => {
  const { asked, assemble, files } = world()
  const two = [await asked(PLACE, buildId(1)), await asked(PLACE, buildId(2))]
  const id = await files.begin({ ...PLACE, checksum: 'there', saidId: '' }, { name: 'there.so', pieces: [], now: AT })
  const bytes = LIMITS.ARTIFACTS_KEPT_BYTES - elfOf(buildId(1)).byteLength - 1
  await opened.ledger.db.updateTable('debug_files').set({ state: 'ok', bytes }).where('id', '=', id).execute()

  const answers = await assemble(PLACE, two)
  expect([...answers.values()]).toMatchObject([
    { kind: 'there', file: { state: 'ok' } },
    { kind: 'there', file: { state: 'error', error: keptEnough() } },
  ])
})

it('takes organisations in turn, however much one of them has waiting', async () => {
  const { asked, assembling, files, finished } = world()
  const begun = async (place: typeof PLACE, number: number) => {
    const file = await asked(place, buildId(number))
    return { id: await files.begin({ ...place, ...file }, { ...file, now: AT }), organization_id: place.organizationId }
  }
  const waiting = []
  for (const number of [1, 2, 3, 4, 5, 6]) waiting.push(await begun(PLACE, number))
  waiting.push(await begun(NEIGHBOUR, 7))
  await Promise.all(waiting.map((file) => assembling.begin(file)))
  expect(finished).toEqual([1, 2, 1, 1, 1, 1, 1])
})

it('says of a file of an archive that its upload was broken off, once nobody can be at it any more', async () => {
  const { assembling, files } = world()
  const begin = (checksum: string, now: number): Promise<number> =>
    files.begin({ ...PLACE, checksum, saidId: '' }, { name: 'x.so', pieces: [], now })
  const old = await begin('old', AT - LIMITS.DEBUG_ARCHIVE_MS - 1)
  const young = await begin('young', AT - LIMITS.DEBUG_ARCHIVE_MS + 1)
  await assembling.goOn()
  expect(await files.byId(old)).toMatchObject({ state: 'error', error: expect.stringContaining('broken off') })
  expect(await files.byId(young)).toMatchObject({ state: 'assembling', attempts: 0 })
})

const archiveOf = (bytes: Buffer) => {
  const archive = zipOf([{ name: 'libtea.so', content: bytes }])
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
  const form = Buffer.concat([Buffer.from(head), archive, Buffer.from('\r\n--b--\r\n')])
  return { contentType: 'multipart/form-data; boundary=b', pieces: ReadableStream.from([form]) }
}

it('answers 503 for an archive that could not be stored, and tells what its file is no longer', async () => {
  const full = (): Promise<never> => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
  const { takeArchive, view } = world({ putFile: full })
  await expect(takeArchive(PLACE, archiveOf(elfOf(buildId(1))))).rejects.toMatchObject({ status: 503 })
  expect(await view.list(PLACE, ANY, PAGE)).toMatchObject([{ state: 'error', error: expect.stringContaining('log') }])

  const { takeArchive: again } = world()
  expect(await again(PLACE, archiveOf(elfOf(buildId(1))))).toMatchObject([{ state: 'ok' }])
})

it('finds by ids only what is whole: whoever asks leaves out what is there', async () => {
  const { asked, assemble, files, view } = world()
  await assemble(PLACE, [await asked(PLACE, buildId(1))])
  const [whole] = await view.list(PLACE, ANY, PAGE)
  const debugIds = [whole?.debug_id ?? '']
  expect(await view.list(PLACE, { text: '', debugIds }, PAGE)).toHaveLength(1)
  await files.fail(whole?.id ?? 0, 'It could not be read.', AT)
  expect(await view.list(PLACE, { text: '', debugIds }, PAGE)).toEqual([])
  expect(await view.list(PLACE, ANY, PAGE)).toHaveLength(1)
})
