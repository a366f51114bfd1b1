import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isOwn } from '../../src/replays/list/replay-keys.ts'

const CHOICES = new URL('../../../console/src/features/replays/list/choices.ts', import.meta.url)

it('every key that the console offers in a search for replays is one that the server knows', () => {
  const keys = Array.from(readFileSync(CHOICES, 'utf8').matchAll(/^ {2,4}\{? ?key: '([^']+)'/gm), ([, key = '']) => key)
  expect(keys).toContain('visitor')
  expect(keys.filter((key) => !isOwn(key))).toEqual([])
})
