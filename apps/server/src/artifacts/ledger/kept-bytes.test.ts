import { CompiledQuery } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { heldBlobs, releasedBlobs } from '../../storage/ledger/release-blobs.ts'
import { bytesOfPreparedMaps } from './migrations/0058-bytes-of-prepared-maps.ts'
import { removeBundles } from './bundle-removal.ts'
import { createBundles, type NewFile } from './bundles.ts'
import { createPreparing } from './preparing.ts'

const NONE: ReadonlySet<number> = new Set()
const AT = Date.UTC(2026, 10, 27, 10)
const KEY = { organizationId: 1, checksum: 'c'.repeat(40), release: 'shop@1', dist: '' }

const file = (name: string, kind: NewFile['kind'], bytes: number): NewFile => ({
  kind,
  type: kind,
  url: `~/${name}`,
  debug_id: null,
  source_map: null,
  headers: '{}',
  blob_key: `1/${name}`,
  bytes,
  sha1: '0'.repeat(40),
})
const FILES = [
  file('a.js', 'minified_source', 100),
  file('a.js.map', 'source_map', 1000),
  file('b.js.map', 'source_map', 2000),
]
const OWN = FILES.map((one) => one.blob_key)

describe.each(LEDGER_ENGINES)('what an organisation keeps of artifacts on $name', ({ open }) => {
  let opened: OpenedLedger
  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
  })
  afterEach(() => opened.close())

  const upload = async (): Promise<number> => {
    const bundles = createBundles(opened)
    const id = await bundles.begin(KEY, { pieces: [], projectIds: [1], now: AT })
    await bundles.finish({ id, organization_id: 1 }, FILES, AT)
    return id
  }
  const prepare = async (): Promise<void> => {
    const preparing = createPreparing(opened)
    for (const map of await preparing.waiting(1, NONE)) {
      await preparing.note(map, { key: `${map.blobKey}.prepared`, bytes: map.bytes * 3 })
    }
  }
  const kept = (): Promise<number> => createBundles(opened).keptBytes(1)
  const PREPARED = ['1/a.js.map.prepared', '1/b.js.map.prepared']

  it('has room for its maps to be prepared, and counts what they came to', async () => {
    await upload()
    expect(await kept()).toBe(3100 + 3000)
    await prepare()
    expect(await kept()).toBe(3100 + 9000)
  })

  it('takes nothing for a map that cannot be used', async () => {
    await upload()
    const preparing = createPreparing(opened)
    for (const map of await preparing.waiting(1, NONE)) await preparing.note(map, { error: 'It is no source map.' })
    expect(await kept()).toBe(3100)
  })

  it('has the files of a bundle beside all of its prepared maps, and lets all of them go with it', async () => {
    const bundleId = await upload()
    await prepare()
    expect([...(await heldBlobs(opened.ledger, [...OWN, ...PREPARED]))].toSorted()).toEqual(
      [...OWN, ...PREPARED].toSorted(),
    )
    expect(await releasedBlobs(opened.ledger)).toEqual([])
    await removeBundles(opened.ledger, { organizationId: 1, projectId: 1 }, { bundleId })
    expect(await heldBlobs(opened.ledger, [...OWN, ...PREPARED])).toEqual([])
    expect(await releasedBlobs(opened.ledger)).toEqual([...OWN, ...PREPARED].toSorted())
    expect(await kept()).toBe(0)
  })

  it('is held again where preparing a map had released it, and its maps are prepared anew', async () => {
    const bundleId = await upload()
    const { db, dialect } = opened.ledger
    const holder = `artifact-bundle/${bundleId}`
    await db.updateTable('artifact_files').set({ prepared_key: '1/old', prepared_form: 1 }).execute()
    await db.deleteFrom('blob_holders').where('holder', '=', holder).execute()
    await db.insertInto('blob_holders').values({ holder, key: '1/old' }).execute()
    for (const statement of bytesOfPreparedMaps(dialect).filter((one) => !one.startsWith('ALTER'))) {
      await db.executeQuery(CompiledQuery.raw(statement))
    }
    expect([...(await heldBlobs(opened.ledger, [...OWN, '1/old']))].toSorted()).toEqual(OWN.toSorted())
    expect(await releasedBlobs(opened.ledger)).toEqual(['1/old'])
    expect((await createPreparing(opened).waiting(1, NONE)).map((map) => map.blobKey)).toEqual([
      '1/a.js.map',
      '1/b.js.map',
    ])
    expect(await kept()).toBe(3100 + 3000)
  })
})
