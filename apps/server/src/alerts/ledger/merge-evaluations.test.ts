import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createAlertRetention } from '../expiry.ts'
import { LIMITS } from '../limits.ts'
import { keepEvaluations, type Evaluation } from './evaluations.ts'
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
    all: readonly { readonly at: number; readonly decision?: 'quiet' | 'fired'; readonly group?: string }[],
  ) => {
    const rows = all.map(({ at, decision = 'quiet', group = '[]' }, place) => ({
      organization_id: 1,
      rule_id: ruleId,
      rule_version: 1,
      occasion: `minute:${at}:${place}`,
      at,
      evaluated_at: at,
      group_values: group,
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

  it('of each group by itself: what one says is not said of another', async () => {
    const rule = await measured()
    const day = Math.floor(world.clock.now() / DAY_MS) * DAY_MS
    const [shop, blog] = ['[{"name":"project","value":"shop"}]', '[{"name":"project","value":"blog"}]']
    await insert(rule.id, [
      { at: day, group: shop },
      { at: day + HOUR_MS, group: blog },
      { at: day + 2 * HOUR_MS, group: shop },
      { at: day + 3 * HOUR_MS, group: shop, decision: 'fired' },
      { at: day + 4 * HOUR_MS, group: blog, decision: 'fired' },
    ])
    await sweep(day + (LIMITS.ALERT_QUIET_DAYS + 1) * DAY_MS)
    const rows = await opened.ledger.db
      .selectFrom('alert_evaluations')
      .select(['group_values', 'decision', 'repeated'])
      .orderBy('id')
      .execute()
    expect(rows.map((row) => [row.group_values, row.decision, row.repeated])).toEqual([
      [shop, 'quiet', 119],
      [blog, 'quiet', 59],
      [shop, 'fired', 59],
      [blog, 'fired', 59],
    ])
  })

  it('more of an hour than are kept are counted at one of their own group, when an incident has them', async () => {
    const rule = await measured()
    const now = world.clock.now()
    const held = (groups: readonly string[], from: number): readonly Evaluation[] =>
      groups.map((value, place) => ({
        organizationId: 1,
        ruleId: rule.id,
        ruleVersion: 1,
        occasion: `minute:${from}:${place}`,
        at: now,
        issueId: null,
        decision: 'held',
        reason: 'frequency',
        sentence: '',
        incidentId: place + 1,
        measured: {
          group: [{ name: 'project', value }],
          value: 1,
          limit: 1,
          unit: null,
          windowMinutes: 5,
          rows: 1,
          milliseconds: 1,
        },
      }))
    const keep = (evaluations: readonly Evaluation[]): Promise<void> =>
      opened.ledger.transaction((transaction) => keepEvaluations(transaction, evaluations, now))
    await keep(held(Array<string>(LIMITS.ALERT_EVALUATIONS_AN_HOUR).fill('shop'), 1))
    for (const from of [2, 3]) await keep(held(['shop', 'blog', 'blog'], from))
    const rows = await opened.ledger.db
      .selectFrom('alert_evaluations')
      .select(({ fn }) => ['group_values', fn.countAll().as('count'), fn.sum('repeated').as('repeated')])
      .groupBy('group_values')
      .orderBy('group_values')
      .execute()
    expect(rows.map(({ count, repeated }) => [Number(count), Number(repeated)])).toEqual([
      [1, 3],
      [LIMITS.ALERT_EVALUATIONS_AN_HOUR, 2],
    ])
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
