import { afterEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import type { OutcomeRow, SpoolRecord } from '../road.ts'
import { createRefusals } from './refusals.ts'
import type { Refusals } from './refusals.ts'

const row = (more: Partial<OutcomeRow> = {}): OutcomeRow => ({
  organizationId: 1,
  projectId: 7,
  keyId: 3,
  timestamp: 1_795_000_000_000,
  outcome: 'rate_limited',
  reason: 'key_quota',
  itemType: 'event',
  category: 'error',
  sdk: 'a/1',
  quantity: 1,
  bytes: 10,
  ...more,
})

let refusals: Refusals | null = null
afterEach(async () => {
  await refusals?.close()
  refusals = null
})

const create = (append: (record: SpoolRecord) => Promise<void>, maxKeys = 100): Refusals => {
  refusals = createRefusals({
    spool: { append },
    clock: { now: () => 5 },
    logger: createLogger(
      'error',
      () => undefined,
      () => 0,
    ),
    flushMs: 1,
    maxKeys,
  })
  return refusals
}

const sum = (records: readonly SpoolRecord[]): number =>
  records.reduce(
    (total, record) =>
      total + (record.kind === 'outcomes' ? record.outcomes.reduce((part, entry) => part + entry.quantity, 0) : 0),
    0,
  )

describe('refusals', () => {
  it('are summed by key and minute and written as one record', async () => {
    const records: SpoolRecord[] = []
    const counted = create(async (record) => void records.push(record))
    for (const more of [{}, { timestamp: 1_795_000_000_999 }, { itemType: 'session' }]) counted.count(row(more))
    await counted.close()
    expect(records).toMatchObject([
      {
        kind: 'outcomes',
        receivedAt: 5,
        outcomes: [{ itemType: 'event', quantity: 2, bytes: 20 }, { itemType: 'session' }],
      },
    ])
  })

  it('keep their number when there are more different ones than are held', async () => {
    const records: SpoolRecord[] = []
    const counted = create(async (record) => void records.push(record), 10)
    for (let index = 0; index < 1000; index += 1) counted.count(row({ sdk: `sdk/${index}` }))
    await counted.close()
    expect(sum(records)).toBe(1000)
    expect(records.flatMap((record) => (record.kind === 'outcomes' ? record.outcomes : [])).length).toBe(11)
  })

  it('of one key take no reason from another key', async () => {
    const records: SpoolRecord[] = []
    const counted = create(async (record) => void records.push(record), 10_000)
    for (let sdk = 0; sdk < 50; sdk += 1) {
      for (let type = 0; type < 50; type += 1) counted.count(row({ sdk: `sdk/${sdk}`, itemType: `invented_${type}` }))
    }
    counted.count(row({ keyId: 4, reason: 'storage_full' }))
    await counted.close()
    const rows = records.flatMap((record) => (record.kind === 'outcomes' ? record.outcomes : []))
    expect(rows.filter(({ keyId }) => keyId === 3).length).toBeLessThanOrEqual(LIMITS.REFUSALS_ROWS_PER_KEY + 1)
    expect(rows.filter(({ keyId }) => keyId === 4)).toMatchObject([{ reason: 'storage_full', sdk: 'a/1' }])
    expect(sum(records)).toBe(2501)
  })

  it('are counted on while the disk is full', async () => {
    const records: SpoolRecord[] = []
    let failures = 0
    const counted = create(async (record) => {
      if (failures < 3) {
        failures += 1
        throw new Error('ENOSPC')
      }
      records.push(record)
    })
    counted.count(row())
    const deadline = Date.now() + 60_000
    while (records.length === 0) {
      if (Date.now() > deadline) throw new Error('waited too long')
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    counted.count(row())
    await counted.close()
    expect(sum(records)).toBe(2)
  })
})
