import { parseEnvelope } from '@firsthand/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTelemetry } from '../../test/stores/open.ts'
import type { Backfill, ItemKind, SpoolPosition, SpoolReader } from '../ingest/index.ts'
import { createFindings } from '../lib/findings.ts'
import { ok } from '../lib/result.ts'
import { recordingLogger, silentLogger, temporaryFolder } from '../storage/conformance/engines.ts'
import { createFileBlobs } from '../storage/blobs/file-blobs.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import type { Telemetry } from '../storage/telemetry/telemetry.ts'
import { findBackfills, groupsOf } from './backfill.ts'
import { KEPT_ITEMS } from './kept-item-row.ts'
import type { KeptItem } from './kept-item.ts'

const kind = (parts: Pick<ItemKind, 'takes' | 'leads' | 'follows'>): ItemKind => ({
  name: 'a kind',
  expand: () => ok(null),
  ...parts,
})

describe('groups of kept item types', () => {
  it('joins what leads and what follows in one kind, and leaves out what is not kept', () => {
    const replays = kind({
      takes: ['replay_event', 'replay_recording', 'attachment'],
      leads: ['replay_event'],
      follows: ['replay_recording', 'attachment'],
    })
    const spans = kind({ takes: ['span', 'transaction', 'event'] })
    expect(groupsOf([replays, spans], ['transaction', 'span', 'replay_recording', 'replay_event', 'session'])).toEqual([
      ['replay_event', 'replay_recording'],
      ['span'],
      ['transaction'],
    ])
  })

  it('leaves a type that follows alone when nothing leads it', () => {
    expect(groupsOf([kind({ takes: ['profile'], follows: ['profile'] })], ['profile'])).toEqual([['profile']])
  })
})

const AT = Date.UTC(2026, 10, 16, 12)
/** More rows than one step reads. */
const ENVELOPES = 300

describe('kept items of one envelope', () => {
  const folder = temporaryFolder()
  let telemetry: Telemetry
  let found: readonly Backfill[]

  beforeAll(async () => {
    telemetry = await openTelemetry(
      { dataDir: folder.path },
      { logger: silentLogger, findings: createFindings({ now: Date.now }) },
    )
    const item = (envelope: number, itemType: string, eventId: string | null): KeptItem => ({
      organizationId: 1,
      projectId: 7,
      id: `${envelope}${itemType}${eventId}`.padEnd(32, '0').slice(0, 32),
      itemType,
      eventId,
      traceId: null,
      // Many share a millisecond.
      receivedAt: AT + Math.floor(envelope / 40),
      envelopeHeader: JSON.stringify(eventId === null ? {} : { event_id: eventId }),
      itemHeader: JSON.stringify({ type: itemType }),
      filename: null,
      contentType: null,
      bytes: 2,
      payload: `{"n":${envelope}}`,
      blobKey: null,
    })
    const rows = Array.from({ length: ENVELOPES }, (_, envelope) => {
      const eventId = envelope.toString(16).padStart(32, 'a')
      return [item(envelope, 'replay_recording', eventId), item(envelope, 'replay_event', eventId)]
    }).flat()
    const writer = createRowWriter({ client: telemetry.client, logger: silentLogger })
    // What senders wrote into a header need not be what one would expect.
    const strange = { ...item(3, 'span', null), envelopeHeader: '{"event_id":7,"sdk":null}', itemHeader: 'null' }
    const rest = [item(1, 'replay_event', null), item(2, 'replay_event', null), strange]
    await writer.insertRows(KEPT_ITEMS, [...rows, ...rest], {
      token: 'test:1',
      again: false,
    })
    const stores = {
      client: telemetry.client,
      blobs: createFileBlobs(folder.path),
      logger: recordingLogger().logger,
    }
    found = await findBackfills(stores, [['replay_event', 'replay_recording'], ['span']])
  }, 60_000)
  afterAll(async () => {
    await telemetry.close()
    folder.remove()
  })

  const reader = (): SpoolReader => {
    const [first] = found
    if (first === undefined) throw new Error('No kept items were found.')
    return first.reader
  }
  it('are one spool, counted', () => {
    expect(found).toMatchObject([
      { spoolId: 'kept:7:replay_event+replay_recording', items: 2 * ENVELOPES + 2 },
      { spoolId: 'kept:7:span', items: 1 },
    ])
  })
  it('are read whatever their headers say', async () => {
    const { records } = (await found[1]?.reader.read({ segment: 0, offset: 0 }, { records: 10, bytes: 1e9 })) ?? {}
    expect(records?.map(({ record }) => typesOf((record as { body: Uint8Array }).body))).toEqual(['span'])
  })

  const typesOf = (body: Uint8Array): string => {
    const parsed = parseEnvelope(body)
    if (!parsed.ok) throw new Error(parsed.error.message)
    return parsed.value.items.map(({ header }) => header.type).join(' ')
  }
  const readAll = async (records: number) => {
    const steps = []
    let from: SpoolPosition = { segment: 0, offset: 0 }
    for (;;) {
      const step = await reader().read(from, { records, bytes: 1e9 })
      if (step.records.length === 0) return steps
      steps.push({ from, ...step })
      from = step.end
    }
  }
  const bodiesOf = (steps: Awaited<ReturnType<typeof readAll>>): string[] =>
    steps.flatMap(({ records }) =>
      records.map(({ record }) => Buffer.from((record as { body: Uint8Array }).body).toString()),
    )

  it.each([45, 1000])(
    'stand in one envelope again, the leading one first, in steps of %i records',
    async (size) => {
      const bodies = bodiesOf(await readAll(size))
      const counts = Map.groupBy(bodies, (body) => typesOf(Buffer.from(body)))
      expect([...counts].map(([types, { length }]) => [types, length])).toEqual(
        expect.arrayContaining([
          ['replay_event replay_recording', ENVELOPES],
          ['replay_event', 2],
        ]),
      )
      expect(bodies).toHaveLength(ENVELOPES + 2)
      expect(new Set(bodies).size).toBe(ENVELOPES + 2)
    },
    60_000,
  )

  it('are read no further than so many bytes, but always one', async () => {
    const read = async (bytes: number): Promise<number> =>
      (await reader().read({ segment: 0, offset: 0 }, { records: 100, bytes })).records.length
    // Two items of two bytes each.
    expect([await read(1), await read(8), await read(9)]).toEqual([1, 2, 2])
  })

  it('are the same when a step is repeated', async () => {
    for (const { from, end, records } of await readAll(100)) {
      expect((await reader().readUntil(from, end)).records).toEqual(records)
    }
  }, 60_000)
})
