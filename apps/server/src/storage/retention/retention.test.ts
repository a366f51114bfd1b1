import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../issues/events.store.ts'
import { createFileBlobs } from '../blobs/file-blobs.ts'
import type { BlobStore } from '../blobs/blobs.store.ts'
import { seedOrganization, silentLogger, temporaryFolder, testClock, unreadFindings } from '../conformance/engines.ts'
import { BASE_TIME, ledgerBatch, ledgerEvent, sampleEvent } from '../../issues/test/sample-events.ts'
import type { SampleEvent } from '../../issues/test/sample-events.ts'
import { createIssueJobs } from '../../issues/ledger/issue-jobs.ts'
import { createIssueStore } from '../../../test/stores/batch-stores.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { createTelemetryStore } from '../../../test/stores/batch-stores.ts'
import type { Retention } from './retention.ts'
import { createRetention, openEmptyLedger, openTelemetry } from '../../../test/stores/open.ts'

const DAY_MS = 24 * 60 * 60_000
const DEADLINE_MS = 100_000

const folderBytes = (path: string): number => {
  let bytes = 0
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}

/** Waits until `condition` holds; fails after a bounded time. */
const until = async (condition: () => boolean): Promise<void> => {
  const deadline = performance.now() + DEADLINE_MS
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('It did not happen in time')
    await delay(200)
  }
}

describe('retention', () => {
  const folder = temporaryFolder()
  const clock = testClock(BASE_TIME)
  let ledger: Ledger
  let telemetry: Telemetry
  let blobs: BlobStore
  let retention: Retention
  let batches = 0

  beforeAll(async () => {
    ledger = await openEmptyLedger(join(folder.path, 'ledger.sqlite'), { logger: silentLogger, clock })
    telemetry = await openTelemetry({ dataDir: folder.path }, { logger: silentLogger, findings: unreadFindings() })
    blobs = createFileBlobs(join(folder.path, 'blobs'))
    retention = createRetention({ ledger, client: telemetry.client, blobs, clock, logger: silentLogger })
    await seedOrganization(ledger, 30)
  }, 120_000)
  afterAll(async () => {
    await retention.close()
    await telemetry.close()
    await ledger.close()
    folder.remove()
  }, 60_000)

  const store = async (samples: readonly SampleEvent[], blob?: Uint8Array): Promise<number[]> => {
    batches += 1
    const events = samples.map((sample) => ledgerEvent(sample))
    const keys = blob === undefined ? [] : await blobs.put([{ organizationId: 1, bytes: blob }])
    const receivedAt = samples[0]?.at ?? BASE_TIME
    const result = await createIssueStore({ ledger, clock }).apply(
      ledgerBatch(batches, events, {
        blobs: keys.map((key) => ({ key, organizationId: 1, bytes: blob?.byteLength ?? 0, receivedAt })),
      }),
    )
    const ids: number[] = []
    const telemetryStore = createTelemetryStore({ client: telemetry.client })
    const rows = result.events.flatMap((verdict, index): StoredEvent[] => {
      const event = events[index]
      const sample = samples[index]
      if (verdict.kind !== 'stored' || event === undefined || sample === undefined) return []
      ids.push(verdict.issueId)
      const { organizationId, projectId, receivedAt: received } = event
      const grouped = sampleEvent(sample)
      const row = telemetryStore.encode({ receivedAt: received, grouped, traceId: null, spanId: null, replayId: null })
      return [{ organizationId, projectId, issueId: verdict.issueId, row }]
    })
    await telemetryStore.write({
      token: `main:${batches}`,
      events: rows,
      outcomes: () => [],
      keptItems: [],
    })
    await createIssueStore({ ledger, clock }).settle('main', batches)
    return ids
  }

  const count = async (
    table: 'issues' | 'event_index' | 'issue_hashes' | 'blobs' | 'issue_activity',
  ): Promise<number> => {
    const row = await ledger.db
      .selectFrom(table)
      .select((expression) => expression.fn.countAll().as('n'))
      .executeTakeFirstOrThrow()
    return Number(row.n)
  }
  const countEvents = async (): Promise<number> => {
    const result = await telemetry.client.query({ query: 'SELECT count() AS n FROM events', format: 'JSONEachRow' })
    const [row] = await result.json<{ n: number }>()
    return row?.n ?? -1
  }
  /** Kinds of errors whose frames are stored once for all of their events. */
  const stackKinds = async (): Promise<string[]> => {
    const result = await telemetry.client.query({ query: 'SELECT frames FROM stacks FINAL', format: 'JSONEachRow' })
    const rows = await result.json<{ frames: string }>()
    const kinds = ['old', 'after'].map(
      (kind) => [kind, sampleEvent({ seed: '', kind }).event.exception?.values[0]] as const,
    )
    return rows.map(
      ({ frames }) =>
        kinds.find(([, sample]) => frames.includes(sample?.stacktrace?.frames[0]?.filename ?? '-'))?.[0] ?? '?',
    )
  }
  const compactFile = (): number => statSync(join(folder.path, 'ledger.sqlite')).size

  it('frees disk in ledger, telemetry and blobs, and keeps what is younger', async () => {
    const old = BASE_TIME - 60 * DAY_MS
    for (let part = 0; part < 5; part += 1) {
      await store(
        Array.from({ length: 2000 }, (_, index): SampleEvent => ({
          seed: `old:${part}:${index}`,
          // Every other event has an issue of its own.
          kind: index % 2 === 0 ? 'old' : `old:${part}:${index}`,
          at: old + index * 1000,
          frames: 3,
          recurring: index % 2 === 0,
        })),
        randomBytes(100_000),
      )
    }
    // The same week as the cutoff: half of it is due.
    const due = BASE_TIME - 30 * DAY_MS
    await store([
      { seed: 'before', kind: 'before', at: due - 1000 },
      { seed: 'after', kind: 'after', at: due + 1000, recurring: true },
    ])
    const [young] = await store([{ seed: 'young', kind: 'young', at: BASE_TIME }], randomBytes(100_000))
    await ledger.compact()

    const before = {
      ledger: compactFile(),
      telemetry: folderBytes(join(folder.path, 'telemetry', 'store')),
      blobs: folderBytes(join(folder.path, 'blobs')),
    }
    expect(await stackKinds()).toEqual(expect.arrayContaining(['old', 'after']))
    const [report, same] = await Promise.all([retention.run(), retention.run()])
    expect(same).toBe(report)
    expect(report).toMatchObject({
      issues: 5002,
      eventIndexEntries: 10_001,
      blobs: 5,
      blobBytes: 500_000,
      rewrittenPartitions: 1,
    })
    expect(report.droppedPartitions).toBeGreaterThanOrEqual(1)

    expect(await countEvents()).toBe(2)
    expect(await stackKinds()).toEqual(['after'])
    expect([
      await count('issues'),
      await count('issue_hashes'),
      await count('event_index'),
      await count('blobs'),
    ]).toEqual([2, 2, 2, 1])
    expect(await count('issue_activity')).toBe(2)
    const living = await ledger.db
      .selectFrom('issues')
      .select('id')
      .where('id', '=', young ?? 0)
      .execute()
    expect(living).toHaveLength(1)

    expect(folderBytes(join(folder.path, 'blobs'))).toBe(before.blobs - 500_000)
    expect(compactFile()).toBeLessThan(before.ledger / 4)
    // The engine removes replaced parts after a while.
    await until(() => folderBytes(join(folder.path, 'telemetry', 'store')) < before.telemetry / 2)

    const again = await retention.run()
    expect(again).toMatchObject({
      issues: 0,
      eventIndexEntries: 0,
      blobs: 0,
      droppedPartitions: 0,
      rewrittenPartitions: 0,
    })
  }, 240_000)

  it('removes what users deleted, after the time for undo', async () => {
    const [keep = 0, drop = 0, child = 0] = await store([
      { seed: 'keep', kind: 'keep' },
      { seed: 'drop', kind: 'drop' },
      { seed: 'child', kind: 'child' },
    ])
    await ledger.db.updateTable('issues').set({ deleted_at: BASE_TIME }).where('id', '=', drop).execute()
    await ledger.db.updateTable('issues').set({ merged_into_id: drop }).where('id', '=', child).execute()
    const events = await countEvents()
    expect(await retention.purge()).toEqual({ issues: 0, projects: 0 })
    clock.set(BASE_TIME + DAY_MS / 2)
    expect(await retention.purge()).toEqual({ issues: 2, projects: 0 })
    const rows = await ledger.db.selectFrom('issues').select('id').where('id', 'in', [keep, drop, child]).execute()
    expect(rows).toEqual([{ id: keep }])
    expect(await countEvents()).toBe(events - 2)
    expect(await retention.purge()).toEqual({ issues: 0, projects: 0 })

    await ledger.db.updateTable('projects').set({ deleted_at: BASE_TIME }).where('id', '=', 1).execute()
    expect(await retention.purge()).toEqual({ issues: 0, projects: 1 })
    expect([
      await countEvents(),
      await count('issues'),
      await count('event_index'),
      await count('issue_hashes'),
    ]).toEqual([0, 0, 0, 0])
    expect(await ledger.db.selectFrom('projects').select('id').execute()).toEqual([{ id: 2 }])
  }, 120_000)

  it('ages new issues and reopens archived ones whose condition is met', async () => {
    await ledger.db
      .insertInto('projects')
      .values({
        id: 1,
        organization_id: 1,
        slug: 'shop',
        name: 'Shop',
        platform: '',
        settings: '{}',
        last_issue_number: 0,
        created_at: 0,
      })
      .execute()
    const now = BASE_TIME + 2 * DAY_MS
    clock.set(now)
    const day = (kind: string, events: number, at = now): SampleEvent[] =>
      Array.from({ length: events }, (_, index) => ({
        seed: `${kind}:${at}:${index}`,
        kind,
        at: at - (at % 3_600_000) + index,
        user: `u${index % 3}`,
      }))
    const [loud = 0] = await store(day('loud', 30))
    // This hour and those beside it had as many in the weeks before.
    for (const week of [4, 3, 2, 1]) {
      for (const hour of [-1, 0, 1]) await store(day('quiet', 30, now - week * 7 * DAY_MS + hour * 3_600_000))
    }
    const [quiet = 0] = await store(day('quiet', 30))
    const [users = 0] = await store(day('users', 5))
    const [timed = 0] = await store(day('timed', 1))
    const archive = async (
      id: number,
      substatus: 'archived_until_escalating' | 'archived_until_condition_met',
      details: object,
    ): Promise<void> => {
      await ledger.db
        .updateTable('issues')
        .set({ status: 'ignored', substatus, status_details: JSON.stringify({ since: now - DAY_MS, ...details }) })
        .where('id', '=', id)
        .execute()
    }
    await archive(loud, 'archived_until_escalating', {})
    await archive(quiet, 'archived_until_escalating', {})
    await archive(users, 'archived_until_condition_met', { untilUsers: 4 })
    await archive(timed, 'archived_until_condition_met', { untilTimestamp: now })
    const jobs = createIssueJobs({ ledger, client: telemetry.client, clock })
    const states = async (): Promise<unknown[]> => {
      const rows = await ledger.db
        .selectFrom('issues')
        .select('substatus')
        .where('id', 'in', [loud, quiet, users, timed])
        .orderBy('id')
        .execute()
      return rows.map((row) => row.substatus)
    }
    expect(await jobs.reviewArchived()).toEqual({ reopened: 2, dueAt: Infinity })
    expect(await states()).toEqual([
      'escalating',
      'archived_until_escalating',
      'archived_until_condition_met',
      'ongoing',
    ])
    await archive(users, 'archived_until_condition_met', { untilUsers: 3 })
    await archive(timed, 'archived_until_condition_met', { untilTimestamp: now + 5 })
    expect(await jobs.reviewArchived()).toEqual({ reopened: 1, dueAt: now + 5 })

    const [fresh = 0] = await store([{ seed: 'fresh', kind: 'fresh', at: now }])
    expect(await jobs.ageIssues()).toBe(0)
    clock.set(now + 7 * DAY_MS + 1)
    expect(await jobs.ageIssues()).toBe(1)
    const row = await ledger.db
      .selectFrom('issues')
      .select('substatus')
      .where('id', '=', fresh)
      .executeTakeFirstOrThrow()
    expect(row.substatus).toBe('ongoing')
  }, 120_000)
})
