import { expect, it } from 'vitest'
import { createAssetSpace } from './asset-space.ts'

it('R103 a picture is freed with the last replay that has it, and what a style sheet names with the last sheet', () => {
  const space = createAssetSpace({
    uses: [
      ['one', 1],
      ['one', 2],
      ['two', 1],
      ['two', 3],
      ['three', 6],
    ],
    parts: [
      [2, 4],
      [3, 4],
      [3, 5],
      [9, 5],
    ],
    // A replay that is none of these has 6.
    replaysOf: new Map([
      [1, 2],
      [2, 1],
      [3, 1],
      [6, 2],
    ]),
    blobs: [
      { id: 1, key: 'a', bytes: 1 },
      { id: 2, key: 'b', bytes: 10 },
      { id: 3, key: 'c', bytes: 100 },
      { id: 4, key: 'd', bytes: 1000 },
      { id: 5, key: 'e', bytes: 10_000 },
      { id: 6, key: 'f', bytes: 100_000 },
    ],
    rowsOf: new Map(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, key === 'b' ? 2 : 1])),
  })
  // Another asset has the bytes of 2, the other replay has 1, the other sheet 4.
  expect(space.release('one')).toBe(0)
  // 5 stands in a sheet of somebody else.
  expect(space.release('two')).toBe(1101)
  expect(space.release('three')).toBe(0)
  expect(space.release('nobody')).toBe(0)
})
