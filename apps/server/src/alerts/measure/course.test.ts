import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterMinute, QUIET, type Course, type CourseRules, type Standing, type Step } from './course.ts'
import { LIMITS } from '../limits.ts'
import { MINUTE_MS } from './minute.ts'

const AT_ONCE: CourseRules = { needed: 1, of: 1, recoveryMinutes: 0, direction: 'above', hasSecondLimit: false }
const TWO_OF_THREE: CourseRules = { ...AT_ONCE, needed: 2, of: 3 }

const LIMIT = 100

/** How values stand against more than 100, which is over at 80 or fewer, and worse beyond 500. */
const standing = (value: number | null): Standing => ({
  value,
  isBeyond: value !== null && value > LIMIT,
  isFar: value !== null && value > 500,
  isBack: value !== null && value <= 80,
  isNothing: value === null,
})

const follow = (values: readonly (number | null)[], rules: CourseRules, before: Course = QUIET) => {
  let course = before
  const steps = values.map((value, minute): Step => {
    const next = afterMinute(course, standing(value), rules, minute)
    course = next.course
    return next.step
  })
  return { course, steps }
}

describe('the course of a rule', () => {
  it('is not over because nothing comes any more, until the next value says so', () => {
    expect(follow([200, null, null, 200, null, 50], AT_ONCE).steps).toEqual([
      'fired',
      'still',
      'still',
      'still',
      'still',
      'over',
    ])
    const { course } = follow([200, null, 90], AT_ONCE)
    expect(course).not.toHaveProperty('unknownSince')
    expect(course).not.toHaveProperty('nothingSince')
  })

  it.each([
    ['nothing came at all for half an hour', true, LIMITS.MEASURE_NOTHING_MINUTES],
    ['too little came for a day', false, LIMITS.MEASURE_UNKNOWN_MINUTES],
  ])('is over when %s, and not before', (_name, isNothing, minutes) => {
    let { course } = follow([200], AT_ONCE)
    const steps = Array.from({ length: minutes + 1 }, (_, minute): Step => {
      const next = afterMinute(course, { ...standing(null), isNothing }, AT_ONCE, minute + 1)
      course = next.course
      return next.step
    })
    expect(new Set(steps.slice(0, -1))).toEqual(new Set(['still']))
    expect([steps.at(-1), course.phase]).toEqual(['over', 'ok'])
  })

  it('begins to wait anew for nothing at all after too little came', () => {
    let { course } = follow([200], AT_ONCE)
    const minutes = LIMITS.MEASURE_NOTHING_MINUTES
    const steps = Array.from({ length: 2 * minutes }, (_, minute): Step => {
      const isNothing = minute !== minutes - 1
      const next = afterMinute(course, { ...standing(null), isNothing }, AT_ONCE, minute + 1)
      course = next.course
      return next.step
    })
    expect(new Set(steps)).toEqual(new Set(['still']))
  })

  it('fires beyond the limit, goes on, and is over at the limit of the recovery', () => {
    const { steps } = follow([100, 101, 90, 81, 80, 80], AT_ONCE)
    expect(steps).toEqual(['quiet', 'fired', 'still', 'still', 'over', 'quiet'])
  })

  it('waits with the all-clear until it has been better for long enough, and begins anew when it is not', () => {
    const { steps } = follow([200, 50, 50, 150, 50, 50, 50, 50], { ...AT_ONCE, recoveryMinutes: 3 })
    expect(steps).toEqual(['fired', 'still', 'still', 'still', 'still', 'still', 'still', 'over'])
  })

  it('what is unusual has to be so in two of three minutes', () => {
    expect(follow([200, 1, 1, 1], TWO_OF_THREE).steps).toEqual(['pending', 'pending', 'pending', 'quiet'])
    expect(follow([200, 1, 200], TWO_OF_THREE).steps).toEqual(['pending', 'pending', 'fired'])
    expect(follow([200, 200], TWO_OF_THREE).steps).toEqual(['pending', 'fired'])
  })

  it('is told again when it is twice as bad as was told', () => {
    const { steps, course } = follow([110, 219, 220, 439, 440], AT_ONCE)
    expect(steps).toEqual(['fired', 'still', 'worse', 'still', 'worse'])
    expect(course).toMatchObject({ peak: 440, told: 440 })
  })

  it('is told again beyond a second limit, once, and not for being twice as bad', () => {
    const { steps } = follow([110, 400, 501, 400, 600], { ...AT_ONCE, hasSecondLimit: true })
    expect(steps).toEqual(['fired', 'still', 'worse', 'still', 'still'])
  })

  it('flaps after four changes, and is calm after a quarter of an hour', () => {
    const { steps } = follow([200, 1, 200, 1, 200, 1, ...Array.from({ length: 20 }, () => 1)], AT_ONCE)
    expect(steps.slice(0, 4)).toEqual(['fired', 'over', 'fired', 'flapping'])
    expect(steps.indexOf('calm')).toBe(5 + LIMITS.ALERT_FLAPPING_CALM_MS / MINUTE_MS)
    expect(steps.filter((step) => step === 'flapping')).toHaveLength(1)
  })

  const value = fc.option(fc.integer({ min: 0, max: 1000 }), { nil: null, freq: 10 })
  const values = fc.array(value, { maxLength: 200 })
  const rules = fc.record({
    needed: fc.constantFrom(1, 2),
    of: fc.constant(3),
    recoveryMinutes: fc.constantFrom(0, 1, 5, 15),
    direction: fc.constant('above' as const),
    hasSecondLimit: fc.boolean(),
  })

  it('nothing is over that did not fire, nothing fires twice, and only what fires becomes worse', () => {
    /** From which to which of not firing (false) and firing (true) a step goes, where it says so. */
    const ways: Partial<Record<Step, readonly boolean[]>> = {
      fired: [false, true],
      over: [true, false],
      worse: [true, true],
      quiet: [false, false],
      pending: [false, false],
      still: [true, true],
    }
    fc.assert(
      fc.property(values, rules, (list, of) => {
        let course = QUIET
        const seen = list.map((one, minute) => {
          const before = course.phase === 'firing' || course.phase === 'recovering'
          const next = afterMinute(course, standing(one), of, minute)
          course = next.course
          const after = course.phase === 'firing' || course.phase === 'recovering'
          return { step: next.step, way: [before, after] }
        })
        expect(seen.filter(({ step, way }) => ways[step]?.join() !== way.join() && ways[step] !== undefined)).toEqual(
          [],
        )
      }),
    )
  })

  it('a course is the same whether its minutes are gone through at once or after a restart in between', () => {
    fc.assert(
      fc.property(values, rules, fc.nat(200), (list, of, cut) => {
        const at = Math.min(cut, list.length)
        let course = QUIET
        list.forEach((one, minute) => {
          // What is kept over a restart is JSON.
          if (minute === at) course = JSON.parse(JSON.stringify(course)) as Course
          course = afterMinute(course, standing(one), of, minute).course
        })
        expect(course).toEqual(follow(list, of).course)
      }),
    )
  })

  it('what is within its limits for long enough is over, whatever was before', () => {
    fc.assert(
      fc.property(values, rules, (list, of) => {
        const { course } = follow([...list, ...Array.from({ length: 60 }, () => 0)], of)
        expect(course).toEqual({ ...QUIET, beyond: [false, false, false] })
      }),
    )
  })
})
