import { randomBytes } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { temporaryFolder } from '../../storage/conformance/engines.ts'
import { LIMITS } from '../limits.ts'
import { unpackBundle } from './unpack.ts'
import { zipOf } from './zip.fixture.ts'

const folder = temporaryFolder()
afterEach(folder.remove)

/** Of an archive that says its only file is of this kind and unpacks to so many bytes. */
const unpacked = async (type: string, size: number): Promise<readonly string[]> => {
  const path = join(folder.path, 'bundle')
  const list = { files: { 'app.js.map': { type, url: '~/app.js.map' } } }
  // Nothing that packs: an archive that grows by more than it may is refused before.
  const content = randomBytes(Math.ceil(size / LIMITS.ARCHIVE_RATIO) + 1000)
  writeFileSync(
    path,
    zipOf([
      { name: 'app.js.map', content, size },
      { name: 'manifest.json', content: JSON.stringify(list) },
    ]),
  )
  const names: string[] = []
  for await (const files of unpackBundle(path, folder.path)) names.push(...files.map(({ url }) => url))
  return names
}

it('L28: a source map of 500 MB is refused with the limit, before a byte of it is unpacked', async () => {
  await expect(unpacked('source_map', 500_000_000)).rejects.toThrow(
    `The source map “app.js.map” is 500000000 bytes; ${LIMITS.SOURCE_MAP_BYTES} are taken.`,
  )
  expect(readdirSync(folder.path)).toEqual(['bundle'])
  // Of another kind it would be taken: that it is not what is said comes out when it is unpacked.
  await expect(unpacked('source', 500_000_000)).rejects.toThrow('is not what its list says')
})
