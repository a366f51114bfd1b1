import { expect, it } from 'vitest'

import { withNamed } from './shared-assets.ts'

const named = (...names: readonly string[]): string =>
  names.map((name) => `data:image/gif;kept=${name};base64,`).join(' ')
const { signal } = new AbortController()

it('R69 R99 what was made up is asked for once and waited for once; what failed is asked for again', async () => {
  const asked: string[] = []
  let tired = 0
  let tire: () => void = () => undefined
  const source = withNamed(
    {
      chunks: () => Promise.resolve({ chunks: [], preparing: false }),
      chunk: () => Promise.resolve(named('there', 'made-up', 'failed', 'slow')),
    },
    (name) => {
      asked.push(name)
      if (name === 'failed') return Promise.reject(new Error('The connection failed'))
      if (name === 'slow') return new Promise(() => undefined)
      return Promise.resolve(name === 'there' ? 'data:image/png;base64,AAAA' : undefined)
    },
    () => {
      tired += 1
      return new Promise((resolve) => {
        tire = resolve
      })
    },
  )
  const first = source.chunk(0, signal)
  await expect.poll(() => tired).toBe(1)
  tire()
  await first
  expect(source.kept?.()?.shown(named('there'), null)).toBe('data:image/png;base64,AAAA')
  // Nobody loses patience with what was waited for before.
  await source.chunk(1, signal)
  await source.chunk(2, signal)
  expect(asked).toEqual(['there', 'made-up', 'failed', 'slow', 'failed', 'failed'])
})

it('R69 R99 more names than a replay can have are not asked for', async () => {
  let asked = 0
  const source = withNamed(
    {
      chunks: () => Promise.resolve({ chunks: [], preparing: false }),
      chunk: (number) => Promise.resolve(named(...Array.from({ length: 1000 }, (_, place) => `${number}-${place}`))),
    },
    () => {
      asked += 1
      return Promise.resolve(undefined)
    },
  )
  for (let number = 0; number < 5; number += 1) await source.chunk(number, signal)
  expect(asked).toBe(2000)
})
