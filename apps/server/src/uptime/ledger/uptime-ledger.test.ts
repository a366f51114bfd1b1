import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_WAYS, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import type { Outcome } from '../runner.ts'
import { createChecks } from './checks.ts'
import { createUptimeEvents } from './events.ts'
import { createResultRetention } from './expiry.ts'
import { askOthers } from './others.ts'
import { askedOf } from './records.ts'
import { createResults } from './results.ts'
import { sealBodies } from './seal-bodies.ts'
import { LIMITS } from '../limits.ts'
import { createSecrets } from '../secrets.ts'

const AT = Date.UTC(2026, 10, 27, 10)
const DAY = 86_400_000
const HOUR = 3_600_000
const MINUTE = 60_000
const DOWN: Outcome = { failure: { kind: 'status', reason: 'It answered 503; expected 200-299.' }, answer: null }
const AWAY: Outcome = { failure: { kind: 'connect', reason: 'Nobody is there.' }, answer: null }
const UP: Outcome = { failure: null, answer: null }

const withCertificate = (certificateEndsAt: number): Outcome => ({
  failure: null,
  answer: {
    status: 200,
    url: 'https://shop.example/',
    headers: {},
    bytes: new Uint8Array(),
    address: '93.184.216.34',
    times: { resolved: 1, connected: 5, secured: 9, firstByte: 20, total: 25 },
    certificateEndsAt,
  },
})

describe.each(LEDGER_WAYS)('uptime on $name', ({ open }) => {
  let opened: OpenedLedger
  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
  })
  afterEach(() => opened.close())

  const add = async (organizationId = 1, at = AT): Promise<{ id: number; guid: string }> => {
    const guid = await createChecks(opened).add(
      organizationId,
      1,
      {
        name: 'shop.example',
        environment: 'production',
        asked: '{"url":"https://shop.example/","method":"GET"}',
        interval_seconds: 60,
        failures_needed: 3,
        oks_needed: 1,
        is_disabled: 0,
        is_muted: 0,
      },
      at,
    )
    const row = await createChecks(opened).find(organizationId, guid ?? '')
    return { id: row?.id ?? 0, guid: row?.guid ?? '' }
  }
  const told = async (): Promise<string[]> => {
    const rows = await opened.ledger.db.selectFrom('uptime_events').select(['kind', 'about']).orderBy('id').execute()
    return rows.map(({ about, kind }) => `${about} ${kind}`)
  }

  it('is asked when it is due, once, and again an interval later', async () => {
    const { id } = await add()
    const results = createResults(opened)
    expect((await results.take(AT, { limit: 10 })).map((row) => row.id)).toEqual([id])
    expect(await results.take(AT + 59_000, { limit: 10 })).toEqual([])
    expect(await results.nextAt()).toBe(AT + 60_000)
    expect(await results.take(AT + 60_000, { limit: 10, busy: [id] })).toEqual([])
    expect(await results.take(AT + 60_000, { limit: 10 })).toHaveLength(1)
    // A clock that was set back a day does not stop it, nor does one that was set back by little more than an interval.
    expect(await results.take(AT - DAY, { limit: 10, isClockBack: true })).toHaveLength(1)
    expect(await results.take(AT - DAY - 2000, { limit: 10, isClockBack: true })).toHaveLength(1)
    // What is due within its interval waits for it.
    expect(await results.take(AT - DAY - 2000, { limit: 10, isClockBack: true })).toEqual([])
  })

  it('of one organisation keeps no other one from being asked', async () => {
    const { id: organizationId } = await opened.ledger.db
      .insertInto('organizations')
      .values({ slug: 'zeta', name: 'Zeta', retention_days: 90, settings: '{}', created_at: AT })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (let count = 0; count < LIMITS.UPTIME_AT_ONCE_PER_ORGANIZATION + 5; count += 1) await add()
    // Its first is due after all of those.
    const other = await add(organizationId, AT + 1)
    const results = createResults(opened)
    const [first, second, ...more] = await results.take(AT + 1, { limit: LIMITS.UPTIME_AT_ONCE })
    expect([first?.organization_id, second?.id]).toEqual([1, other.id])
    expect(more).toHaveLength(LIMITS.UPTIME_AT_ONCE_PER_ORGANIZATION - 1)
    const counts = new Map([[1, LIMITS.UPTIME_AT_ONCE_PER_ORGANIZATION - 2]])
    expect(await results.take(AT + 1, { limit: LIMITS.UPTIME_AT_ONCE, counts })).toHaveLength(2)
    const full = new Map([[1, LIMITS.UPTIME_AT_ONCE_PER_ORGANIZATION]])
    expect(await results.take(AT + 1, { limit: LIMITS.UPTIME_AT_ONCE, counts: full })).toEqual([])
  })

  it('that was stored before bodies were sealed has its body sealed at the next start, once', async () => {
    const secrets = createSecrets(new Uint8Array(32).fill(7))
    const { ledger } = opened
    const asked = { url: 'https://shop.example/', method: 'POST', headers: [], textPresent: '"sealedBody":' }
    const [first, second] = [await add(), await add()]
    const store = (id: number, body: string) =>
      ledger.db
        .updateTable('uptime_checks')
        .set({ asked: JSON.stringify({ ...asked, body }) })
        .where('id', '=', id)
        .execute()
    await store(first.id, 'password=s3cret')
    await store(second.id, '')
    await sealBodies(ledger, secrets.seal)
    const rows = await ledger.db.selectFrom('uptime_checks').select('asked').orderBy('id').execute()
    expect(JSON.stringify(rows)).not.toContain('s3cret')
    expect(rows.map((row) => secrets.open(1, askedOf(row)).body)).toEqual(['password=s3cret', ''])
    expect(askedOf(rows[0] ?? { asked: '{}' })).toMatchObject(asked)
    await sealBodies(ledger, secrets.seal)
    expect(await ledger.db.selectFrom('uptime_checks').select('asked').orderBy('id').execute()).toEqual(rows)
  })

  it('that was muted while its certificate came to its end tells of that later', async () => {
    const { id } = await add()
    const results = createResults(opened)
    await createChecks(opened).change(1, id, { is_muted: 1 }, AT)
    await results.record(id, withCertificate(AT + 10 * DAY), AT, false)
    expect(await told()).toEqual([])
    await createChecks(opened).change(1, id, { is_muted: 0 }, AT)
    await results.record(id, withCertificate(AT + 10 * DAY), AT + 1, false)
    expect(await told()).toEqual(['certificate failed'])
  })

  it('A83, A86: three failures open one issue, and a good answer ends it', async () => {
    const { id } = await add()
    const results = createResults(opened)
    for (let failure = 0; failure < 5; failure += 1) await results.record(id, DOWN, AT + failure, false)
    expect(await told()).toEqual(['address failed'])
    await results.record(id, UP, AT + 10, false)
    expect(await told()).toEqual(['address failed', 'address over'])
    const events = createUptimeEvents(opened)
    // It is not over before its beginning was digested.
    expect(await events.over(AT + HOUR)).toEqual([])
    const [failed] = await events.unsent()
    await events.sent([failed?.id ?? 0], AT + 11)
    await events.forgetDigested(AT + 12)
    expect(await events.over(AT + HOUR)).toHaveLength(1)
  })

  it('A84: a certificate that ends is told of once per step, and is over when it is renewed', async () => {
    const { id } = await add()
    const results = createResults(opened)
    for (let day = 0; day <= 20; day += 0.5) {
      await results.record(id, withCertificate(AT + 31 * DAY), AT + day * DAY, false)
    }
    expect(await told()).toEqual(['certificate failed', 'certificate failed'])
    await results.record(id, withCertificate(AT + 120 * DAY), AT + 21 * DAY, false)
    expect(await told()).toEqual(['certificate failed', 'certificate failed', 'certificate over'])
  })

  it('A85: while this server is cut off it is unknown, and nobody is told', async () => {
    const { id, guid } = await add()
    const results = createResults(opened)
    for (let failure = 0; failure < 5; failure += 1) await results.record(id, AWAY, AT + failure, true)
    expect(await told()).toEqual([])
    expect((await createChecks(opened).find(1, guid))?.status).toBe('active')
    const rows = await results.list(id, { behind: null, limit: 10 })
    expect(new Set(rows.map(({ result }) => result))).toEqual(new Set(['unknown']))
    // Whoever answers that it is broken was reached.
    for (let failure = 5; failure < 8; failure += 1) await results.record(id, DOWN, AT + failure, true)
    expect(await told()).toEqual(['address failed'])
  })

  it('A85: one of which nothing is known is asked again before its time, and never later', async () => {
    const { id } = await add()
    const results = createResults(opened)
    await opened.ledger.db.updateTable('uptime_checks').set({ interval_seconds: 3600 }).execute()
    expect(await results.take(AT, { limit: 10 })).toHaveLength(1)
    await results.askAgain(id, AT + MINUTE)
    expect(await results.nextAt()).toBe(AT + MINUTE)
    await results.askAgain(id, AT + HOUR)
    expect(await results.nextAt()).toBe(AT + MINUTE)
    await opened.ledger.db.updateTable('uptime_checks').set({ next_at: null }).execute()
    await results.askAgain(id, AT)
    expect(await results.nextAt()).toBeNull()
  })

  it('what came meanwhile moves no page of its results', async () => {
    const { id } = await add()
    const results = createResults(opened)
    // Two of one moment.
    for (const at of [1, 2, 3, 3, 4]) await results.record(id, UP, AT + at, false)
    const [, , ...behind] = await results.list(id, { behind: null, limit: 4 })
    const page = await results.list(id, { behind: null, limit: 1 })
    await results.record(id, UP, AT + 5, false)
    const last = page.at(-1)
    const rest = await results.list(id, { behind: { at: last?.at ?? 0, id: last?.id ?? 0 }, limit: 10 })
    expect(rest.map((row) => row.id)).toEqual(behind.map((row) => row.id))
    expect(rest.map((row) => row.at - AT)).toEqual([3, 2, 1])
  })

  it('that flaps is told of so often a day, and then when it is down for long', async () => {
    const { id } = await add()
    const results = createResults(opened)
    const flap = async (from: number, times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        for (let failure = 0; failure < 3; failure += 1)
          await results.record(id, DOWN, from + time * 10 + failure, false)
        await results.record(id, UP, from + time * 10 + 3, false)
      }
    }
    const most = LIMITS.UPTIME_INCIDENTS_PER_DAY
    await flap(AT, most + 5)
    const all = await told()
    expect(all).toHaveLength(2 * most)
    expect(all.filter((one) => one === 'address failed')).toHaveLength(most)
    expect(all.at(-1)).toBe('address over')
    const reasons = (await createUptimeEvents(opened).unsent()).map(({ reason }) => reason)
    expect(
      reasons.map((reason) => reason.includes('nobody is told of another one unless it lasts 15 minutes')),
    ).toEqual([...Array.from({ length: most - 1 }, () => false), true])
    const more = async (): Promise<string[]> => (await told()).slice(all.length)
    const away = async (from: number, ms: number, every = MINUTE): Promise<void> => {
      for (let at = 0; at <= ms; at += every) await results.record(id, DOWN, from + at, false)
    }
    const LONG = LIMITS.UPTIME_LASTING_MS
    await away(AT + HOUR, LONG - 1)
    expect(await more()).toEqual([])
    await away(AT + HOUR + LONG, 3 * DAY, HOUR)
    // Once, however long.
    expect(await more()).toEqual(['address failed'])
    await results.record(id, UP, AT + 3 * DAY + 2 * HOUR, false)
    await flap(AT + 3 * DAY + 3 * HOUR, most)
    expect((await told()).slice(-2)).toEqual(['address failed', 'address over'])
    const count = (await told()).length
    const lasted = [LONG, LONG, 2 * LONG]
    for (const [place, ms] of lasted.entries()) {
      await away(AT + 3 * DAY + (4 + place) * HOUR, ms)
      await results.record(id, UP, AT + 3 * DAY + (4 + place) * HOUR + ms + 1, false)
    }
    // The second one has to last twice as long.
    expect((await told()).slice(count)).toEqual(['address failed', 'address over', 'address failed', 'address over'])
    await flap(AT + 4 * DAY, 1)
    expect((await told()).slice(count + 4)).toEqual(['address failed', 'address over'])
  })

  it('whose certificate is now the old one, now the new one, is told of so often a day', async () => {
    const { id } = await add()
    const results = createResults(opened)
    const answer = (ends: number, at: number) => results.record(id, withCertificate(AT + ends * DAY), at, false)
    for (let time = 0; time < 20; time += 1) {
      await answer(10, AT + time * 10)
      await answer(300, AT + time * 10 + 1)
    }
    expect(await told()).toHaveLength(2 * LIMITS.UPTIME_INCIDENTS_PER_DAY)
    await answer(10, AT + DAY)
    expect((await told()).at(-1)).toBe('certificate failed')
  })

  it('what is to be told of one organisation keeps no other one waiting', async () => {
    const { id: organizationId } = await opened.ledger.db
      .insertInto('organizations')
      .values({ slug: 'zeta', name: 'Zeta', retention_days: 90, settings: '{}', created_at: AT })
      .returning('id')
      .executeTakeFirstOrThrow()
    const [own, other] = [await add(), await add(organizationId)]
    const many = LIMITS.UPTIME_EVENTS_PER_LOOK + 5
    const event = (checkId: number, kind: string) => ({
      check_id: checkId,
      kind,
      about: 'address',
      title: 'Down',
      reason: '',
      at: AT,
      sent_at: null,
    })
    for (const kind of ['over', 'failed']) {
      await opened.ledger.db
        .insertInto('uptime_events')
        .values([...Array.from({ length: many }, () => event(own.id, kind)), event(other.id, kind)])
        .execute()
    }
    const events = createUptimeEvents(opened)
    for (const looked of [await events.unsent(), await events.over(AT + HOUR)]) {
      expect(looked).toHaveLength(LIMITS.UPTIME_EVENTS_PER_LOOK)
      expect(looked.filter((one) => one.organization_id === organizationId)).toHaveLength(1)
    }
  })

  it('A85: of other hosts that were up a few are due at once, when one is away', async () => {
    const { db } = opened.ledger
    const named = async (host: string, status: string): Promise<number> => {
      const { id } = await add()
      const asked = JSON.stringify({ url: `https://${host}/health` })
      await db
        .updateTable('uptime_checks')
        .set({ asked, status, next_at: AT + 30_000, last_asked_at: AT - id })
        .where('id', '=', id)
        .execute()
      return id
    }
    const away = [await named('a.example', 'up'), await named('a.example', 'up')]
    const others = [await named('b.example', 'up'), await named('c.example', 'up')]
    const more = [await named('b.example', 'up'), await named('d.example', 'down')]
    expect(await askOthers(opened.ledger, { organizationId: 1, host: 'a.example' }, AT)).toBe(2)
    const due = await db.selectFrom('uptime_checks').select('id').where('next_at', '=', AT).orderBy('id').execute()
    expect(due.map(({ id }) => id)).toEqual(others)
    expect([...away, ...more].some((id) => due.some((row) => row.id === id))).toBe(false)
    // Somebody who is asked already is not asked later.
    expect(await askOthers(opened.ledger, { organizationId: 1, host: 'a.example' }, AT + 1)).toBe(2)
    expect(await createResults(opened).take(AT, { limit: 10 })).toHaveLength(2)
    expect(await askOthers(opened.ledger, { organizationId: 1, host: 'b.example' }, AT)).toBe(2)
  })

  it('A85: no organisation has the addresses of another one asked; those that are due soon say something anyway', async () => {
    const { db } = opened.ledger
    const { id: organizationId } = await db
      .insertInto('organizations')
      .values({ slug: 'rival', name: 'Rival', retention_days: 90, settings: '{}', created_at: AT })
      .returning('id')
      .executeTakeFirstOrThrow()
    const named = async (host: string, organization: number, nextAt: number): Promise<number> => {
      const { id } = await add(organization)
      const asked = JSON.stringify({ url: `https://${host}/health` })
      const place = { organization_id: organization, asked, status: 'up', next_at: nextAt, last_asked_at: AT - 1 }
      await db.updateTable('uptime_checks').set(place).where('id', '=', id).execute()
      return id
    }
    const hour = AT + 60 * 60_000
    const [mine, hourly] = [await named('a.example', 1, hour), await named('b.example', organizationId, hour)]
    const away = { organizationId: 1, host: 'a.example' }
    expect(await askOthers(opened.ledger, away, AT)).toBe(0)
    const soon = await named('c.example', organizationId, AT + LIMITS.UPTIME_DOUBT_MS)
    expect(await askOthers(opened.ledger, away, AT)).toBe(1)
    const own = await named('d.example', 1, hour)
    expect(await askOthers(opened.ledger, away, AT)).toBe(2)
    const rows = await db.selectFrom('uptime_checks').select(['id', 'next_at']).orderBy('id').execute()
    const next = new Map(rows.map(({ id, next_at: at }) => [id, at]))
    expect([mine, hourly, soon, own].map((id) => next.get(id))).toEqual([hour, hour, AT + LIMITS.UPTIME_DOUBT_MS, AT])
  })

  it('of one check the newest results are kept, whatever numbers they have', async () => {
    const { id } = await add()
    const { ledger } = opened
    const many = LIMITS.UPTIME_RESULTS_KEPT + 5
    const none = { result: 'up', failure_kind: '', reason: '', http_status: 200 }
    const times = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null, total_ms: null }
    for (let from = 0; from < many; from += 1000) {
      const rows = Array.from({ length: Math.min(1000, many - from) }, (_, index) => ({
        // None of them is divided by a power of two.
        id: (from + index) * 2 + 1,
        check_id: id,
        at: AT + from + index,
        ...none,
        ...times,
      }))
      await ledger.db.insertInto('uptime_results').values(rows).execute()
    }
    const { expire } = createResultRetention({ ledger })
    const gone = (organizationId: number, before: number) =>
      expire?.({ organizationId, before, projectIds: [], signal: new AbortController().signal })
    expect(await gone(2, AT - DAY)).toEqual({ uptimeResults: 0 })
    expect(await gone(1, AT - DAY)).toEqual({ uptimeResults: 5 })
    const oldest = await ledger.db
      .selectFrom('uptime_results')
      .select(({ fn }) => [fn.countAll<number>().as('results'), fn.min('at').as('at')])
      .executeTakeFirst()
    expect(oldest).toEqual({ results: LIMITS.UPTIME_RESULTS_KEPT, at: AT + 5 })
    expect(await gone(1, AT + 8)).toEqual({ uptimeResults: 3 })
  })

  it('a muted one is silent until somebody wants to hear again', async () => {
    const { id } = await add()
    const results = createResults(opened)
    await createChecks(opened).change(1, id, { is_muted: 1 }, AT)
    for (let failure = 0; failure < 4; failure += 1) await results.record(id, DOWN, AT + failure, false)
    expect(await told()).toEqual([])
    await createChecks(opened).change(1, id, { is_muted: 0 }, AT)
    await results.record(id, DOWN, AT + 10, false)
    expect(await told()).toEqual(['address failed'])
  })

  it('one that is down and is deleted or switched off is over, unless that is undone in time', async () => {
    const { id } = await add()
    const [checks, events, results] = [createChecks(opened), createUptimeEvents(opened), createResults(opened)]
    const forget = () => opened.ledger.db.deleteFrom('uptime_events').execute()
    await results.record(id, withCertificate(AT + 10 * DAY), AT, false)
    for (let failure = 0; failure < 3; failure += 1) await results.record(id, DOWN, AT + failure, false)
    expect(await told()).toEqual(['certificate failed', 'address failed'])
    await forget()
    const ways = {
      off: () => checks.change(1, id, { is_disabled: 1 }, AT),
      on: (at: number) => checks.change(1, id, { is_disabled: 0 }, at),
      remove: () => checks.remove(1, id, AT),
      restore: (at: number) => checks.restore(1, id, at),
    }
    for (const [end, undo] of [
      [ways.off, ways.on],
      [ways.remove, ways.restore],
    ] as const) {
      await end()
      expect(await told()).toEqual(['address over', 'certificate over'])
      expect(await events.over(AT + 1)).toEqual([])
      await undo(AT + 1)
      expect(await told()).toEqual([])
    }
    await results.record(id, DOWN, AT + 10, false)
    expect(await told()).toEqual([])
    await ways.off()
    expect(await events.over(AT + LIMITS.UPTIME_UNDO_MS)).toHaveLength(2)
    await forget()
    // Of one that was off already there is nothing to tell, and what is wrong afterwards is told anew.
    await ways.remove()
    await ways.restore(AT + HOUR)
    expect(await told()).toEqual([])
    await ways.on(AT + HOUR)
    await results.record(id, DOWN, AT + HOUR, false)
    await results.record(id, withCertificate(AT + 10 * DAY), AT + HOUR + 1, false)
    expect(await told()).toEqual(['address failed', 'address over', 'certificate failed'])
  })

  it('what failed again before anybody was told that it is well is not over', async () => {
    const { id } = await add()
    const [events, results] = [createUptimeEvents(opened), createResults(opened)]
    const fail = async (at: number): Promise<void> => {
      for (let failure = 0; failure < 3; failure += 1) await results.record(id, DOWN, at + failure, false)
    }
    await fail(AT)
    await results.record(id, UP, AT + 10, false)
    await fail(AT + 20)
    await events.forgetOvertaken()
    expect(await told()).toEqual(['address failed', 'address failed'])
    await results.record(id, UP, AT + 30, false)
    await events.forgetOvertaken()
    expect(await told()).toEqual(['address failed', 'address failed', 'address over'])
  })

  it('a deletion can be undone, and nobody reaches one of another organisation', async () => {
    const { id, guid } = await add()
    const checks = createChecks(opened)
    await checks.remove(1, id, AT)
    expect(await createResults(opened).take(AT + DAY, { limit: 10 })).toEqual([])
    expect(await createResults(opened).record(id, DOWN, AT, false)).toBe(false)
    await checks.restore(1, id, AT + 1)
    expect(await createResults(opened).take(AT + 1, { limit: 10 })).toHaveLength(1)
    expect(await checks.find(2, guid)).toBeNull()
    expect(await checks.list(2, { offset: 0, limit: 10, projectIds: null })).toEqual([])
  })
})
