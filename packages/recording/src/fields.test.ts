import { expect, it } from 'vitest'
import { fieldsOf, isFields, listOf, textOf } from './fields.ts'

const OTHERS = [undefined, null, 0, true, 'text', [1], { length: 1 }]

it('takes an object for one with fields, and no list', () => {
  expect(OTHERS.filter(isFields)).toEqual([{ length: 1 }])
  expect(OTHERS.map(fieldsOf)).toEqual([{}, {}, {}, {}, {}, {}, { length: 1 }])
})

it('reads no list out of what only looks like one', () => {
  expect(OTHERS.map(listOf)).toEqual([[], [], [], [], [], [1], []])
})

it('reads a text out of nothing but a text', () => {
  expect(OTHERS.map(textOf)).toEqual(['', '', '', '', 'text', '', ''])
})
