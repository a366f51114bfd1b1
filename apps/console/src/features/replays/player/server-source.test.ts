import { expect, it } from 'vitest'

import type { Assets } from './assets.ts'
import { withAssets } from './server-source.ts'

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
