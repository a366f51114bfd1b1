import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTakeFacts } from '../happened/take-facts.ts'
import { createTellOver } from '../happened/tell-over.ts'
import { createPersonalAlerts } from '../ledger/erase-groups.ts'
import { LIMITS } from '../limits.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import type { Ledger } from '../../storage/index.ts'
import { createAlertWorld, type AlertWorld } from '../test/alert-world.ts'
import { inOneTurn } from './turn.ts'

const SILENT = { enqueue: async () => undefined, notify: async () => undefined }

/** The others have one who writes at a time. */
const postgres = LEDGER_ENGINES.find(({ name }) => name === 'PostgreSQL')

describe.skipIf(postgres === undefined)('those who tell of alerts at the same time on PostgreSQL', () => {
  let opened: OpenedLedger
  let world: AlertWorld
  let attempts: number
  /** A transaction that has to end for another one is tried again. */
  let counting: Ledger
  beforeEach(async () => {
    if (postgres === undefined) throw new Error('there is no PostgreSQL')
    opened = await postgres.open()
    world = await createAlertWorld(opened)
    attempts = 0
    counting = {
      ...opened.ledger,
      transaction: (work) =>
        opened.ledger.transaction((transaction) => {
          attempts += 1
          return work(transaction)
        }),
    }
  }, 240_000)
  afterEach(() => opened.close())

  const touch = (db: Pick<Ledger['db'], 'updateTable'>, id: number) =>
    db.updateTable('alert_incidents').set({ swallowed: 1 }).where('id', '=', id).execute()
  const waiting = async (): Promise<boolean> => {
    const { rows } = await sql<{ waiting: number }>`SELECT count(*) AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(opened.ledger.db)
    return Number(rows[0]?.waiting) > 0
  }

  const OTHERS = [
    {
      who: 'tells of ends',
      does: async () => {
        const parts = { ledger: counting, outlets: SILENT, snoozePath: () => '/a' }
        await createTellOver(parts)(world.clock.now() + LIMITS.ALERT_UNDO_MS)
      },
    },
    {
      who: 'deletes the alert',
      does: async (ruleId: number) => {
        await world.rulesOver(counting).remove(world.actor(), ruleId)
      },
    },
  ]

  /** Incidents are of whatever the others change. */
  const become = (columns: {
    readonly subject?: string
    readonly group_values?: string
    readonly changed_at?: number
  }) => opened.ledger.db.updateTable('alert_incidents').set(columns).execute()
  const nothing = () => Promise.resolve(0)
  const REST = [
    {
      who: 'erases a person',
      before: () => become({ group_values: '[{"name":"user.email","value":"ada@x.example"}]' }),
      does: () =>
        createPersonalAlerts({
          ledger: counting,
          clock: world.clock,
          groups: { count: nothing, forget: async () => undefined },
          ended: () => undefined,
        }).erase(
          { organizationId: 1, keys: [], emails: ['ada@x.example'], receivedUntil: 0 },
          new AbortController().signal,
        ),
    },
    {
      who: 'forgets deleted reports, and takes something else with them',
      before: async () => {
        const [first] = await world.incidents()
        await opened.ledger.db
          .updateTable('alert_incidents')
          .set({ subject: 'report:9' })
          .where('id', '=', first?.id ?? 0)
          .execute()
      },
      does: () => {
        const take = createTakeFacts({
          outlets: SILENT,
          dialect: opened.ledger.dialect,
          now: world.clock.now,
          snoozePath: () => '/a',
        })
        const fact = { organizationId: 1, projectId: 1, issueId: null, reportId: null, actorId: null, receivedAt: 0 }
        const noted = { ...fact, notedAt: 0 }
        return counting.transaction((transaction) =>
          take(
            transaction,
            [
              { ...noted, id: 900, kind: 'reports_deleted', data: { reportIds: [9] } },
              { ...noted, id: 901, kind: 'issue_deleted', issueId: 77, data: { title: 'Gone' } },
            ] as never,
            { surroundings: {} } as never,
          ),
        )
      },
    },
  ]

  it.each(REST)(
    'wait for each other, and nobody has to begin again: one takes facts, the other $who',
    async ({ before, does }) => {
      await world.add()
      await world.arrive([
        { seed: '1', kind: 'a' },
        { seed: '2', kind: 'b' },
      ])
      await before()
      const [first, second] = await world.incidents()
      let others: Promise<unknown> = Promise.resolve()
      await counting.transaction((transaction) =>
        inOneTurn(
          { transaction, dialect: opened.ledger.dialect, now: world.clock.now(), outlets: SILENT },
          async () => {
            await touch(transaction, second?.id ?? 0)
            others = does()
            while (!(await waiting()));
            await touch(transaction, first?.id ?? 0)
          },
        ),
      )
      await others
      expect(attempts).toBe(2)
    },
  )

  it.each(OTHERS)(
    'wait for each other, and nobody has to begin again: one takes facts, the other $who',
    async (other) => {
      const { id: ruleId } = await world.add()
      await world.arrive([{ seed: '1', kind: 'a' }])
      await world.wait(LIMITS.ALERT_GATHER_MS)
      await world.arrive([{ seed: '2', kind: 'b' }])
      if (other.who === 'tells of ends') {
        await world.workflow.change({ ...world.actor(), ids: [1, 2], status: { kind: 'resolved' } })
        await world.run()
      }
      const [first, second] = await world.incidents()
      let others: Promise<unknown> = Promise.resolve()
      await counting.transaction((transaction) =>
        inOneTurn(
          { transaction, dialect: opened.ledger.dialect, now: world.clock.now(), outlets: SILENT },
          async ({ fired }) => {
            await touch(transaction, second?.id ?? 0)
            others = other.does(ruleId)
            while (!(await waiting()));
            await touch(transaction, first?.id ?? 0)
            // The rule is noted at the end.
            fired.set(ruleId, world.clock.now())
          },
        ),
      )
      await others
      expect(attempts).toBe(2)
    },
  )
})
