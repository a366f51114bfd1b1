import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../../storage/conformance/engines.ts'
import { batchesOf } from './batch.ts'
import { foundOf } from './found.ts'
import { endOf, MINUTE_MS, minuteOf } from './minute.ts'
import type { AskNumbers } from './numbers.ts'
import type { MeasuredRule } from './rule.ts'
import { insertErrors, numbersOf, readRule, ruleOf, type SampleError } from './test/rows.ts'
import { shifted, windowOf } from './windows.ts'

const MINUTE = minuteOf(Date.parse('2026-11-24T14:20:00.000Z'))
const END = endOf(MINUTE)
const HOUR = 3_600_000

const repeated = (count: number, error: SampleError): SampleError[] => Array.from({ length: count }, () => error)

describe.each(TELEMETRY_ENGINES)('numbers of rules on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let numbers: AskNumbers
  beforeAll(async () => {
    opened = await open()
    numbers = numbersOf(opened)
    await insertErrors(opened, [
      ...repeated(7, { received: END - 1, user: 'anna' }),
      ...repeated(5, { received: END - 4 * MINUTE_MS, environment: 'staging', release: '2.0.0', user: 'ben' }),
      // The window is half open.
      { received: END - 5 * MINUTE_MS, level: 'warning', user: 'carla' },
      { received: END, user: 'dora' },
      { received: END - 5 * MINUTE_MS - 1, user: 'emil' },
      // Of a phone that was in a tunnel: received now, three hours old by its own time.
      ...repeated(40, { received: END - 1000, at: END - 3 * HOUR }),
      // The day before, and somebody else’s.
      ...repeated(3, { received: END - 24 * HOUR - 1 }),
      ...repeated(90, { received: END - 1000, project: 2, unhandled: true }),
      ...repeated(1000, { received: END - 1000, project: 1, organization: 2 }),
    ])
  })
  afterAll(() => opened.close())

  const ask = async (rules: readonly MeasuredRule[]) => {
    const batches = batchesOf(rules.map(readRule))
    const found = []
    for (const batch of batches) {
      const window = windowOf(MINUTE, batch.windowMinutes)
      const before = batch.againstMinutes === null ? [] : [shifted(window, -batch.againstMinutes * MINUTE_MS)]
      const { readRows, rows } = await numbers(batch, { windows: [window, ...before], countsOld: true })
      expect(readRows).toBeGreaterThan(0)
      for (const member of batch.members) {
        found.push({
          id: member.rule.id,
          ...foundOf(
            rows.filter(({ cell }) => cell === member.cell),
            member,
          ),
        })
      }
    }
    return { batches: batches.length, found: found.toSorted((left, right) => left.id - right.id) }
  }
  const valueOf = async (rule: MeasuredRule) => (await ask([rule])).found[0]?.groups[0]?.value

  it('rules of one window share a statement, whatever projects, environments and levels they name', async () => {
    const { batches, found } = await ask([
      ruleOf({ id: 1, projectIds: [1] }),
      ruleOf({ id: 2, projectIds: [1], environments: ['staging', 'nowhere'] }),
      ruleOf({ id: 3, projectIds: [1], query: 'level:[warning,fatal]' }),
      ruleOf({ id: 4, projectIds: [1, 2] }),
      ruleOf({ id: 5, projectIds: [1], trigger: { aggregate: 'count_unique(user)' } }),
      ruleOf({ id: 6, projectIds: [2], trigger: { aggregate: 'failure_rate()' } }),
      ruleOf({ id: 7, projectIds: [3] }),
      ruleOf({ id: 8, projectIds: [1], organizationId: 2 }),
    ])
    expect(batches).toBe(1)
    expect(found.map(({ groups }) => groups[0]?.value)).toEqual([13, 5, 1, 103, 3, 1, undefined, 1000])
  })

  it('A29 what is older than an hour by its own time is no part of a count, and is counted by itself', async () => {
    const { found } = await ask([ruleOf({ projectIds: [1] })])
    expect(found[0]).toMatchObject({ old: 40, groups: [{ value: 13 }] })
  })

  it('a search of its own is asked by itself, with the same rows', async () => {
    expect(await valueOf(ruleOf({ projectIds: [1], query: 'user.id:anna' }))).toBe(7)
    expect(await valueOf(ruleOf({ query: 'level:warning release:1.0.0' }))).toBe(1)
    const { batches } = await ask([
      ruleOf({ id: 1, query: 'user.id:anna' }),
      ruleOf({ id: 2, query: 'user.id:anna', trigger: { aggregate: 'count_unique(user)' } }),
      ruleOf({ id: 3, query: 'user.id:ben' }),
    ])
    expect(batches).toBe(2)
  })

  it('groups come with the worst first, and with what was there before', async () => {
    const comparison = { kind: 'change', direction: 'above', percent: 50, against: 1440, floor: 0 } as const
    const { found } = await ask([ruleOf({ projectIds: [1], trigger: { groupBy: ['release'], comparison } })])
    expect(found[0]?.groups).toMatchObject([
      { values: ['1.0.0'], value: 8, before: 3 },
      { values: ['2.0.0'], value: 5, before: 0 },
    ])
  })

  it('windows that share rows count them for each', async () => {
    const comparison = { kind: 'change', direction: 'above', percent: 50, against: 60, floor: 0 } as const
    const { found } = await ask([ruleOf({ projectIds: [1], trigger: { windowMinutes: 120, comparison } })])
    // All of the window, and nothing of the two hours that ended an hour before.
    expect(found[0]).toMatchObject({ old: 40, groups: [{ value: 14, before: 0 }] })
  })
})
