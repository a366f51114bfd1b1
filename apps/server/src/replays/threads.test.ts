import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

const SOURCES = join(import.meta.dirname, '..')

/** Files of the server that come with one, types aside. */
const loadedWith = (entry: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    found.add(path)
    for (const [, clause = '', named = ''] of readFileSync(path, 'utf8').matchAll(
      /^(?:import|export) ([^';]*?) ?from '(\.[^']+)'/gm,
    ))
      if (!clause.startsWith('type ')) waiting.push(join(dirname(path), named))
  }
  return new Set(Array.from(found, (path) => relative(SOURCES, path)))
}

const threads = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('-thread.ts') && path !== 'asked-thread.ts')
  .map((path) => ({ path, files: [...loadedWith(join(import.meta.dirname, path))] }))

/** Bounds are no store. */
const STORES = /^(?:storage|http|ingest)\/(?!limits\.ts)|\/(?:ledger|telemetry)\//

it('R118 threads that read hostile recordings have no store, no HTTP and nothing of the road', () => {
  expect(threads.length).toBeGreaterThan(5)
  expect(threads.flatMap(({ files }) => files.filter((file) => STORES.test(file)))).toEqual([])
})

it('threads of replays begin with few files; only the one that writes tests brings what takes secrets out', () => {
  const large = threads.filter(({ files }) => files.some((file) => file.startsWith('event/')))
  expect(large.map(({ path }) => path)).toEqual(['repro/repro-thread.ts'])
})
