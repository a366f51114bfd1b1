import { expect, it } from 'vitest'
import type { ByAddress, FoundFile } from '../ledger/lookup.ts'
import { findMaps } from './find-maps.ts'

const fileOf = (url: string, more: Partial<FoundFile> = {}): FoundFile => ({
  id: 1,
  kind: url.endsWith('.map') ? 'source_map' : 'minified_source',
  url,
  debug_id: null,
  source_map: null,
  bundle_id: 1,
  blob_key: url,
  prepared_key: url,
  map_error: null,
  ...more,
})

/** Which map a file gets of those that were uploaded with its release; null for none. */
const mapOf = async (address: string, uploaded: readonly FoundFile[]): Promise<string | null> => {
  const lookup = {
    mapsByDebugIds: () => Promise.resolve([]),
    byAddresses: ({ urls }: ByAddress) => Promise.resolve(uploaded.filter(({ url }) => urls.includes(url))),
  }
  const place = { projectId: 1, release: 'shop@1', dist: '' }
  const map = (await findMaps(lookup, place, [{ address, debugId: null }])).get(address)
  return map?.kind === 'map' ? map.file.url : null
}

const withMap = (url: string): readonly FoundFile[] => [fileOf(url, { source_map: 'x.js.map' }), fileOf(`${url}.map`)]

it('L34: a file of one host is not that of another; one of any host is', async () => {
  const ofA = withMap('https://a.example/x.js')
  const ofAny = withMap('~/x.js')
  expect(await mapOf('https://a.example/x.js', ofA)).toBe('https://a.example/x.js.map')
  expect(await mapOf('https://b.example/x.js', ofA)).toBeNull()
  expect(await mapOf('https://a.example:8443/x.js', ofA)).toBeNull()
  expect(await mapOf('http://a.example/x.js', ofA)).toBeNull()
  expect(await mapOf('app:///x.js', ofA)).toBeNull()
  expect(await mapOf('https://b.example/x.js', ofAny)).toBe('~/x.js.map')
  expect(await mapOf('https://b.example/y/x.js', ofAny)).toBeNull()
  // Its own host is the likelier one, whichever was uploaded last.
  expect(await mapOf('https://a.example/x.js', [...ofAny, ...ofA])).toBe('https://a.example/x.js.map')
  expect(await mapOf('https://b.example/x.js', [...ofA, ...ofAny])).toBe('~/x.js.map')
})
