import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createAlertRetention } from '../expiry.ts'
import { LIMITS } from '../limits.ts'
import { createAlertWorld, type AlertWorld } from '../test/alert-world.ts'

describe.each(LEDGER_ENGINES)('evaluations that are kept for long, on $name', ({ open }) => {
  let opened: OpenedLedger
  let world: AlertWorld
  beforeEach(async () => {
    opened = await open()
    world = await createAlertWorld(opened)
  })
  afterEach(() => opened.close())

  const measured = () =>
    world.add({
      trigger: {
        source: 'measured',
        dataset: 'errors',
        aggregate: 'count()',
        windowMinutes: 5,
        comparison: { kind: 'fixed', direction: 'above', limit: 10, worseLimit: null },
      },
    })

  const insert = async (
    ruleId: number,
    all: readonly { readonly at: number; readonly decision?: 'quiet' | 'fired' }[],
  ) => {
    const rows = all.map(({ at, decision = 'quiet' }, place) => ({
      organization_id: 1,
      rule_id: ruleId,
      rule_version: 1,
      occasion: `minute:${at}:${place}`,
      at,
      evaluated_at: at,
      group_values: '[]',
      decision,
      reason: 'other' as const,
      sentence: '',
      repeated: 59,
    }))
    while (rows.length > 0) {
      await opened.ledger.db.insertInto('alert_evaluations').values(rows.splice(0, 500)).execute()
    }
  }

  const sweep = async (now: number): Promise<void> => {
    const { sweep: run } = createAlertRetention({ ledger: opened.ledger, purge: world.rules.purge })
    await run?.(now, new AbortController().signal)
  }

  const kept = () =>
    opened.ledger.db.selectFrom('alert_evaluations').select(['decision', 'repeated']).orderBy('id').execute()

  it('A20: hours that were quiet are one of their day when that is over for a while, and it says how many they were', async () => {
    const rule = await measured()
    const day = Math.floor(world.clock.now() / DAY_MS) * DAY_MS
    await insert(rule.id, [
      ...Array.from({ length: 24 }, (_, hour) => ({ at: day + hour * HOUR_MS })),
      { at: day + DAY_MS - 1, decision: 'fired' },
      { at: day + DAY_MS },
      { at: day + DAY_MS + 1 },
    ])
    const all = [
      { decision: 'quiet', repeated: 24 * 60 - 1 },
      { decision: 'fired', repeated: 59 },
      { decision: 'quiet', repeated: 59 },
      { decision: 'quiet', repeated: 59 },
    ]
    await sweep(day + (LIMITS.ALERT_QUIET_DAYS + 1) * DAY_MS - 1)
    expect(await kept()).toHaveLength(27)
    await sweep(day + (LIMITS.ALERT_QUIET_DAYS + 1) * DAY_MS)
    expect(await kept()).toEqual(all)
    await sweep(day + (LIMITS.ALERT_QUIET_DAYS + 1) * DAY_MS)
    expect(await kept()).toEqual(all)
  })

  it('are the newest of each alert', async () => {
    const [rule, other] = [await measured(), await measured()]
    const now = world.clock.now()
    await insert(
      rule.id,
      Array.from({ length: LIMITS.ALERT_EVALUATIONS_KEPT + 3 }, (_, place) => ({ at: now + place, decision: 'fired' })),
    )
    await insert(other.id, [{ at: now, decision: 'fired' }])
    await sweep(now + HOUR_MS)
    const rows = await opened.ledger.db
      .selectFrom('alert_evaluations')
      .select(({ fn }) => ['rule_id', fn.countAll().as('count'), fn.min('at').as('first')])
      .groupBy('rule_id')
      .orderBy('rule_id')
      .execute()
    expect(rows.map(({ count, first }) => [Number(count), first - now])).toEqual([
      [LIMITS.ALERT_EVALUATIONS_KEPT, 3],
      [1, 0],
    ])
  })
})
