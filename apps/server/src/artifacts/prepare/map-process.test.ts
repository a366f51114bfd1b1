import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PreparedMap } from '../maps/prepared-map.ts'
import { createMapProcess } from './map-process.ts'

const reader = createMapProcess()
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firsthand-map-process-'))
})

afterEach(() => {
  reader.end()
  rmSync(folder, { recursive: true, force: true })
})

const asked = (map: string | Uint8Array) => {
  const paths = { map: join(folder, 'map'), code: null, out: join(folder, 'out') }
  writeFileSync(paths.map, map)
  return paths
}

/** Reading takes twice so many bytes: letters that are none of the first 256 take two each. */
const mapWith = (letters: number): string =>
  JSON.stringify({
    version: 3,
    sources: ['src/tea.ts'],
    sourcesContent: ['茶'.repeat(letters)],
    names: [],
    mappings: 'AAAA',
  })

it('reads a map within the memory that it is given, and outlives one that needs more', async () => {
  expect(await reader.ask(asked(mapWith(32 * 1024 * 1024)), 32)).toEqual({ kind: 'beyond' })
  const paths = asked(mapWith(1024))
  const read = await reader.ask(paths, 32)
  const made = readFileSync(paths.out)
  expect(read).toEqual({
    kind: 'prepared',
    bytes: made.length,
    sha256: createHash('sha256').update(made).digest('hex'),
  })
  expect(PreparedMap.of(made)?.sourceName(0)).toBe('src/tea.ts')
})

it('says what is no map, and goes on', async () => {
  expect(await reader.ask(asked('<html>'), 64)).toMatchObject({
    kind: 'refused',
    sentence: expect.stringContaining('HTML'),
  })
  expect(await reader.ask({ map: join(folder, 'none'), code: null, out: join(folder, 'out') }, 64)).toMatchObject({
    kind: 'failed',
    error: expect.stringContaining('ENOENT'),
  })
  expect(await reader.ask(asked(mapWith(1)), 64)).toMatchObject({ kind: 'prepared' })
})
