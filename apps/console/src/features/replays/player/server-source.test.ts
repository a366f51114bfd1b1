import { expect, it } from 'vitest'

import type { Assets } from './assets.ts'
import { withAssets } from './server-source.ts'
import { askForRest, type Chunk, type ChunkAnswer } from './source.ts'

it('what was kept for a page is waited for no longer than there is patience, and is there when it comes later', async () => {
  const { promise: loading, resolve: load } = Promise.withResolvers<Assets>()
  const { promise: patience, resolve: tire } = Promise.withResolvers<void>()
  const prepared: string[] = []
  const kept = { size: 1 } as unknown as ReturnType<Assets['kept']>
  const chunks = {
    chunks: () => Promise.resolve({ chunks: [], preparing: false }),
    chunk: (number: number) => Promise.resolve(`c${number}`),
  }
  const source = withAssets(chunks, loading, () => patience)
  const { signal } = new AbortController()
  const without = source.chunk(0, signal)
  tire()
  expect(await without).toBe('c0')
  expect(source.kept?.()).toBeUndefined()
  load({
    prepare: (text) => {
      prepared.push(text)
      return Promise.resolve()
    },
    kept: () => kept,
  })
  await loading
  expect(await source.chunk(1, signal)).toBe('c1')
  await expect.poll(() => prepared).toEqual(['c0', 'c1'])
  expect(source.kept?.()).toBe(kept)
})

it('R41 of a replay that is still cut only the chunks are asked for that are not there yet', async () => {
  const [a, b, c] = [0, 1, 2].map((number) => ({ number, from: number, to: number + 1 })) as [Chunk, Chunk, Chunk]
  const asked: number[] = []
  const answering = (answer: ChunkAnswer) => (after: number) => {
    asked.push(after)
    return Promise.resolve(answer)
  }
  const first = await askForRest(undefined, answering({ first: 0, chunks: [a], preparing: true }))
  const grown = await askForRest(first, answering({ first: 1, chunks: [b, c], preparing: false }))
  expect(grown).toEqual({ chunks: [a, b, c], preparing: false })
  // All that came later has other numbers.
  expect(await askForRest(grown, answering({ first: 0, chunks: [c], preparing: true }))).toMatchObject({ chunks: [c] })
  // It was cut anew meanwhile.
  expect(await askForRest(first, answering({ first: 0, chunks: [b], preparing: false }))).toMatchObject({ chunks: [b] })
  expect(asked).toEqual([-1, 0, -1, 0])
})
