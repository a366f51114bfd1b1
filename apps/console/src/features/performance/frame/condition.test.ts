import { expect, it } from 'vitest'
import { conditionOf } from './condition.ts'

it('a part of a name is looked for in the name, each of its characters as it stands', () => {
  expect(conditionOf('  ', 'transaction')).toBe('')
  expect(conditionOf('/cart', 'transaction')).toBe('transaction:"*/cart*"')
  expect(conditionOf('say "*" to', 'transaction')).toBe(String.raw`transaction:"*say \"\*\" to*"`)
  expect(conditionOf('https://shop.test/a', 'transaction')).toBe('transaction:"*https://shop.test/a*"')
})

it('a search stays one', () => {
  expect(conditionOf('release:1.2 !os.name:iOS', 'transaction')).toBe('release:1.2 !os.name:iOS')
  expect(conditionOf('p95(span.duration):>1s', 'transaction')).toBe('p95(span.duration):>1s')
  expect(conditionOf('a:1 OR b:2', 'transaction')).toBe('(a:1 OR b:2)')
})
