import { expect, it } from 'vitest'
import { nameOf } from './name.ts'

const chunk = { id: '3136d185'.repeat(4), profilerId: 'ab'.repeat(16), threads: ['0'], transaction: '' }

it('a profile is called as its transaction, a continuous one by its threads', () => {
  expect(nameOf({ ...chunk, transaction: 'GET /cart' })).toBe('GET /cart')
  expect(nameOf({ ...chunk, profilerId: '' })).toBe('Profile 3136d185')
  expect(nameOf(chunk)).toBe('Continuous profile, thread 0')
  expect(nameOf({ ...chunk, threads: ['0', '7'] })).toBe('Continuous profile, 2 threads')
  expect(nameOf({ ...chunk, threads: [] })).toBe('Continuous profile')
})
