import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { createAlertWorld, type AlertWorld } from '../test/alert-world.ts'
import { inOneTurn } from './turn.ts'

const SILENT = { enqueue: async () => undefined, notify: async () => undefined }

describe.each(LEDGER_ENGINES)('a turn, on $name', ({ open }) => {
  let opened: OpenedLedger
  let world: AlertWorld
  beforeEach(async () => {
    opened = await open()
    world = await createAlertWorld(opened)
  }, 240_000)
  afterEach(() => opened.close())

  /** Counts statements that change rules. */
  const counting = (transaction: LedgerTransaction, counted: () => void): LedgerTransaction =>
    new Proxy(transaction, {
      get: (target, name) => {
        if (name === 'updateTable') counted()
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })

  it('notes in one statement when rules fired that fired in one moment', async () => {
    const ids: number[] = []
    for (let rule = 0; rule < 30; rule += 1) ids.push((await world.add({ name: `Rule ${rule}` })).id)
    let statements = 0
    const count = (): void => {
      statements += 1
    }
    await opened.ledger.transaction((transaction) =>
      inOneTurn(
        { transaction: counting(transaction, count), dialect: opened.ledger.dialect, now: 5, outlets: SILENT },
        async ({ fired }) => {
          for (const id of ids) fired.set(id, id === ids[0] ? 6 : 7)
        },
      ),
    )
    expect(statements).toBe(2)
    const rules = await world.rules.list(1, world.clock.now())
    const firedAt = new Map(rules.map(({ id, lastFiredAt }) => [id, lastFiredAt]))
    expect(ids.map((id) => firedAt.get(id))).toEqual([6, ...ids.slice(1).map(() => 7)])
  })
})
