import { expect, it } from 'vitest'
import { directionOf, sortedBy } from './sort.ts'

it('the head of a column sorts the largest first, of names and the like the smallest, and turns it round', () => {
  expect([sortedBy('-total', 'p95'), sortedBy('-p95', 'p95'), sortedBy('p95', 'p95')]).toEqual(['-p95', 'p95', '-p95'])
  expect([sortedBy('-total', 'name', ['name']), sortedBy('name', 'name', ['name'])]).toEqual(['name', '-name'])
})

it('the head of a column says how it is sorted by it', () => {
  expect([directionOf('-p95', 'p95'), directionOf('p95', 'p95'), directionOf('-p95', 'p50')]).toEqual([
    'descending',
    'ascending',
    'none',
  ])
})
