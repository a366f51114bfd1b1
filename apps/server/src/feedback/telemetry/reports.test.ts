import { parseEnvelope } from '@firsthand/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import { normalise, readJson, scrub } from '../../event/index.ts'
import type { DigestItem, ItemKind, StoredEntry } from '../../ingest/index.ts'
import { BASE_TIME } from '../../issues/test/sample-events.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  silentLogger,
  TELEMETRY_ENGINES,
  type OpenedLedger,
  type OpenedTelemetry,
} from '../../storage/conformance/engines.ts'
import { createRowWriter } from '../../storage/telemetry/row-writer.ts'
import { createLive } from '../../http/index.ts'
import { createForgetDeleted } from '../forget-deleted.ts'
import { createPersonalReports } from '../erase-reports.ts'
import { createLedgerInbox } from '../ledger/inbox.ts'
import { createReportItems } from '../report-items.ts'
import { forgetReportRows } from './report-rows.ts'

const MINUTE = 60_000

const envelopeOf = (digit: string, message: string, more: object = {}) => {
  const eventId = digit.repeat(32)
  const payload = { event_id: eventId, contexts: { feedback: { message, ...more } }, tags: { plan: 'pro' } }
  const header = JSON.stringify({ event_id: eventId })
  return Buffer.from(`${header}\n{"type":"feedback"}\n${JSON.stringify(payload)}`)
}

const userReportOf = (digit: string, comments: string) => {
  const eventId = digit.repeat(32)
  const payload = { event_id: eventId, comments, name: 'Ada', email: 'ada@shop.example' }
  return Buffer.from(`${JSON.stringify({ event_id: eventId })}\n{"type":"user_report"}\n${JSON.stringify(payload)}`)
}

describe.each(TELEMETRY_ENGINES)('rows of reports on $name', ({ open }) => {
  let telemetry: OpenedTelemetry
  let ledger: OpenedLedger
  let kind: ItemKind
  let batches = 0
  beforeAll(async () => {
    telemetry = await open()
  })
  afterAll(() => telemetry.close())
  beforeEach(async () => {
    await telemetry.telemetry.client.command({ query: 'TRUNCATE TABLE feedback_reports' })
    const [engine] = LEDGER_ENGINES
    if (engine === undefined) throw new Error('there is no ledger')
    ledger = await engine.open()
    await seedOrganization(ledger.ledger)
    kind = createReportItems({
      normalise,
      scrub,
      readJson,
      addressKey: new Uint8Array(32),
      threadKey: new Uint8Array(32),
      writer: createRowWriter({ client: telemetry.telemetry.client }),
    })
  })
  afterEach(() => ledger.close())

  const itemOf = (body: Uint8Array, receivedAt: number): DigestItem => {
    const envelope = parseEnvelope(body)
    const item = envelope.ok ? envelope.value.items[0] : undefined
    if (!envelope.ok || item === undefined) throw new Error('no report')
    const { header } = envelope.value
    const sender = {
      organizationId: 1,
      projectId: 1,
      keyId: 1,
      clientAddress: '1.2.3.4',
      userAgent: null,
      origin: null,
    }
    return { sender: { ...sender, sdk: '' }, receivedAt, header, eventId: header.eventId, item }
  }

  /** The way of a batch through the ledger into telemetry; whoever is interrupted goes it again. */
  const digest = async (
    bodies: readonly Uint8Array[],
    { at = BASE_TIME, followers = 0, times = 1 }: { at?: number; followers?: number; times?: number } = {},
  ): Promise<void> => {
    batches += 1
    const batch = batches
    const entries = bodies.map((body) => {
      const item = itemOf(body, at)
      const value = kind.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [] })
      if (!value.ok) throw new Error('dropped')
      return { item, value: value.value, followers, id: () => '' }
    })
    for (let time = 0; time < times; time += 1) {
      const isRepeated = time > 0
      const verdicts = await ledger.ledger.transaction((transaction) =>
        Promise.resolve(
          kind.apply?.({ transaction, dialect: ledger.ledger.dialect, batch, isRepeated, now: at }, entries, []),
        ),
      )
      const stored = entries.flatMap((entry, index): StoredEntry<unknown, unknown, unknown>[] => {
        const verdict = verdicts?.[index]
        return verdict?.isStored === true ? [{ entry, ready: undefined, stored: verdict.stored }] : []
      })
      await kind.write?.(stored, { token: `test:${batch}:${time}`, again: isRepeated })
    }
  }

  const rows = async (columns = 'id'): Promise<readonly unknown[]> => {
    const result = await telemetry.telemetry.client.query({
      query: `SELECT ${columns} FROM feedback_reports FINAL ORDER BY received, id`,
      format: 'JSONCompactEachRow',
    })
    return result.json()
  }

  it('have of each report what it is searched by, when it came', async () => {
    const said = { contact_email: 'ada@shop.example', name: 'Ada', url: 'https://shop.example/pay' }
    await digest([envelopeOf('a', 'The pay button does nothing', said)], { followers: 1 })
    expect(await rows('message, user, user_email, url, attachments, tags, toUnixTimestamp64Milli(received)')).toEqual([
      [
        'The pay button does nothing',
        'email:ada@shop.example',
        'ada@shop.example',
        'https://shop.example/pay',
        1,
        { plan: 'pro' },
        BASE_TIME,
      ],
    ])
  })

  it('are one for each report, however often its batch is done and whoever takes its place', async () => {
    await digest([userReportOf('a', 'Broken')], { times: 2 })
    await digest([userReportOf('a', 'Really broken')], { at: BASE_TIME + MINUTE, times: 2 })
    await digest([envelopeOf('b', 'The cart is empty'), envelopeOf('b', 'The cart is empty')])
    expect(await rows('message')).toEqual([['Broken'], ['The cart is empty']])
  })

  it('are none of what is held for spam', async () => {
    await digest([envelopeOf('c', 'Buy now', { signals: { honeypot: 'yes' } })])
    const held = await ledger.ledger.db.selectFrom('feedback').select('status').execute()
    expect(held).toEqual([{ status: 'spam' }])
    expect(await rows()).toEqual([])
  })

  it('go with their report, and no others', async () => {
    await digest([envelopeOf('a', 'One of mine'), envelopeOf('b', 'Another')])
    const gone = { organizationId: 1, projectId: 1, eventIds: ['a'.repeat(32), 'f'.repeat(32)] }
    const { client } = telemetry.telemetry
    await forgetReportRows(client, { ...gone, organizationId: 2 })
    await forgetReportRows(client, { ...gone, projectId: 2 })
    expect(await rows('message')).toEqual([['One of mine'], ['Another']])
    await forgetReportRows(client, gone)
    expect(await rows('message')).toEqual([['Another']])
  })

  it('go with their report though whoever deleted it was killed, or it was not yet written', async () => {
    await digest([envelopeOf('a', 'Killed before'), envelopeOf('b', 'Another')])
    const { clock, ledger: opened } = ledger
    let until: number | null = null
    const job = createForgetDeleted({
      client: telemetry.telemetry.client,
      clock,
      ledger: opened,
      live: createLive(),
      logger: silentLogger,
      settled: { until: () => until, now: () => BASE_TIME, jump: () => null },
    })
    await job.run()
    const { id } = await opened.db
      .selectFrom('feedback')
      .select('id')
      .where('event_id', '=', 'a'.repeat(32))
      .executeTakeFirstOrThrow()
    const now = BASE_TIME + MINUTE
    await createLedgerInbox({ ledger: opened }).remove({ organizationId: 1, userId: null, now }, [id])
    await job.run()
    until = now - 1
    await job.run()
    expect(await rows('message')).toHaveLength(2)
    until = now
    await job.run()
    expect(await rows('message')).toEqual([['Another']])
  })

  it('go with the files of their report though whoever deleted it was killed, and other files of its event stay', async () => {
    const { client } = telemetry.telemetry
    await client.command({ query: 'TRUNCATE TABLE kept_items' })
    await digest([envelopeOf('a', 'With a picture')], { followers: 1 })
    // Of an error, which has the same id as what was said of it.
    await digest([userReportOf('b', 'Without one')])
    const kept = (id: string, digit: string) =>
      ({
        organization_id: 1,
        project_id: 1,
        id: id.repeat(32),
        item_type: 'attachment',
        event_id: digit.repeat(32),
      }) as const
    await client.insert({
      table: 'kept_items',
      values: [kept('1', 'a'), kept('2', 'b'), kept('3', 'c')],
      format: 'JSONEachRow',
    })
    const files = async () => {
      const found = await client.query({ query: 'SELECT id FROM kept_items ORDER BY id', format: 'JSONEachRow' })
      return (await found.json<{ id: string }>()).map(({ id }) => id[0])
    }
    const { clock, ledger: opened } = ledger
    const now = BASE_TIME + MINUTE
    const settled = { until: () => now, now: () => BASE_TIME, jump: () => null }
    const parts = { client, clock, ledger: opened, live: createLive(), logger: silentLogger, settled }
    const job = createForgetDeleted(parts)
    await job.run()
    const reports = await opened.db.selectFrom('feedback').select('id').execute()
    const ids = reports.map(({ id }) => id)
    await createLedgerInbox({ ledger: opened }).remove({ organizationId: 1, userId: null, now }, ids)
    expect(await files()).toHaveLength(3)
    await job.run()
    expect(await files()).toEqual(['2', '3'])
  })

  const personalOf = () => {
    const { clock, ledger: opened } = ledger
    return createPersonalReports({
      client: telemetry.telemetry.client,
      clock,
      ledger: opened,
      freeing: {
        after: async (work) => {
          await work()
          return { blobs: 0, bytes: 0 }
        },
      },
      inbox: createLedgerInbox({ ledger: opened }),
    })
  }
  const ADA = { organizationId: 1, keys: [], emails: ['ada@shop.example'], receivedUntil: BASE_TIME + MINUTE }

  it('go with all that a person said', async () => {
    await digest([
      envelopeOf('a', 'One of mine', { contact_email: 'ada@shop.example' }),
      envelopeOf('b', 'Another', { contact_email: 'ben@shop.example' }),
    ])
    await personalOf().erase(ADA, new AbortController().signal)
    expect(await rows('message')).toEqual([['Another']])
  })

  it('go with all that a person said when their report is gone without them', async () => {
    await digest([envelopeOf('a', 'One of mine', { contact_email: 'Ada@shop.example' })])
    await digest([envelopeOf('b', 'Later', { contact_email: 'ada@shop.example' })], { at: BASE_TIME + 2 * MINUTE })
    await digest([envelopeOf('c', 'Another', { contact_email: 'ben@shop.example' })])
    await ledger.ledger.db.deleteFrom('feedback').execute()
    const personal = personalOf()
    expect(await personal.count(ADA, 10)).toBe(1)
    expect(await personal.count({ ...ADA, organizationId: 2 }, 10)).toBe(0)
    await personal.erase({ ...ADA, organizationId: 2 }, new AbortController().signal)
    expect(await rows('message')).toHaveLength(3)
    await personal.erase(ADA, new AbortController().signal)
    expect(await rows('message')).toEqual([['Another'], ['Later']])
    expect(await personal.count(ADA, 10)).toBe(0)
  })

  it('go with all that a person said who is known by their key alone', async () => {
    const eventId = 'd'.repeat(32)
    const payload = { event_id: eventId, contexts: { feedback: { message: 'Mine' } }, user: { id: '7' } }
    const header = JSON.stringify({ event_id: eventId })
    await digest([Buffer.from(`${header}\n{"type":"feedback"}\n${JSON.stringify(payload)}`)])
    await ledger.ledger.db.deleteFrom('feedback').execute()
    await personalOf().erase({ ...ADA, keys: ['id:7'], emails: [] }, new AbortController().signal)
    expect(await rows('message')).toEqual([])
  })
})
