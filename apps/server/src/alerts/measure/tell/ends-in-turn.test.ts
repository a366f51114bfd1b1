import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../lib/durations.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../../../storage/conformance/engines.ts'
import { createAlertRetention } from '../../expiry.ts'
import { createPersonalAlerts } from '../../ledger/erase-groups.ts'
import { openIncident } from '../../ledger/incidents.ts'
import { LIMITS } from '../../limits.ts'
import { createAlertWorld, type AlertWorld } from '../../test/alert-world.ts'
import { inOneTurn } from '../../telling/turn.ts'
import { GROUP } from '../../telling/thread.ts'
import { QUIET } from '../course.ts'
import { groupKey } from '../found.ts'
import { minuteOf } from '../minute.ts'
import type { Outcome } from '../outcome.ts'
import { changeIncident, endIncidentsOfGroups, endIncidentsOfRules, incidentsOf } from './incidents.ts'

const SILENT = { enqueue: async () => undefined, notify: async () => undefined }
const KEY = groupKey(['ada@x.example'])

/** The others have one who writes at a time. */
const postgres = LEDGER_ENGINES.find(({ name }) => name === 'PostgreSQL')

describe.skipIf(postgres === undefined)('incidents that end while a minute tells of them, on PostgreSQL', () => {
  let opened: OpenedLedger
  let world: AlertWorld
  beforeEach(async () => {
    if (postgres === undefined) throw new Error('there is no PostgreSQL')
    opened = await postgres.open()
    world = await createAlertWorld(opened)
  }, 240_000)
  afterEach(() => opened.close())

  const waiting = async (): Promise<boolean> => {
    const { rows } = await sql<{ waiting: number }>`SELECT count(*) AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(opened.ledger.db)
    return Number(rows[0]?.waiting) > 0
  }

  const ada = { organizationId: 1, keys: ['email:ada@x.example'], emails: ['ada@x.example'], receivedUntil: 0 }

  interface Other {
    readonly who: string
    readonly goesOn?: boolean
    readonly does: (ruleId: number) => Promise<unknown>
  }

  const OTHERS: readonly Other[] = [
    {
      who: 'its rule is switched off',
      does: (ruleId) => endIncidentsOfRules(opened.ledger, [ruleId], 'the alert was switched off', world.clock.now()),
    },
    {
      who: 'its project is deleted',
      does: (ruleId) =>
        endIncidentsOfGroups(opened.ledger, { ruleId, keys: [KEY] }, 'its project was deleted', world.clock.now()),
    },
    {
      who: 'the person is erased whom it is about',
      does: () =>
        createPersonalAlerts({
          ledger: opened.ledger,
          clock: opened.clock,
          groups: { count: async () => 0, forget: async () => undefined },
          ended: () => undefined,
        }).erase(ada, new AbortController().signal),
    },
    {
      // What the minute says is newer: nothing is old any more.
      who: 'it is old',
      goesOn: true,
      does: async () =>
        createAlertRetention({ ledger: opened.ledger, purge: async () => 0 }).sweep?.(
          world.clock.now(),
          new AbortController().signal,
        ),
    },
  ]

  it.each(OTHERS)('are not written as going on once they ended: because $who', async ({ does, goesOn = false }) => {
    await world.arrive([{ seed: '1', kind: 'a' }])
    const rule = await world.add()
    const old = world.clock.now() - (LIMITS.ALERT_INCIDENT_DAYS + 1) * DAY_MS
    await opened.ledger.transaction(async (transaction) => {
      await openIncident(transaction, {
        organizationId: 1,
        rule,
        subject: `${GROUP}${KEY}`,
        issueId: 1,
        projectId: 1,
        headline: 'Errors',
        state: 'firing',
        at: old,
        factId: null,
      })
      const group = JSON.stringify([{ name: 'user.email', value: 'ada@x.example' }])
      await transaction.updateTable('alert_incidents').set({ group_values: group, told_at: old }).execute()
    })
    const outcome = {
      key: KEY,
      rule,
      minute: minuteOf(world.clock.now()),
      course: { ...QUIET, phase: 'firing' },
      limit: 1,
      peak: 2,
      unit: null,
    } as unknown as Outcome
    let others: Promise<unknown> = Promise.resolve()
    await opened.ledger.transaction((transaction) =>
      inOneTurn({ transaction, dialect: opened.ledger.dialect, now: world.clock.now(), outlets: SILENT }, async () => {
        const [open] = await incidentsOf(transaction, outcome)
        const other = { isDone: false }
        others = does(rule.id).finally(() => {
          other.isDone = true
        })
        while (!other.isDone && !(await waiting()));
        await changeIncident(transaction, open?.id ?? 0, outcome, {})
      }),
    )
    await others
    const [incident] = await world.incidents()
    expect([incident?.state, incident?.ended_at === null, incident?.untold_end === null]).toEqual(
      goesOn ? ['firing', true, true] : ['over', false, false],
    )
  })
})
