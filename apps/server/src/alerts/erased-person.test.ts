import { alertDraft, type AlertDraftInput, type AlertTrigger } from '@firsthand/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enqueueMessages } from '../channels/index.ts'
import { createPersonalMessages } from '../channels/ledger/erase-mentions.ts'
import { openOutbox, type OpenedOutbox } from '../channels/test/outbox.ts'
import { startReceiver, withStatus, type Receiver } from '../channels/test/receiver.ts'
import { createLedgerIssueView } from '../issues/ledger/issue-view.ts'
import { notify } from '../notices/index.ts'
import { createPersonalNotices } from '../notices/ledger/erase-notices.ts'
import { createNoticeSettings } from '../notices/ledger/settings.ts'
import { changedSettings } from '../notices/people.fixture.ts'
import { chdb, LEDGER_ENGINES, type OpenedLedger, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import type { ErasedPerson, PersonalData } from '../storage/index.ts'
import { createPersonalAlerts } from './ledger/erase-groups.ts'
import { createMeasuredAlerts } from './measure/index.ts'
import { endOf, MINUTE_MS, minuteOf } from './measure/minute.ts'
import { DATASETS, insertErrors } from './measure/test/rows.ts'
import { roadAt } from './measure/test/watched.ts'
import { createReceivers } from './receivers.ts'
import { createAlertWorld } from './test/alert-world.ts'

/** Alerts that count by person, and what everything that they wrote says once one of these people is erased. */

const MARTA = { user: 'u-4711', email: 'Marta.Meier@X.example' }
const JONAS = { user: 'u-0815', email: 'jonas@x.example' }
const NAMES_OF_MARTA = /marta\.meier|u-4711/i

let telemetry: OpenedTelemetry
beforeAll(async () => {
  telemetry = await chdb.open()
})
afterAll(() => telemetry.close())

const trigger = (...groupBy: readonly string[]): AlertTrigger => ({
  source: 'measured',
  dataset: 'errors',
  aggregate: 'count()',
  windowMinutes: 5,
  groupBy: [...groupBy],
  comparison: { kind: 'fixed', direction: 'above', limit: 10, worseLimit: null },
  least: 0,
  recovery: { limit: null, minutes: 0 },
})

const silence: AlertTrigger = { source: 'silence', dataset: 'errors', minutes: 5, groupBy: ['user.email'] }

/** Errors as they are kept: erased like those of issues, as far as alerts can tell. */
const personalErrors: PersonalData = {
  what: 'errors',
  count: async () => {
    const query = `SELECT count() AS count FROM events WHERE user_id = '${MARTA.user}'`
    const result = await telemetry.telemetry.client.query({ query, format: 'JSONEachRow' })
    const [row] = await result.json<{ count: number | string }>()
    return Number(row?.count)
  },
  erase: async () => {
    const query = `ALTER TABLE events DELETE WHERE user_id = '${MARTA.user}' SETTINGS mutations_sync = 2`
    await telemetry.telemetry.client.command({ query })
  },
}

/** What telemetry answers is on its way until it is let through. */
const createGate = () => {
  let asked: () => void = () => undefined
  let passes: Promise<void> = Promise.resolve()
  return {
    client: {
      query: async (...about: Parameters<typeof telemetry.telemetry.client.query>) => {
        const answer = await telemetry.telemetry.client.query(...about)
        asked()
        await passes
        return answer
      },
    } as Pick<typeof telemetry.telemetry.client, 'query'>,
    /** @returns when something was asked, and what lets it through */
    hold: () => {
      const { promise: open, resolve: letThrough } = Promise.withResolvers<void>()
      const { promise: wasAsked, resolve } = Promise.withResolvers<void>()
      passes = open
      asked = resolve
      return { wasAsked, letThrough }
    },
  }
}

// long: what the tests may do in this world, a few lines each
const start = async (opened: OpenedLedger, outbox: OpenedOutbox) => {
  const gate = createGate()
  const { clock, ledger } = opened
  const world = await createAlertWorld(opened, { ways: { enqueue: enqueueMessages, notify }, isSeeded: true })
  const anna = await world.join('anna')
  await createNoticeSettings(opened).save(
    anna,
    changedSettings({ kinds: { alert: { mail: 'digest', inbox: 'now' } } }),
    clock.now(),
  )
  const minute = minuteOf(clock.now())
  const road = roadAt(minute)
  const outlets = { enqueue: enqueueMessages, notify, ownersOf: async () => [], fallsThrough: async () => true }
  const { job, ofPerson } = createMeasuredAlerts(
    {
      ask: (question) => Promise.resolve(question.otherwise),
      client: gate.client,
      clock,
      datasets: DATASETS,
      ledger,
      settled: road,
    },
    {
      rules: world.rules,
      issues: createLedgerIssueView({ ledger }),
      receivers: createReceivers({ ledger, ...outlets }),
      outlets,
      snoozePath: (ruleId) => `/a/${ruleId}`,
      told: () => undefined,
    },
  )
  await job.run()
  const evaluate = async (): Promise<void> => {
    clock.set(road.now())
    await job.run()
    await world.wait(0)
  }
  const pass = async (minutes: number): Promise<void> => {
    for (let one = 0; one < minutes; one += 1) {
      road.pass(1)
      await evaluate()
      await outbox.send()
    }
  }
  const marta: ErasedPerson = {
    organizationId: 1,
    keys: [`id:${MARTA.user}`, `email:${MARTA.email.toLowerCase()}`],
    emails: [MARTA.email.toLowerCase()],
    receivedUntil: 0,
  }
  const parts = [
    createPersonalAlerts({ ledger, clock, groups: ofPerson, ended: () => undefined }),
    createPersonalNotices({ ledger }),
    createPersonalMessages({ ledger }),
    personalErrors,
  ]
  return {
    ...world,
    anna,
    gate,
    pass,
    parts,
    marta,
    receive: (of: number, errors: number, user: typeof MARTA, release = '1.0.0') =>
      insertErrors(
        telemetry,
        Array.from({ length: errors }, () => ({ received: endOf(minute + of) - MINUTE_MS / 2, release, ...user })),
      ),
    watch: (draft: Partial<AlertDraftInput>) =>
      world.rules.add(
        world.actor(),
        alertDraft.parse({ name: 'By person', projects: ['1'], frequencyMinutes: 0, actions: [], ...draft }),
      ),
    /** As the job does it: round after round, until one finds nothing. Meanwhile the server goes on. @returns what each found */
    erase: async (meanwhile: () => Promise<void>, who = marta): Promise<readonly (readonly number[])[]> => {
      const rounds: number[][] = []
      for (;;) {
        const found: number[] = []
        for (const { count, erase } of parts) {
          const counted = await count(who, 600)
          found.push(counted)
          if (counted > 0) await erase(who, new AbortController().signal)
        }
        rounds.push(found)
        if (found.every((count) => count === 0)) return rounds
        if (rounds.length > 10) throw new Error(`It does not end: ${JSON.stringify(rounds)}`)
        await meanwhile()
      }
    },
    /** All that any table says of her. */
    kept: async (): Promise<readonly string[]> => {
      const tables = await ledger.db.introspection.getTables()
      const found: string[] = []
      for (const { name } of tables) {
        const rows = await ledger.db
          .selectFrom(name as 'outbox')
          .selectAll()
          .execute()
        for (const row of rows) {
          for (const [column, value] of Object.entries(row)) {
            if (NAMES_OF_MARTA.test(String(value))) found.push(`${name}.${column}: ${String(value)}`)
          }
        }
      }
      return found
    },
  }
}

describe.each(LEDGER_ENGINES)('alerts by person, of whom one is erased, on $name', ({ open }) => {
  let opened: OpenedLedger
  let outbox: OpenedOutbox
  let receiver: Receiver
  let world: Awaited<ReturnType<typeof start>>
  let actions: AlertDraftInput['actions']

  beforeEach(async () => {
    await telemetry.telemetry.client.command({ query: 'TRUNCATE TABLE events' })
    opened = await open()
    receiver = await startReceiver()
    outbox = await openOutbox(opened)
    world = await start(opened, outbox)
    const channelId = await outbox.addChannel('webhook', { url: `${receiver.url}/hook` })
    actions = [
      { kind: 'channel', channelId: String(channelId) },
      { kind: 'people', target: 'member', id: String(world.anna) },
    ]
  })
  afterEach(async () => {
    await receiver.close()
    await opened.close()
  })

  const bodies = () =>
    receiver.calls.map(({ body }) => JSON.parse(body) as { data: { headline: string; thread: string } })

  it('no table names her any more, and what went on is over for whoever heard of it', async () => {
    await world.watch({ name: 'By address', trigger: trigger('user.email'), actions })
    await world.receive(1, 11, MARTA)
    await world.pass(1)
    expect(bodies()).toMatchObject([
      { data: { headline: expect.stringContaining('user.email Marta.Meier@X.example') } },
    ])
    expect((await world.kept()).length).toBeGreaterThan(10)
    const rounds = await world.erase(() => world.pass(1))
    expect(rounds[0]).toEqual([expect.any(Number), expect.any(Number), expect.any(Number), 11])
    await world.pass(30)
    expect(await world.kept()).toEqual([])
    const [first, over, ...more] = bodies()
    expect(over?.data).toMatchObject({
      headline:
        'No longer watched, as the person whom it was about was deleted. By address: 11 > 10 errors in 5 minutes, user.email (deleted person)',
      thread: first?.data.thread,
    })
    expect(more).toEqual([])
    expect(await world.incidents()).toMatchObject([
      { state: 'over', group_values: '[{"name":"user.email","value":"(deleted person)"}]' },
    ])
  })

  it('what is told together, held back and missed says nothing of her, and all of others', async () => {
    await world.watch({ name: 'By id', trigger: trigger('user.id'), actions })
    await world.watch({ name: 'By user', trigger: trigger('user'), actions, maxMessagesPerHour: 1 })
    await world.watch({ name: 'Silent', trigger: silence, actions })
    await world.receive(1, 11, JONAS)
    await world.pass(1)
    await world.receive(2, 11, MARTA)
    await world.pass(6)
    // Those of the hook that failed wait to be tried again.
    receiver.answer = withStatus(500)
    await world.receive(8, 40, MARTA)
    await world.receive(8, 40, JONAS)
    await world.pass(2)
    const tables = new Set((await world.kept()).map((one) => one.slice(0, one.indexOf('.'))))
    expect([...tables]).toEqual(
      expect.arrayContaining(['alert_incidents', 'alert_evaluations', 'measured_courses', 'outbox', 'notice_entries']),
    )
    await world.erase(() => world.pass(1))
    receiver.answer = withStatus(200)
    const before = receiver.calls.length
    await world.pass(40)
    expect(await world.kept()).toEqual([])
    expect(receiver.calls.slice(before).filter(({ body }) => NAMES_OF_MARTA.test(body))).toEqual([])
    const incidents = JSON.stringify(await world.incidents())
    expect(incidents).toContain(JONAS.user)
    expect(incidents).toContain(JONAS.email)
  })

  it('a minute that is evaluated meanwhile, from what was there before, writes nothing of her that stays', async () => {
    await world.watch({ name: 'By address', trigger: trigger('user.email'), actions })
    await world.receive(1, 11, MARTA)
    const { letThrough, wasAsked } = world.gate.hold()
    const passing = world.pass(1)
    await wasAsked
    await personalErrors.erase(world.marta, new AbortController().signal)
    const [alerts] = world.parts
    const counting = alerts?.count(world.marta, 600)
    // Long enough for whoever does not wait for the minute to have counted what is not there yet.
    for (let read = 0; read < 100; read += 1) await world.evaluations()
    letThrough()
    await passing
    expect(await counting).toBeGreaterThan(0)
    await world.erase(() => world.pass(1))
    expect(await world.incidents()).toHaveLength(1)
    expect(await world.kept()).toEqual([])
  })

  it('whoever asks how much there is waits for a minute that is evaluated no longer than they may', async () => {
    await world.watch({ name: 'By address', trigger: trigger('user.email'), actions })
    await world.receive(1, 11, MARTA)
    const { letThrough, wasAsked } = world.gate.hold()
    const passing = world.pass(1)
    await wasAsked
    const [alerts] = world.parts
    await expect(alerts?.count(world.marta, 0.01)).rejects.toMatchObject({ name: 'StatementRefusal', reason: 'slow' })
    letThrough()
    await passing
    expect(await alerts?.count(world.marta, 600)).toBeGreaterThan(0)
  })

  it.each([28, 34])('a title that is cut within her name says nothing of her either (%i)', async (characters) => {
    const name = 'n'.repeat(characters)
    await world.watch({ name, trigger: trigger('release', 'user.email'), actions })
    await world.receive(1, 11, MARTA, 'r'.repeat(200))
    await world.pass(1)
    expect((await world.kept()).filter((one) => /Marta\.Meier?@?[\w.]*…/.test(one))).toHaveLength(2)
    await world.erase(() => world.pass(1))
    await world.pass(30)
    expect(await world.kept()).toEqual([])
  })

  it('nothing of an organisation is changed for somebody of another one, nor of who is called alike', async () => {
    await world.watch({ name: 'By address', trigger: trigger('user.email'), actions })
    await world.receive(1, 11, MARTA)
    await world.pass(1)
    const before = await world.kept()
    expect(await world.erase(() => world.pass(0), { ...world.marta, organizationId: 2 })).toMatchObject([
      [0, 0, 0, 11],
      [0, 0, 0, 0],
    ])
    const like = { keys: ['id:u-471', 'email:meier@x.example'], emails: ['meier@x.example'] }
    expect(await world.erase(() => world.pass(0), { ...world.marta, ...like })).toEqual([[0, 0, 0, 0]])
    expect(await world.kept()).toEqual(before)
  })
})
