import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventScope } from '../events.view.ts'
import type { GroupedEvent } from '../grouped.ts'
import { LIMITS } from '../limits.ts'
import { parseSearch } from '../../search/index.ts'
import { toEventFilter } from '../search/index.ts'
import { silentLogger, temporaryFolder, unreadFindings } from '../../storage/conformance/engines.ts'
import { BASE_TIME, hex, sampleEvent } from '../test/sample-events.ts'
import type { SampleEvent } from '../test/sample-events.ts'
import { deleteRowsOfTable } from '../../storage/retention/telemetry-retention.ts'
import { createTelemetryEventView } from './events.view.ts'
import { migrateTelemetry } from '../../storage/telemetry/migrate.ts'
import { createTelemetryStore } from '../../../test/stores/batch-stores.ts'
import type { Telemetry } from '../../storage/telemetry/telemetry.ts'
import { openTelemetry, telemetryMigrations } from '../../../test/stores/open.ts'

const HOUR_MS = 3_600_000
const ORGANIZATION = 1
const PROJECT = 1

const scope = (issueIds: readonly number[] | null, rest: Partial<EventScope> = {}): EventScope => ({
  organizationId: ORGANIZATION,
  projectIds: [PROJECT],
  issueIds,
  period: null,
  environments: [],
  filter: null,
  ...rest,
})

const filterOf = (text: string): EventScope['filter'] => {
  const parsed = parseSearch(text)
  if (!parsed.ok) throw new Error(parsed.error.message)
  const filter = toEventFilter(parsed.value.root, { now: BASE_TIME, projectIds: new Map([['web', PROJECT]]) })
  if (!filter.ok) throw new Error(filter.error.message)
  return filter.value
}

describe('reads of events', () => {
  const folder = temporaryFolder()
  let telemetry: Telemetry

  beforeAll(async () => {
    telemetry = await openTelemetry({ dataDir: folder.path }, { logger: silentLogger, findings: unreadFindings() })
  }, 60_000)
  afterAll(async () => {
    await telemetry.close()
    folder.remove()
  })

  const view = () => createTelemetryEventView({ client: telemetry.client })

  const write = async (
    token: string,
    issueId: number,
    samples: readonly SampleEvent[],
    change: (grouped: GroupedEvent) => GroupedEvent = (grouped) => grouped,
  ): Promise<void> => {
    const store = createTelemetryStore({ client: telemetry.client })
    const events = samples.map((sample) => ({
      organizationId: ORGANIZATION,
      projectId: PROJECT,
      issueId,
      row: store.encode({
        receivedAt: sample.at ?? BASE_TIME,
        grouped: change(sampleEvent(sample)),
        traceId: null,
        spanId: null,
        replayId: null,
      }),
    }))
    await store.write({ token, events, outcomes: () => [], keptItems: [] })
  }

  const count = async (issueIds: readonly number[], rest: Partial<EventScope> = {}) => {
    const { period = null, environments = [] } = rest
    const counts = await view().countIssues({
      organizationId: ORGANIZATION,
      projectIds: [PROJECT],
      issues: new Map(issueIds.map((id) => [id, [id]])),
      environments,
      period,
      buckets: null,
    })
    return issueIds.map((id) => [counts.get(id)?.events ?? 0, counts.get(id)?.users ?? 0])
  }

  it('counts rows of before the migration, a repeated batch once, and nothing that was deleted', async () => {
    for (const query of [
      'ALTER TABLE events DROP PROJECTION by_issue',
      'ALTER TABLE events DROP INDEX by_tags',
      'ALTER TABLE events DROP COLUMN user_hash',
      'ALTER TABLE schema_migrations DELETE WHERE number = 2 SETTINGS mutations_sync = 1',
    ]) {
      await telemetry.client.command({ query })
    }
    await write('old', 1, [
      { seed: 'old-1', user: 'ann' },
      { seed: 'old-2', user: 'bob' },
    ])
    await migrateTelemetry(telemetry.client, {
      name: 'The telemetry',
      logger: silentLogger,
      migrations: telemetryMigrations,
    })
    expect(await count([1])).toEqual([[2, 2]])

    const later: SampleEvent[] = [
      { seed: 'new-1', user: 'ann', environment: 'staging', at: BASE_TIME + HOUR_MS },
      { seed: 'new-2', at: BASE_TIME + HOUR_MS },
    ]
    await write('new', 1, later)
    await write('new', 1, later)
    await write('other', 2, [{ seed: 'other', user: 'cid' }])
    expect(await count([1, 2])).toEqual([
      [4, 3],
      [1, 1],
    ])
    expect(await count([1], { environments: ['staging'] })).toEqual([[1, 1]])
    expect(await count([1], { period: { from: BASE_TIME, to: BASE_TIME + HOUR_MS } })).toEqual([[2, 2]])
    expect(await view().matchingIssues(scope(null, { environments: ['staging'] }), 10)).toEqual([1])
    expect(await view().rankIssues(scope(null), 'users', 10)).toEqual([
      { issueId: 1, value: 3 },
      { issueId: 2, value: 1 },
    ])

    await telemetry.client.command({ query: 'OPTIMIZE TABLE events FINAL' })
    expect(await count([1, 2])).toEqual([
      [4, 3],
      [1, 1],
    ])
    const ofIssue = {
      sql: 'project_id = {projectId:UInt64} AND issue_id = 1',
      parameters: { projectId: PROJECT },
    }
    await deleteRowsOfTable(telemetry.client, 'events', ofIssue, new AbortController().signal)
    expect(await count([1, 2])).toEqual([
      [0, 0],
      [1, 1],
    ])
  }, 60_000)

  it('finds tags by their whole value, before and after parts have the index', async () => {
    const found = async (text: string): Promise<number[]> => {
      const issues = await view().matchingIssues(scope([11, 12], { filter: filterOf(text) }), 10)
      return [...issues].toSorted((a, b) => a - b)
    }
    await write('tags-1', 11, [{ seed: 'tag-1', environment: 'production' }])
    await write('tags-2', 12, [{ seed: 'tag-2', environment: 'staging' }])
    const [event] = await view().list(scope([11]), { limit: 1, offset: 0 })
    const [key, value] = Object.entries(event?.tags ?? {})[0] ?? ['', '']
    expect(key).not.toBe('')
    for (const merged of [false, true]) {
      if (merged) await telemetry.client.command({ query: 'OPTIMIZE TABLE events FINAL' })
      expect(await found(`tags[${key}]:"${value}"`)).toContain(11)
      expect(await found(`tags[${key}]:"${value}x"`)).toEqual([])
      expect(await found(`!tags[${key}]:"${value}x"`)).toEqual([11, 12])
      expect(await found(`tags[no.such.key]:"${value}"`)).toEqual([])
    }
  }, 60_000)

  it('tells of so many tag keys and no more, the commonest first, however many senders invent', async () => {
    const { TAG_KEYS_SHOWN } = LIMITS
    const invented = [1, 2, 3].map((event) => ({
      seed: `invented-${event}`,
      tags: Array.from({ length: TAG_KEYS_SHOWN - 1 }, (_, index): [string, string] => [`k${event}.${index}`, 'x']),
    }))
    for (const { seed, tags } of invented) {
      const all: [string, string][] = [['common', seed], ...tags]
      await write(seed, 61, [{ seed }], (grouped) => ({ ...grouped, event: { ...grouped.event, tags: all } }))
    }

    const shown = await view().tags(scope([61]), { keys: [], values: 2 })
    expect(shown).toHaveLength(TAG_KEYS_SHOWN)
    expect(shown[0]).toMatchObject({ key: 'common', total: 3, unique: 3, values: [{ count: 1 }, { count: 1 }] })
    expect(shown.every(({ values }) => values.length > 0)).toBe(true)
    const [asked] = await view().tags(scope([61]), { keys: ['k3.7'], values: 2 })
    expect(asked).toMatchObject({ key: 'k3.7', total: 1 })
  })

  it('finds by the frames of an event, of its own and shared, by its device, and by numbers in tags', async () => {
    const found = async (text: string): Promise<number[]> => {
      const issues = await view().matchingIssues(scope([31, 32, 33], { filter: filterOf(text) }), 10)
      return [...issues].toSorted((a, b) => a - b)
    }
    // Lines 10 to 17 of their own; 10 to 29 in the stacks that events share; no exception.
    await write('frames-own', 31, [{ seed: 'own', kind: 'own', frames: 8 }])
    await write('frames-shared', 32, [{ seed: 'shared', kind: 'shared', frames: 20, recurring: true }])
    await write('frames-none', 33, [{ seed: 'none' }], (grouped) => {
      const { exception: _, ...event } = grouped.event
      const geo = { country_code: 'DE', city: 'Bonn', region: 'Germany', subdivision: 'NW' }
      const device = { screen_dpi: 420, arch: 'arm64', charging: true }
      return { ...grouped, event: { ...event, user: { id: '1', geo }, contexts: { device }, tags: [['cart', '12.5']] } }
    })
    const file = (index: number, kind: string): string =>
      sampleEvent({ seed: kind, kind, frames: 20 }).event.exception?.values[0]?.stacktrace?.frames[index]?.filename ??
      ''

    expect(await found('stack.lineno:17')).toEqual([31, 32])
    expect(await found('stack.lineno:>17')).toEqual([32])
    expect(await found('!stack.lineno:>17')).toEqual([31, 33])
    expect(await found('stack.lineno:[17, 18]')).toEqual([31, 32])
    expect(await found('stack.colno:<7')).toEqual([])
    expect(await found('has:stack.lineno')).toEqual([31, 32])
    expect(await found('stack.in_app:false')).toEqual([31, 32])
    // Every second frame is of the application: the last but one threw.
    expect(await found(`location:${file(6, 'own')}`)).toEqual([31])
    expect(await found(`location:${file(7, 'own')}`)).toEqual([])
    expect(await found(`location:${file(18, 'shared').slice(0, -2)}*`)).toEqual([32])
    expect(await found('device.screen_dpi:>=420')).toEqual([33])
    expect(await found('!device.screen_dpi:>400')).toEqual([31, 32])
    expect(await found('has:device.screen_dpi')).toEqual([33])
    expect(await found('device.arch:arm*')).toEqual([33])
    expect(await found('device.charging:true')).toEqual([33])
    expect(await found('geo.country_code:DE user.geo.city:Bo* geo.region:Germany geo.subdivision:NW')).toEqual([33])
    expect(await found('geo.country_code:AT')).toEqual([])
    expect(await found('has:geo.country_code')).toEqual([33])
    expect(await found('tags[cart,number]:>5')).toEqual([33])
    expect(await found('!tags[cart,number]:>12.4')).toEqual([31, 32])
    expect(await found('cart:\uF00DStartsWith\uF00D12')).toEqual([33])
    expect(await found('cart:[]')).toEqual([])
  })

  it('compares the tags of an issue with those of the other events, looking at a bounded number of both', async () => {
    const at = BASE_TIME + 1000 * HOUR_MS
    const many = (name: string, length: number, environmentOf: (index: number) => string): SampleEvent[] =>
      Array.from({ length }, (_, index) => ({ seed: `${name}-${index}`, at, environment: environmentOf(index) }))
    await write(
      'compared-own',
      41,
      many('own', 40, () => 'staging'),
    )
    await write(
      'compared-others',
      42,
      many('others', 60, (index) => (index % 6 === 0 ? 'staging' : 'production')),
    )
    const asked = { ...scope([41], { period: { from: at, to: at + HOUR_MS } }), issueIds: [41] }
    const request = { keys: ['environment', 'level', 'none'], values: 2 }
    expect(await view().compareTags(asked, { ...request, sample: 1000, run: 256 })).toEqual({
      events: 40,
      otherEvents: 60,
      values: [
        { key: 'environment', value: 'staging', count: 40, otherCount: 10 },
        { key: 'level', value: 'error', count: 40, otherCount: 60 },
      ],
    })
    const some = await view().compareTags(asked, { ...request, sample: 10, run: 1 })
    expect(some.events).toBeGreaterThan(0)
    expect(some.events).toBeLessThan(30)
    expect(some.otherEvents).toBeGreaterThan(0)
    expect(some.otherEvents).toBeLessThan(40)
    expect(some.values).toMatchObject([
      { value: 'staging', count: some.events },
      { value: 'error', count: some.events, otherCount: some.otherEvents },
    ])
    // Runs of 4 are taken or left together, and are about as many events.
    const runs = await view().compareTags(asked, { ...request, sample: 10, run: 4 })
    expect([runs.events % 4, runs.otherEvents > 0, runs.otherEvents < 40]).toEqual([0, true, true])
    const before = { ...asked, period: { from: at - HOUR_MS, to: at } }
    expect(await view().compareTags(before, { ...request, sample: 10, run: 1 })).toEqual({
      events: 0,
      otherEvents: 0,
      values: [],
    })
  })

  it('finds the newest and the oldest event and what is beside them, wherever they were guessed to be', async () => {
    const samples = [0, 1, 2, 3].map((hour) => ({ seed: `edge-${hour}`, at: BASE_TIME + hour * HOUR_MS }))
    await write('edges', 21, samples)
    await write('single', 22, [{ seed: 'single' }])
    const idOf = (seed: string): string => hex(`event:${seed}`, 32)
    const guesses = [
      null,
      { from: BASE_TIME, to: BASE_TIME + 4 * HOUR_MS },
      { from: BASE_TIME + 3 * HOUR_MS, to: BASE_TIME + 4 * HOUR_MS },
      { from: BASE_TIME - 9 * HOUR_MS, to: BASE_TIME - HOUR_MS },
    ]
    for (const within of guesses) {
      const latest = await view().outermost(scope([21]), 'latest', within)
      expect([latest?.place.eventId, latest?.beside]).toEqual([idOf('edge-3'), idOf('edge-2')])
    }
    for (const within of [null, { from: BASE_TIME - HOUR_MS, to: BASE_TIME + 2 * HOUR_MS }]) {
      const oldest = await view().outermost(scope([21]), 'oldest', within)
      expect([oldest?.place.eventId, oldest?.beside]).toEqual([idOf('edge-0'), idOf('edge-1')])
    }
    const period = { from: BASE_TIME, to: BASE_TIME + 2 * HOUR_MS }
    const asked = await view().outermost(scope([21], { period }), 'latest', { from: BASE_TIME, to: Date.now() })
    expect(asked?.place.eventId).toBe(idOf('edge-1'))
    expect(await view().outermost(scope([22]), 'latest', null)).toMatchObject({ beside: null })
    expect(await view().outermost(scope([404]), 'latest', null)).toBeNull()
  }, 60_000)
})
