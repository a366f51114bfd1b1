import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_WAYS, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import type { Outcome } from '../runner.ts'
import { createChecks } from './checks.ts'
import { createUptimeEvents } from './events.ts'
import { createResults } from './results.ts'

const AT = Date.UTC(2026, 10, 27, 10)
const DAY = 86_400_000
const DOWN: Outcome = { failure: { kind: 'status', reason: 'It answered 503; 200-299 is well.' }, answer: null }
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

  const add = async (): Promise<{ id: number; guid: string }> => {
    const guid = await createChecks(opened).add(
      1,
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
      AT,
    )
    const row = await createChecks(opened).find(1, guid ?? '')
    return { id: row?.id ?? 0, guid: row?.guid ?? '' }
  }
  const told = async (): Promise<string[]> => {
    const rows = await opened.ledger.db.selectFrom('uptime_events').select(['kind', 'about']).orderBy('id').execute()
    return rows.map(({ about, kind }) => `${about} ${kind}`)
  }

  it('is asked when it is due, once, and again an interval later', async () => {
    const { id } = await add()
    const results = createResults(opened)
    expect((await results.take(AT, 10, [])).map((row) => row.id)).toEqual([id])
    expect(await results.take(AT + 59_000, 10, [])).toEqual([])
    expect(await results.nextAt()).toBe(AT + 60_000)
    expect(await results.take(AT + 60_000, 10, [id])).toEqual([])
    expect(await results.take(AT + 60_000, 10, [])).toHaveLength(1)
    // A clock that was set back a day does not stop it.
    expect(await results.take(AT - DAY, 10, [])).toHaveLength(1)
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
    expect(await events.over()).toEqual([])
    const [failed] = await events.unsent()
    await events.sent(failed?.id ?? 0, AT + 11)
    await events.forgetDigested(AT + 12)
    expect(await events.over()).toHaveLength(1)
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
    for (let failure = 0; failure < 5; failure += 1) await results.record(id, DOWN, AT + failure, true)
    expect(await told()).toEqual([])
    expect((await createChecks(opened).find(1, guid))?.status).toBe('active')
    const rows = await results.list(id, { offset: 0, limit: 10 })
    expect(new Set(rows.map(({ result }) => result))).toEqual(new Set(['unknown']))
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

  it('a deletion can be undone, and nobody reaches one of another organisation', async () => {
    const { id, guid } = await add()
    const checks = createChecks(opened)
    await checks.remove(1, id, AT)
    expect(await createResults(opened).take(AT + DAY, 10, [])).toEqual([])
    expect(await createResults(opened).record(id, DOWN, AT, false)).toBe(false)
    await checks.restore(1, id, AT + 1)
    expect(await createResults(opened).take(AT + 1, 10, [])).toHaveLength(1)
    expect(await checks.find(2, guid)).toBeNull()
    expect(await checks.list(2, { offset: 0, limit: 10, projectIds: null })).toEqual([])
  })
})
