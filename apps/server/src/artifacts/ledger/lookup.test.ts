import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { plansOf } from '../../storage/conformance/plans.ts'
import { createBundles, type NewFile } from './bundles.ts'
import { keepFetched } from './fetched-bundles.ts'
import { createArtifactLookup, type ArtifactLookup } from './lookup.ts'

const VENDOR = 'f'.repeat(32)
const APP = 'a'.repeat(32)

const fileOf = (blob: string, kind: NewFile['kind'], debugId: string): NewFile => ({
  kind,
  type: kind,
  url: `~/${debugId}.js${kind === 'source_map' ? '.map' : ''}`,
  debug_id: debugId,
  source_map: null,
  headers: '{}',
  blob_key: `1/${blob}`,
  bytes: 1,
  sha1: '0'.repeat(40),
})
const build = (name: string, debugId: string): readonly NewFile[] => [
  fileOf(`${name}.js`, 'minified_source', debugId),
  fileOf(`${name}.map`, 'source_map', debugId),
]

describe.each(LEDGER_ENGINES)('maps by debug id on $name', ({ open }) => {
  let opened: OpenedLedger
  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
  })
  afterEach(() => opened.close())

  let checksums = 0
  const keyOf = (release: string) => ({
    organizationId: 1,
    checksum: String(++checksums).padStart(40, '0'),
    release,
    dist: '',
  })
  const upload = async (release: string, files: readonly NewFile[], at: number, projectIds = [1]): Promise<void> => {
    const bundles = createBundles(opened)
    const id = await bundles.begin(keyOf(release), { pieces: [], projectIds, now: at })
    await bundles.finish({ id, organization_id: 1 }, files, at)
  }
  const found = async (projectId: number, ids: readonly string[]): Promise<readonly string[]> =>
    (await createArtifactLookup(opened).mapsByDebugIds(projectId, ids)).map((file) => file.blob_key).toSorted()

  it('are one for each id, of the newest upload of the project; one from a site comes after all', async () => {
    await upload('shop@1', [...build('vendor-1', VENDOR), ...build('app-1', APP)], 1)
    await upload('shop@3', build('vendor-3', VENDOR), 3)
    await upload('shop@2', build('vendor-2', VENDOR), 2)
    await upload('api@1', build('api', VENDOR), 9, [2])
    await keepFetched(opened.ledger, keyOf(''), { files: build('site', VENDOR), now: 10, projectId: 1 })
    expect(await found(1, [VENDOR, APP])).toEqual(['1/app-1.map', '1/vendor-3.map'])
    expect(await found(2, [VENDOR, APP])).toEqual(['1/api.map'])
    expect(await found(3, [VENDOR])).toEqual([])
  })
})

it('looking for a debug id, or for an address in a release, reads what has it, and not all that the project has', async () => {
  const [sqlite] = LEDGER_ENGINES
  if (sqlite === undefined) throw new Error('there is no SQLite')
  const { close, ledger } = await sqlite.open()
  const ways = async (ask: (lookup: ArtifactLookup) => Promise<unknown>): Promise<readonly string[]> => {
    const plans = await plansOf(ledger, (recorded) => ask(createArtifactLookup({ ledger: recorded })))
    return [...new Set(plans.flat())].filter((line) => /^(?:SEARCH|SCAN) artifact_(?:bundles|files) /.test(line))
  }
  expect(await ways((lookup) => lookup.mapsByDebugIds(1, [APP]))).toEqual([
    'SEARCH artifact_files USING INDEX artifact_files_by_debug_id (organization_id=? AND debug_id=?)',
    'SEARCH artifact_bundles USING INTEGER PRIMARY KEY (rowid=?)',
  ])
  const address = { projectId: 1, release: 'shop@1', dist: '', urls: ['~/app.js'] }
  expect(await ways((lookup) => lookup.byAddresses(address))).toEqual([
    'SEARCH artifact_bundles USING INDEX artifact_bundles_by_release (organization_id=? AND release_version=?)',
    'SEARCH artifact_files USING INDEX artifact_files_by_bundle (bundle_id=? AND url=?)',
  ])
  await close()
})
