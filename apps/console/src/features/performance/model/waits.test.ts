import { expect, it } from 'vitest'
import { WAIT_COUNT, WAIT_P95, waitCondition, waitsOf } from './waits.ts'

const row = (release: unknown, p95: number, samples = 40) => ({ release, [WAIT_P95]: p95, [WAIT_COUNT]: samples })

it('compares who waits longest, of those with samples enough, and marks who stands out', () => {
  expect(
    waitsOf('release', [row('1.0', 1000), row('1.1', 2000), row('', 9000), row(null, 9000), row('1.2', 9000, 4)]),
  ).toEqual([
    { value: '1.1', name: '1.1', p95: 2000, share: 1, isSlow: true },
    { value: '1.0', name: '1.0', p95: 1000, share: 0.5, isSlow: false },
  ])
  expect(waitsOf('release', [row('1.0', 1000), row('1.1', 1100)]).map(({ isSlow }) => isSlow)).toEqual([false, false])
})

it('calls releases by their version, and in full where two packages have the same', () => {
  const names = (...releases: string[]) =>
    waitsOf(
      'release',
      releases.map((release, place) => row(release, 1000 - place)),
    ).map(({ name }) => name)
  expect(names('web@1.0', 'web@1.1')).toEqual(['1.0', '1.1'])
  expect(names('web@1.0', 'api@1.0')).toEqual(['web@1.0', 'api@1.0'])
})

it('says nothing where there is nothing to compare', () => {
  expect(waitsOf('release', [row('1.0', 1000)])).toEqual([])
})

it('asks for the transaction itself, whatever is in its name', () => {
  expect(waitCondition({ transaction: 'GET /cart' })).toBe('is_transaction:1 transaction:"GET /cart"')
  expect(waitCondition({ transaction: '/', op: 'pageload' })).toBe('is_transaction:1 transaction:/ span.op:pageload')
})

it('asks for those runs alone that the page is about', () => {
  const asked = waitCondition({ transaction: 'GET /a', query: 'release:1 OR release:2' })
  expect(asked.startsWith('is_transaction:1 transaction:')).toBe(true)
  expect(asked.endsWith(' (release:1 OR release:2)')).toBe(true)
})
