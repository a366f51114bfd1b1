import { describe, expect, it } from 'vitest'
import type { Ledger } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import { createCosts } from './costs.ts'
import { createEvaluateMinute } from './evaluate-minute.ts'
import { createPlanner } from './plan.ts'
import { createSilences } from './silence.ts'
import { Standings } from './standings.ts'
import { DATASETS, ruleOf } from './test/rows.ts'

const MINUTE = 1000

/** Which rules with searches of their own are evaluated. @param each what telemetry works on one, and what passes by then */
const createMinutes = (each: { readonly workedMs: number; readonly passesMs: number }) => {
  let time = 0
  const evaluated: number[] = []
  const never = (): never => {
    throw new Error('No rule here is about nothing.')
  }
  const evaluateMinute = createEvaluateMinute({
    evaluateBatch: async ({ members }) => {
      time += each.passesMs
      evaluated.push(...members.map(({ rule }) => rule.id))
      const { workedMs } = each
      return { outcomes: [], readRows: 0, milliseconds: workedMs, workedMs, isStopped: false }
    },
    silences: createSilences({ numbers: never, coursesOf: never, namesOf: never }),
    // Nothing is kept here.
    costs: createCosts({ ledger: {} as Ledger }),
    standing: new Standings(),
    now: () => 0,
    elapsed: () => time,
  })
  const rule = (id: number, organizationId: number) =>
    ruleOf({ id, organizationId, query: `message:"number ${id}"`, projectIds: [organizationId] })
  const many = Array.from({ length: 40 }, (_, index) => rule(index + 1, 1))
  const plan = createPlanner(DATASETS).plan(
    [...many, rule(50, 2)],
    new Map([
      [1, [1]],
      [2, [2]],
    ]),
  )
  return async (minute: number) => {
    evaluated.length = 0
    const outcomes = await evaluateMinute(plan, { minute, lateSeconds: 0, gap: null })
    return { evaluated: [...evaluated], outcomes }
  }
}

describe('alerts with searches of their own, where a minute has not time for all', () => {
  const slow = { workedMs: LIMITS.MEASURE_OWN_TIME_MS / 5 + 1, passesMs: 1 }

  it('A32: organisations take turns, and a few are evaluated however long they take', async () => {
    const pass = createMinutes(slow)
    const first = await pass(MINUTE)
    expect(first.evaluated).toHaveLength(LIMITS.MEASURE_OWN_LEAST)
    expect(first.evaluated).toContain(50)
  })

  it('A32: what passes while the machine does something else keeps none waiting, as long as the next minute need not wait', async () => {
    const busy = await createMinutes({ workedMs: 10, passesMs: LIMITS.MEASURE_OWN_ELAPSED_MS / 45 })(MINUTE)
    expect(busy.evaluated).toHaveLength(41)
    const busier = await createMinutes({ workedMs: 10, passesMs: LIMITS.MEASURE_OWN_ELAPSED_MS / 15 })(MINUTE)
    expect(busier.evaluated).toHaveLength(16)
  })

  it('A32: those that waited say so, and come first in the next minute', async () => {
    const pass = createMinutes(slow)
    const first = await pass(MINUTE)
    const waiting = first.outcomes.map(({ rule }) => rule.id)
    expect(waiting).toHaveLength(41 - LIMITS.MEASURE_OWN_LEAST)
    expect(first.outcomes[0]).toMatchObject({ step: 'unknown', reason: 'over_budget' })
    expect(first.outcomes[0]?.sentence()).toMatch(/^Not evaluated in this minute: .* It is among the first of the next/)
    const next = await pass(MINUTE + 1)
    expect(next.evaluated.filter((id) => id !== 50).every((id) => waiting.includes(id))).toBe(true)
  })
})
