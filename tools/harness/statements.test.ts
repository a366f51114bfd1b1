import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { complaintsOf, statementsOf, WITHOUT_TEST } from './statements.mjs'

const ALL = statementsOf(readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'reference', 'widget.md'), 'utf8'))
const heldBy = (statement: number): string => `widget ${statement}: it does so`
const TESTED = ALL.filter((statement) => WITHOUT_TEST[statement] === undefined)

describe('the statements of the widget', () => {
  it('are numbered one after the other, and those without a test are among them', () => {
    expect(ALL).toEqual(ALL.map((_, index) => index + 1))
    expect(ALL).toEqual(expect.arrayContaining(Object.keys(WITHOUT_TEST).map(Number)))
  })

  it('are complete when each has a test that passed, alone or with others', () => {
    const [first = 0, second = 0, ...rest] = TESTED
    expect(complaintsOf(ALL, [`widget ${first}, ${second}: both`, ...rest.map(heldBy)])).toEqual([])
  })

  it('miss one when its test did not pass, has another number, or only speaks of it', () => {
    const [first = 0, ...rest] = TESTED
    const missing = [`Statement ${first} has no test that passed.`]
    expect(complaintsOf(ALL, rest.map(heldBy))).toEqual(missing)
    expect(complaintsOf(ALL, [...rest.map(heldBy), `as in widget ${first}: said elsewhere`])).toEqual(missing)
  })

  it('say when a test names one that is not there, or that is said to have none', () => {
    const [excused = 0] = Object.keys(WITHOUT_TEST).map(Number)
    expect(complaintsOf(ALL, [...TESTED.map(heldBy), heldBy(0), heldBy(excused)])).toEqual([
      `Statement ${excused} has a test; take it off the list of those without.`,
      "A test names statement 0, which the widget's list does not have.",
    ])
  })
})
