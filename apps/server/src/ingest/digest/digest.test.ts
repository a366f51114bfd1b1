import { existsSync, unlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serializeEnvelope } from '@firsthand/protocol'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestStores } from '../../../test/crash/test-stores.ts'
import type { TestStores } from '../../../test/crash/test-stores.ts'
import { ok } from '../../lib/result.ts'
import { systemClock } from '../../lib/clock.ts'
import { LIMITS } from '../limits.ts'
import { createLogger } from '../../lib/logger.ts'
import type { PayloadFile } from '../payload-file.ts'
import type { AcceptedEnvelope, SpoolPosition } from '../road.ts'
import { openHeavyReader } from '../spool/heavy-reader.ts'
import type { HeavyReader } from '../spool/heavy-reader.ts'
import { createSpoolReader } from '../spool/spool-reader.ts'
import { openSpool } from '../spool/spool.ts'
import type { Spool } from '../spool/spool.ts'
import type { DigestLedger, LedgerBatch } from './digest-ledger.ts'
import { createDigest } from './digest.ts'
import type { DigestLimits } from './digest.ts'
import type { ItemKind, RowToken, StoredEntry } from './item-kind.ts'
import { createQuarantine } from './quarantine.ts'
import type { DigestState } from './retry.ts'
import type { Announcement } from './settle-batch.ts'
import { openUnderWayFile } from './under-way.ts'

let directory: string
let lines: string[]
let spool: Spool
let stores: TestStores
const logger = createLogger(
  'debug',
  (line) => lines.push(line),
  () => 0,
)

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'firsthand-digest-'))
  lines = []
  spool = await openSpool({ directory: join(directory, 'spool'), logger, limits: { reserveBytes: 0 } })
  stores = openTestStores(null, [99])
})
afterEach(async () => {
  await spool.close()
  stores.close()
  await rm(directory, { recursive: true, force: true })
})

interface TestItem {
  readonly type: string
  readonly payload: string | Uint8Array
  readonly header?: Readonly<Record<string, unknown>>
}

let nextId = 0
const newId = (): string => (nextId += 1).toString(16).padStart(32, '0')

const envelope = (
  items: readonly TestItem[],
  { id = newId(), projectId = 7, header = {} }: { id?: string | null; projectId?: number; header?: object } = {},
): AcceptedEnvelope => ({
  kind: 'envelope',
  receivedAt: 1_795_000_000_000,
  sender: { organizationId: 1, projectId, keyId: 3, clientAddress: null, userAgent: null, origin: null, sdk: 'test/1' },
  body: serializeEnvelope(
    { ...(id === null ? {} : { event_id: id }), ...header },
    items.map((item) => ({
      header: { ...item.header, type: item.type },
      payload: typeof item.payload === 'string' ? Buffer.from(item.payload) : item.payload,
    })),
  ),
})

const event = (message: string, more: object = {}): TestItem => ({
  type: 'event',
  payload: JSON.stringify({ message, ...more }),
})

type StoredRows = readonly StoredEntry<unknown, unknown, unknown>[]

interface Running {
  readonly settled: SpoolPosition[]
  readonly news: Announcement[]
  readonly states: DigestState[]
  /** What each call of `onSettled` told. */
  readonly bytes: number[]
  stop(): Promise<void>
}

const start = (
  overrides: {
    ledger?: Partial<DigestLedger>
    /** Instead of steps of the events. */
    events?: (kind: ItemKind) => Partial<ItemKind>
    /** Besides those of the stores. */
    kinds?: readonly ItemKind[]
    limits?: Partial<DigestLimits>
    /** Instead of the spool's records in their order. */
    heavy?: HeavyReader
  } = {},
): Running => {
  const settled: SpoolPosition[] = []
  const news: Announcement[] = []
  const states: DigestState[] = []
  const bytes: number[] = []
  const stopping = new AbortController()
  const digest = createDigest({
    spoolId: overrides.heavy === undefined ? spool.id : `${spool.id}:heavy`,
    reader: overrides.heavy ?? createSpoolReader({ spool: spool.handle, logger }),
    ledger: { ...stores.ledger, ...overrides.ledger },
    kinds: [
      ...stores.kinds.map((kind, index) => (index === 0 ? { ...kind, ...overrides.events?.(kind) } : kind)),
      ...(overrides.kinds ?? []),
    ],
    outcomes: stores.outcomeStore,
    projects: stores.projects,
    quarantine: createQuarantine({ directory: join(directory, 'quarantine'), logger }),
    underWay: openUnderWayFile(join(directory, 'under-way.json'), logger),
    followsDeath: false,
    logger,
    clock: systemClock,
    onSettled: (position, more) => {
      overrides.heavy?.settled(position)
      settled.push(position)
      bytes.push(more)
    },
    onNews: (more) => news.push(...more),
    onState: (state) => states.push(state),
    limits: { intervalMs: 0, retryFirstMs: 1, retryLongestMs: 2, ...overrides.limits },
  })
  const done = digest.run(stopping.signal)
  return {
    settled,
    news,
    states,
    bytes,
    stop: async () => {
      stopping.abort()
      await done
    },
  }
}

const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited too long\n${lines.join('')}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const isDigested = async (): Promise<boolean> => {
  const { position, pending } = await stores.ledger.progress(spool.id)
  const end = spool.end()
  return pending === null && position.segment === end.segment && position.offset === end.offset
}

/** Digests everything that is in the spool. */
const digestAll = async (): Promise<Running> => {
  const running = start()
  await until(isDigested)
  await running.stop()
  return running
}

const append = (...records: AcceptedEnvelope[]): Promise<void[]> =>
  Promise.all(records.map((record) => spool.append(record)))
const outcomeOf = (itemType: string) =>
  stores
    .outcomes()
    .filter((row) => row.itemType === itemType)
    .map((row) => [row.outcome, row.reason, row.quantity])

describe('digest', () => {
  it('stores events, tells the main thread what changed, and lets the spool forget', async () => {
    const empty = spool.end()
    const ids = [newId(), newId(), newId()]
    await append(...ids.map((id, index) => envelope([event(index === 2 ? 'b' : 'a')], { id })))
    const { news, settled, bytes } = await digestAll()
    expect(stores.storedEventIds()).toEqual(ids)
    expect(news).toMatchObject([
      {
        kind: 'events',
        organizationId: 1,
        projectId: 7,
        data: { issueIds: [1, 2], opened: [1, 2], events: ids.map((eventId) => ({ eventId })) },
      },
    ])
    expect(settled.at(-1)).toEqual(spool.end())
    expect(bytes[0]).toBe(0)
    expect(bytes.reduce((sum, more) => sum + more)).toBe(spool.end().offset - empty.offset)
    expect(outcomeOf('event')).toEqual([['accepted', '', 3]])
  })

  it('tells telemetry which batch may be there already: after a failed attempt, and after a restart', async () => {
    const told: [string, boolean | undefined][] = []
    let failures = 1
    const events = (kind: ItemKind): Partial<ItemKind> => ({
      write: async (rows, to) => {
        told.push([to.token.slice(to.token.lastIndexOf(':') + 1), to.again])
        failures -= 1
        if (failures >= 0) throw new Error('away')
        return kind.write?.(rows, to) ?? new Map()
      },
    })
    await append(envelope([event('a')]))
    let running = start({ events })
    await until(isDigested)
    await append(envelope([event('b')]))
    await until(isDigested)
    failures = Infinity
    await append(envelope([event('c')]))
    await until(() => told.length > 3)
    await running.stop()
    const before = told.length
    failures = 0
    running = start({ events })
    await until(isDigested)
    await running.stop()
    expect(told.slice(0, 4)).toEqual([
      ['1', false],
      ['1', true],
      ['2', false],
      ['3', false],
    ])
    expect(told.slice(before)).toEqual([['3', true]])
    expect(stores.storedEventIds()).toHaveLength(3)
  })

  it('wakes up for an event that comes while it is idle', async () => {
    const running = start()
    for (const id of [newId(), newId()]) {
      await append(envelope([event('a')], { id }))
      await until(() => stores.storedEventIds().includes(id))
    }
    await running.stop()
    expect(running.states.map((state) => state.status)).toEqual(['running', 'stopped'])
  })

  it('says at its start what is settled, so that a restarted spool forgets it', async () => {
    await append(envelope([event('a')]))
    await digestAll()
    await spool.close()
    spool = await openSpool({ directory: join(directory, 'spool'), logger, limits: { reserveBytes: 0 } })
    const running = start()
    await until(() => running.settled.length > 0)
    const before = spool.backlogBytes()
    for (const position of running.settled) spool.settled(position)
    expect(spool.backlogBytes()).toBeLessThan(before)
    await running.stop()
  })

  it('stores an event id once per project: in one batch, in later batches, and from another project again', async () => {
    const id = newId()
    await append(
      envelope([event('a')], { id }),
      envelope([event('b')], { id }),
      envelope([event('a')], { id, projectId: 8 }),
    )
    await digestAll()
    await append(envelope([event('c')], { id }))
    await digestAll()
    expect(stores.storedEventIds()).toEqual([id, id])
    expect(outcomeOf('event')).toEqual([
      ['accepted', '', 2],
      ['duplicate', 'duplicate', 2],
    ])
  })

  it('gives each browser report of an envelope an event of its own', async () => {
    const report = { type: 'raw_security', payload: '{"message":"csp"}' }
    await append(envelope([report, report, { type: 'nel', payload: '{"message":"nel"}' }]))
    await digestAll()
    expect(new Set(stores.storedEventIds()).size).toBe(3)
  })

  describe('payloads in files', () => {
    const stage = async (content: Uint8Array): Promise<PayloadFile> => {
      const file = await spool.stage()
      await file.write(content)
      return file.finish()
    }
    /** An event, and attachments with these files. */
    const filed = (files: readonly PayloadFile[], id = newId()): AcceptedEnvelope => ({
      ...envelope([event('a'), ...files.map((): TestItem => ({ type: 'attachment', payload: '' }))], { id }),
      files: files.map((file, index) => ({ ...file, item: index + 1 })),
    })

    it('are handed to the blobs, and gone afterwards', async () => {
      const file = await stage(Buffer.alloc(5000, 'large'))
      await append(filed([file]))
      const { settled } = await digestAll()
      expect(stores.keptItems()).toMatchObject([{ itemType: 'attachment', blobKey: `1/${file.sha256}` }])
      expect(stores.outcomes().find(({ itemType }) => itemType === 'attachment')).toMatchObject({
        outcome: 'accepted',
        bytes: 5000,
      })
      expect(existsSync(file.path)).toBe(true)
      for (const position of settled) spool.settled(position)
      await until(() => !existsSync(file.path))
    })

    it('that are missing or damaged end with a reason, and stop nothing', async () => {
      const files = [
        await stage(Buffer.from('missing')),
        await stage(Buffer.from('damaged')),
        await stage(Buffer.from('whole')),
      ]
      const [missing, damaged] = files
      if (missing === undefined || damaged === undefined) throw new Error('There are no files.')
      unlinkSync(missing.path)
      writeFileSync(damaged.path, 'Damaged')
      await append(filed(files), filed([missing]))
      await append(envelope([event('afterwards')]))
      await digestAll()
      expect(outcomeOf('event')).toEqual([['accepted', '', 3]])
      expect(new Set(outcomeOf('attachment').map((row) => row.join(' ')))).toEqual(
        new Set(['accepted  1', 'invalid damaged_on_disk 3']),
      )
      expect(stores.keptItems()).toHaveLength(1)
    })

    it('are taken by a batch up to a bound', async () => {
      const size = LIMITS.DIGEST_BATCH_FILE_BYTES / 2
      const big = (name: string): PayloadFile => ({ path: name, bytes: size, sha256: '0'.repeat(64) })
      await append(...['a', 'b', 'c'].map((name) => filed([big(name)])))
      const reader = createSpoolReader({ spool: spool.handle, logger })
      const read = await reader.read({ segment: 0, offset: 0 }, { bytes: 1_000_000, records: 100 })
      expect(read.records).toHaveLength(2)
      expect((await reader.read(read.end, { bytes: 1_000_000, records: 100 })).records).toHaveLength(1)
      await reader.close()
    })
  })

  it('drops the attachments of an event that is dropped, and keeps all others', async () => {
    const attachment: TestItem = { type: 'attachment', payload: 'text', header: { filename: 'a.txt' } }
    const stored = newId()
    await append(
      envelope([attachment, event('filtered', { filter: 'localhost' }), attachment]),
      envelope([event('stored'), attachment], { id: stored }),
      envelope([event('again'), attachment], { id: stored }),
      envelope([attachment], { id: stored }),
    )
    await digestAll()
    expect(stores.keptItems().map((item) => item.eventId)).toEqual([stored, stored])
    expect(outcomeOf('attachment')).toEqual([
      ['accepted', '', 2],
      ['duplicate', 'duplicate', 1],
      ['filtered', 'localhost', 2],
    ])
  })

  it('keeps items whose screens come later whole: short text inline, the rest as blobs', async () => {
    const traceId = 'ab'.repeat(16)
    const long = JSON.stringify('x'.repeat(70_000))
    await append(
      envelope(
        [
          { type: 'transaction', payload: '{"type":"transaction"}' },
          { type: 'log', payload: '{"items":[{},{},{}]}', header: { item_count: 3 } },
          { type: 'replay_recording', payload: Uint8Array.of(0x78, 0x9c, 0xff, 0x00) },
          { type: 'profile', payload: long },
          { type: 'attachment', payload: 'a\u0000b', header: { filename: '../x' } },
        ],
        { header: { trace: { trace_id: traceId } } },
      ),
    )
    await digestAll()
    const kept = stores.keptItems()
    expect(kept.map((item) => [item.itemType, item.payload, item.blobKey === null])).toEqual([
      ['transaction', '{"type":"transaction"}', true],
      ['log', '{"items":[{},{},{}]}', true],
      ['replay_recording', null, false],
      ['profile', null, false],
      ['attachment', null, false],
    ])
    expect(new Set(kept.map((item) => item.id)).size).toBe(5)
    expect(Buffer.from((await stores.blobs.get(kept[3]?.blobKey ?? '')) ?? []).toString()).toBe(long)
    expect(outcomeOf('log')).toEqual([['accepted', '', 3]])
  })

  it('check 13: an unknown item type between two known ones is counted, and both known are stored', async () => {
    await append(envelope([event('a'), { type: 'zeppelin', payload: 'x' }, { type: 'session', payload: '{}' }]))
    await digestAll()
    expect(stores.storedEventIds().length).toBe(1)
    expect(stores.keptItems().map((item) => item.itemType)).toEqual(['session'])
    expect(outcomeOf('zeppelin')).toEqual([['invalid', 'unknown_item_type', 1]])
  })

  it('check 11: an empty envelope has an outcome', async () => {
    await append(envelope([]))
    await digestAll()
    expect(outcomeOf('')).toEqual([['invalid', 'empty_envelope', 1]])
  })

  it('accepts and drops the metrics of old SDKs', async () => {
    await append(
      envelope([
        { type: 'statsd', payload: 'a:1|c' },
        { type: 'metric_buckets', payload: '[]' },
      ]),
    )
    await digestAll()
    expect(outcomeOf('statsd')).toEqual([['filtered', 'unsupported_item_type', 1]])
    expect(outcomeOf('metric_buckets')).toEqual([['filtered', 'unsupported_item_type', 1]])
  })

  it('merges client reports into the receipts, bounded', async () => {
    const discarded = [
      { reason: 'no_parent_span', category: 'span', quantity: 2 },
      { reason: '<b>', category: 'zeppelin', quantity: 1e300 },
      { reason: 'sample_rate', category: 'transaction', quantity: 'x' },
      { reason: 'sample_rate', category: 'transaction', quantity: -5 },
      null,
      ...Array.from({ length: 2000 }, () => ({ reason: 'before_send', category: 'error', quantity: 1 })),
    ]
    await append(
      envelope([{ type: 'client_report', payload: JSON.stringify({ discarded_events: discarded }) }], { id: null }),
      envelope([{ type: 'client_report', payload: '[' }], { id: null }),
    )
    await digestAll()
    expect(outcomeOf('client_report')).toEqual([
      ['accepted', '', 1],
      ['invalid', 'invalid_json', 1],
    ])
    expect(outcomeOf('span')).toEqual([['client_discard', 'no_parent_span', 2]])
    expect(outcomeOf('event')).toEqual([['client_discard', 'before_send', 998]])
    expect(outcomeOf('')).toEqual([
      ['client_discard', 'client_report_limit', 1],
      ['client_discard', 'other', LIMITS.CLIENT_REPORT_QUANTITY],
    ])
  })

  it('shows true rows beside 40 client reports with 1,400 invented reasons, over all batches', async () => {
    const report = (reasons: readonly string[]) =>
      envelope(
        [
          {
            type: 'client_report',
            payload: JSON.stringify({
              discarded_events: reasons.map((reason) => ({ reason, category: 'error', quantity: 1 })),
            }),
          },
        ],
        { id: null },
      )
    const running = start()
    for (let sent = 0; sent < 40; sent += 1) {
      await append(report(Array.from({ length: 35 }, (_, index) => `invented_${sent}_${index}`)))
      await until(isDigested)
    }
    await append(report(['before_send', 'network_error']))
    await until(isDigested)
    await running.stop()
    const shown = outcomeOf('event')
    const reasons = new Set(shown.map(([, reason]) => reason))
    expect([...reasons]).toEqual(expect.arrayContaining(['before_send', 'network_error', 'other']))
    expect(reasons.size).toBe(LIMITS.RECEIPT_WORDS + 3)
    expect(shown.reduce((sum, row) => sum + Number(row[2]), 0)).toBe(1402)
  })

  it('counts the items of a deleted project as invalid', async () => {
    await append(envelope([event('a'), { type: 'session', payload: '{}' }], { projectId: 99 }))
    await digestAll()
    expect(outcomeOf('event')).toEqual([['invalid', 'unknown_project', 1]])
    expect(outcomeOf('session')).toEqual([['invalid', 'unknown_project', 1]])
  })

  it('sets an item aside that makes its processor throw, and goes on', async () => {
    const id = newId()
    await append(
      envelope([event('a', { throw: true }), { type: 'session', payload: '{}' }], { id }),
      envelope([event('b')]),
    )
    await digestAll()
    expect(stores.storedEventIds().length).toBe(1)
    expect(outcomeOf('event')).toEqual([
      ['accepted', '', 1],
      ['invalid', 'internal_error', 1],
    ])
    expect(lines.some((line) => line.includes(' error ') && line.includes(id))).toBe(true)
    const [file] = await readdir(join(directory, 'quarantine'))
    const [about, payload] = (await readFile(join(directory, 'quarantine', file ?? ''), 'utf8')).split('\n')
    expect(JSON.parse(about ?? '')).toMatchObject({ itemType: 'event', project: 7, eventId: id })
    expect(JSON.parse(payload ?? '')).toEqual({ message: 'a', throw: true })
  })

  it('finds the one record that the ledger refuses, sets it aside and stores all others', async () => {
    const bad = newId()
    const ids = Array.from({ length: 40 }, () => newId())
    await append(...[...ids.slice(0, 23), bad, ...ids.slice(23)].map((id) => envelope([event('a')], { id })))
    const running = start({
      events: (kind) => ({
        apply: async (work, entries, ready) => {
          if (entries.some(({ item }) => item.eventId === bad)) {
            throw Object.assign(new Error('invalid byte sequence'), { code: '22021' })
          }
          return (await kind.apply?.(work, entries, ready)) ?? []
        },
      }),
    })
    await until(isDigested)
    await running.stop()
    expect(stores.storedEventIds()).toEqual(ids)
    expect(outcomeOf('event')).toEqual([
      ['accepted', '', 40],
      ['invalid', 'internal_error', 1],
    ])
    expect(await readdir(join(directory, 'quarantine'))).toHaveLength(1)
  })

  it('counts client reports once, however often their batch is prepared', async () => {
    const bad = newId()
    const quantity = Math.floor(LIMITS.CLIENT_REPORT_QUANTITY / 4)
    const discarded_events = [{ reason: 'before_send', category: 'error', quantity }]
    const report = envelope([{ type: 'client_report', payload: JSON.stringify({ discarded_events }) }], { id: null })
    await append(report, report, envelope([event('a')], { id: bad }), report)
    const running = start({
      events: () => ({
        apply: () => Promise.reject(Object.assign(new Error('invalid byte sequence'), { code: '22021' })),
      }),
      // Of the records behind a batch that is being stored, some are prepared already.
      limits: { batchRecords: 3, aheadBytes: 1 },
    })
    await until(isDigested)
    await running.stop()
    const discards = stores.outcomes().filter((row) => row.outcome === 'client_discard')
    expect(new Set(discards.map((row) => row.reason))).toEqual(new Set(['before_send']))
    expect(discards.reduce((sum, row) => sum + row.quantity, 0)).toBe(3 * quantity)
  })

  it('tries a store that is away again until it is back, says so, and loses nothing', async () => {
    const away = { apply: 3, write: 4, settle: 5 }
    const failing =
      <Arguments extends unknown[], Value>(step: keyof typeof away, work: (...given: Arguments) => Promise<Value>) =>
      async (...given: Arguments): Promise<Value> => {
        if (away[step] > 0) {
          away[step] -= 1
          throw new Error(`${step}: connect ECONNREFUSED`)
        }
        return work(...given)
      }
    const running = start({
      ledger: {
        apply: failing('apply', (batch: LedgerBatch) => stores.ledger.apply(batch)),
        settle: failing('settle', (id: string, batch: number) => stores.ledger.settle(id, batch)),
      },
      events: (kind) => ({
        write: failing('write', async (rows: StoredRows, to: RowToken) => (await kind.write?.(rows, to)) ?? new Map()),
      }),
    })
    const id = newId()
    await append(envelope([event('a')], { id }))
    await until(isDigested)
    await running.stop()
    expect(stores.storedEventIds()).toEqual([id])
    expect(running.states.filter((state) => state.status === 'retrying').length).toBe(12)
    expect(running.states.at(-2)?.status).toBe('running')
    expect(running.states.find((state) => state.status === 'retrying')?.detail).toContain('ECONNREFUSED')
  })

  it.each(['apply', 'write', 'settle'] as const)(
    'repeats exactly the same batch when it ended before or after %s',
    async (step) => {
      for (const moment of ['before', 'after'] as const) {
        const ids = Array.from({ length: 5 }, () => newId())
        await append(...ids.map((id) => envelope([event('a'), { type: 'session', payload: '{}' }], { id })))
        let reached = false
        const dying =
          <Arguments extends unknown[], Value>(name: string, work: (...given: Arguments) => Promise<Value>) =>
          async (...given: Arguments): Promise<Value> => {
            if (name !== step) return work(...given)
            if (moment === 'after') await work(...given)
            reached = true
            throw new Error('the process dies here')
          }
        const first = start({
          ledger: {
            apply: dying('apply', (batch: LedgerBatch) => stores.ledger.apply(batch)),
            settle: dying('settle', (id: string, batch: number) => stores.ledger.settle(id, batch)),
          },
          events: (kind) => ({
            write: dying(
              'write',
              async (rows: StoredRows, to: RowToken) => (await kind.write?.(rows, to)) ?? new Map(),
            ),
          }),
        })
        await until(() => reached)
        await first.stop()
        // More arrives before the next start: it must not get into the repeated batch.
        const later = newId()
        await append(envelope([event('a'), { type: 'session', payload: '{}' }], { id: later }))
        await digestAll()
        for (const id of [...ids, later])
          expect(stores.storedEventIds().filter((stored) => stored === id)).toEqual([id])
      }
      const events = stores.storedEventIds().length
      expect(stores.countedEvents().every((row) => row.times === 1)).toBe(true)
      expect(outcomeOf('event')).toEqual([['accepted', '', events]])
      expect(outcomeOf('session')).toEqual([['accepted', '', events]])
      expect(stores.keptItems().length).toBe(events)
    },
  )

  it('repeats a batch as it was made, also when a capability that some of it waited for has come meanwhile', async () => {
    const ids = Array.from({ length: 3 }, () => newId())
    await append(...ids.map((id) => envelope([{ type: 'session', payload: '{}' }], { id })))
    let reached = false
    const first = start({
      ledger: {
        apply: async (batch) => {
          await stores.ledger.apply(batch)
          reached = true
          throw new Error('the process dies here')
        },
      },
    })
    await until(() => reached)
    await first.stop()
    expect(stores.keptItems()).toEqual([])

    const taken: unknown[] = []
    const sessions: ItemKind = {
      name: 'sessions',
      takes: ['session'],
      expand: (item) => ok(item.eventId),
      apply: async (_work, entries) => {
        taken.push(...entries.map(({ value }) => value))
        return entries.map(() => ({ isStored: true, stored: null }))
      },
    }
    const later = newId()
    await append(envelope([{ type: 'session', payload: '{}' }], { id: later }))
    const second = start({ kinds: [sessions] })
    await until(isDigested)
    await second.stop()
    expect(stores.keptItems().map(({ eventId }) => eventId)).toEqual(ids)
    expect(taken).toEqual([later])
  })

  it('goes on without what telemetry refuses: it ends as invalid, and can be looked at', async () => {
    const [good, bad] = [newId(), newId()]
    stores.refusedIds.add(bad)
    await append(
      envelope([event('a')], { id: good }),
      envelope([event('a'), { type: 'attachment', payload: 'x', header: { filename: 'a' } }], { id: bad }),
      envelope([{ type: 'session', payload: '{}' }], { id: bad }),
    )
    await digestAll()
    expect(stores.storedEventIds()).toEqual([good])
    expect(stores.keptItems()).toEqual([])
    expect(outcomeOf('event')).toEqual([
      ['accepted', '', 1],
      ['invalid', 'internal_error', 1],
    ])
    expect(outcomeOf('attachment')).toEqual([['invalid', 'internal_error', 1]])
    expect(outcomeOf('session')).toEqual([['invalid', 'internal_error', 1]])
    expect(await readdir(join(directory, 'quarantine'))).toHaveLength(3)
    expect(lines.join('')).toContain('is refused by telemetry')
  })

  it('digests a long backlog in bounded batches, preparing one while another is stored', async () => {
    const ids = Array.from({ length: 300 }, () => newId())
    await append(...ids.map((id) => envelope([event('x'.repeat(1000))], { id })))
    const running = start({ limits: { batchBytes: 20_000, batchRecords: 50, aheadBytes: 1000 } })
    await until(isDigested)
    await running.stop()
    expect(stores.storedEventIds()).toEqual(ids)
    expect(stores.batches()).toBeGreaterThanOrEqual(15)
  })

  it('finishes the batch under way when it is stopped', async () => {
    let release = (): void => undefined
    let writing = false
    const running = start({
      events: (kind) => ({
        write: async (rows, to) => {
          writing = true
          await new Promise<void>((resolve) => (release = resolve))
          return kind.write?.(rows, to) ?? new Map()
        },
      }),
    })
    await append(envelope([event('a')]))
    await until(() => writing)
    const stopped = running.stop()
    release()
    await stopped
    expect(await isDigested()).toBe(true)
  })
})

describe('outcomes', () => {
  const itemType = fc.oneof(
    { weight: 3, arbitrary: fc.constant('event') },
    fc.constantFrom(
      'attachment',
      'transaction',
      'session',
      'span',
      'log',
      'client_report',
      'statsd',
      'raw_security',
      'nel',
      'replay_recording',
      'feedback',
      'check_in',
      '__proto__',
      'constructor',
    ),
    fc.string(),
  )
  const payload = fc.oneof(
    fc
      .record({
        message: fc.string(),
        filter: fc.option(fc.constantFrom('localhost', 'web_crawlers'), { nil: undefined }),
        throw: fc.option(fc.boolean(), { nil: undefined }),
      })
      .map((value) => Buffer.from(JSON.stringify(value))),
    fc.json().map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 200 }),
  )
  const item = fc.record({
    type: itemType,
    payload,
    count: fc.option(fc.oneof(fc.nat(50), fc.double()), { nil: undefined }),
  })
  const sent = fc.record({
    items: fc.array(item, { maxLength: 6 }),
    id: fc.option(
      fc.nat(8).map((number) => number.toString(16).padStart(32, '0')),
      { nil: null },
    ),
    projectId: fc.constantFrom(7, 8, 99),
    broken: fc.boolean(),
  })

  it('items in = outcomes out, for random and hostile envelopes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 12 }), async (envelopes) => {
        const before = stores.outcomes().filter((row) => row.outcome !== 'client_discard')
        const sum = (rows: { quantity: number }[]): number => rows.reduce((total, row) => total + row.quantity, 0)
        let expected = 0
        const records: AcceptedEnvelope[] = []
        for (const { items, id, projectId, broken } of envelopes) {
          const record = envelope(
            items.map((entry) => ({ type: entry.type, payload: entry.payload, header: { item_count: entry.count } })),
            { id, projectId },
          )
          // The door lets no such thing in; if it did, it would be one invalid envelope.
          records.push(broken && items.length === 0 ? { ...record, body: Buffer.from('not an envelope') } : record)
          expected += Math.max(
            1,
            items.reduce((total, entry) => total + countOfSent(entry), 0),
          )
        }
        await append(...records)
        await digestAll()
        const after = stores.outcomes().filter((row) => row.outcome !== 'client_discard')
        expect(sum(after) - sum(before)).toBe(expected)
      }),
      { numRuns: 60 },
    )
    const accepted = stores
      .outcomes()
      .filter((row) => row.outcome === 'accepted' && ['event', 'raw_security', 'nel'].includes(row.itemType))
    expect(accepted.reduce((total, row) => total + row.quantity, 0)).toBe(stores.storedEventIds().length)
  })
})

/** How many things an item of the property test stands for: protocol.md 1.3, `item_count`. */
const countOfSent = (entry: { type: string; payload: Uint8Array; count: number | undefined }): number => {
  const { count } = entry
  if (!['span', 'log'].includes(entry.type) || count === undefined || !Number.isSafeInteger(count) || count < 0)
    return 1
  return Math.max(1, Math.min(count, entry.payload.byteLength))
}

describe('heavy records', () => {
  const heavy = (message: string, projectId: number): Promise<void> =>
    spool.append({ ...envelope([event(message)], { projectId }), isHeavy: true })
  const open = (): Promise<HeavyReader> => openHeavyReader({ spool: spool.handle, logger, onPassed: () => undefined })

  it('of another project are stored before the last of one that sent many', async () => {
    for (let index = 0; index < 5; index += 1) await heavy(`flood ${index}`, 7)
    await heavy('of another project', 8)
    // Each batch ends with its first record.
    const running = start({ heavy: await open(), limits: { batchMs: 0 } })
    await until(() => running.news.length === 6)
    await running.stop()
    const projects = running.news.map(({ projectId }) => projectId)
    expect(projects).toHaveLength(6)
    expect(projects.indexOf(8)).toBeLessThan(3)
    expect(stores.storedEventIds()).toHaveLength(6)
  })

  it('are stored once each, when it is stopped after any batch', async () => {
    for (let index = 0; index < 9; index += 1) await heavy(`${index}`, 7 + (index % 3))
    for (let stored = 1; stored <= 9; stored += 2) {
      const running = start({ heavy: await open(), limits: { batchMs: 0 } })
      await until(() => new Set(stores.storedEventIds()).size >= stored)
      await running.stop()
    }
    const ids = stores.storedEventIds()
    expect([ids.length, new Set(ids).size]).toEqual([9, 9])
  })

  it('that fill a segment are passed over for good by the digest of the rest', async () => {
    await spool.close()
    const limits = { reserveBytes: 0, segmentBytes: 1 }
    spool = await openSpool({ directory: join(directory, 'spool'), logger, limits })
    await heavy('a', 7)
    await heavy('b', 7)
    await spool.append(envelope([event('c')]))
    const running = start()
    await until(() => running.news.length === 1)
    await running.stop()
    const { position } = await stores.ledger.progress(spool.id)
    expect(position).toEqual(spool.end())
    expect(stores.storedEventIds()).toHaveLength(1)
  })
})
