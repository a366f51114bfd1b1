import { alertDraft, type AlertDraftInput } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replaysDataset } from '../../replays/telemetry/replay-dataset.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../../storage/conformance/engines.ts'
import { batchesOf } from './batch.ts'
import { foundOf } from './found.ts'
import { endOf, MINUTE_MS, minuteOf } from './minute.ts'
import { createMeasuredProblem } from './problem.ts'
import { numbersOf, PROJECTS, readRule, ruleOf, type RuleSketch } from './test/rows.ts'
import { windowOf } from './windows.ts'

const MINUTE = minuteOf(Date.parse('2026-11-24T14:20:00.000Z'))
const END = endOf(MINUTE)

interface SampleSegment {
  readonly replay: number
  readonly segment?: number
  readonly project?: number
  readonly organization?: number
  readonly rage?: number
  /** How many errors the recorder saw. */
  readonly noted?: number
  readonly release?: string
  readonly user?: string
  readonly urls?: readonly string[]
  readonly tags?: Readonly<Record<string, string>>
  readonly received?: number
}

const uuid = (kind: string, number: number): string =>
  `00000000-0000-4000-${kind}-${number.toString(16).padStart(12, '0')}`

const rowOf = (sample: SampleSegment) => ({
  organization_id: sample.organization ?? 1,
  project_id: sample.project ?? 1,
  replay_id: uuid('8000', sample.replay),
  segment_id: sample.segment ?? 0,
  id: uuid('9000', sample.replay * 100 + (sample.segment ?? 0)),
  timestamp: sample.received ?? END - MINUTE_MS,
  received: sample.received ?? END - MINUTE_MS,
  environment: 'production',
  release: sample.release ?? '1.0.0',
  user_id: sample.user ?? '',
  urls: sample.urls ?? ['https://shop.example/cart'],
  rage_clicks: sample.rage ?? 0,
  error_ids: Array.from({ length: sample.noted ?? 0 }, (_, number) => uuid('a000', number)),
  tags: sample.tags ?? {},
})

describe.each(TELEMETRY_ENGINES)('rules about replays on $name', ({ open }) => {
  let opened: OpenedTelemetry
  beforeAll(async () => {
    opened = await open()
    const segments: SampleSegment[] = [
      { replay: 1, rage: 2, user: 'anna' },
      { replay: 1, segment: 1, rage: 3, user: 'anna', urls: ['https://shop.example/cart', 'https://shop.example/pay'] },
      { replay: 2, rage: 4, noted: 3, release: '2.0.0', user: 'ben', tags: { plan: 'pro' } },
      // Of another project, of somebody else, and of before.
      { replay: 3, rage: 50, project: 2 },
      { replay: 4, rage: 100, organization: 2 },
      { replay: 5, rage: 200, received: END - 20 * MINUTE_MS },
    ]
    const values = segments.map(rowOf)
    await opened.telemetry.client.insert({ table: 'replay_segments', values, format: 'JSONEachRow' })
    // What is sent twice counts once.
    await opened.telemetry.client.insert({
      table: 'replay_segments',
      values: values.slice(0, 1),
      format: 'JSONEachRow',
      clickhouse_settings: { insert_deduplication_token: 'again' },
    })
  })
  afterAll(() => opened.close())

  const groupsOf = async (aggregate: string, more: RuleSketch = {}, groupBy: readonly string[] = []) => {
    const trigger: RuleSketch['trigger'] = { dataset: 'replays', aggregate, windowMinutes: 10, groupBy: [...groupBy] }
    const [batch] = batchesOf([readRule(ruleOf({ projectIds: [1], ...more, trigger }))])
    const [member] = batch?.members ?? []
    if (batch === undefined || member === undefined) throw new Error('nothing is asked')
    const { rows } = await numbersOf(opened)(batch, { windows: [windowOf(MINUTE, 10)], countsOld: true })
    return foundOf(rows, member).groups.map(({ value, values }) => [...values, value])
  }

  it('count replays, visitors and rage clicks of all their parts, once each', async () => {
    expect(await groupsOf('count_unique(replay)')).toEqual([[2]])
    expect(await groupsOf('count_unique(user)')).toEqual([[2]])
    expect(await groupsOf('sum(count_rage_clicks)')).toEqual([[9]])
  })

  it('search and group them by the words of replays', async () => {
    expect(await groupsOf('sum(count_rage_clicks)', {}, ['release'])).toEqual([
      ['1.0.0', 5],
      ['2.0.0', 4],
    ])
    expect(await groupsOf('sum(count_rage_clicks)', { query: 'url:*/pay' })).toEqual([[3]])
    expect(await groupsOf('count_unique(replay)', { query: 'plan:pro' })).toEqual([[1]])
    expect(await groupsOf('sum(count_noted_errors)', { query: 'count_noted_errors:>2' })).toEqual([[3]])
    expect(await groupsOf('count_unique(replay)', { query: 'user.id:anna' })).toEqual([[1]])
  })
})

describe('a rule about replays', () => {
  const problemOf = (trigger: AlertDraftInput['trigger'], query = ''): Promise<string | null> =>
    createMeasuredProblem({
      datasets: [replaysDataset],
      projects: () => Promise.resolve(PROJECTS),
      ask: (question) => Promise.resolve(question.otherwise),
    })(alertDraft.parse({ name: 'Rage', query, trigger }), 1)
  const measured = (more: object = {}): AlertDraftInput['trigger'] => ({
    source: 'measured',
    dataset: 'replays',
    aggregate: 'sum(count_rage_clicks)',
    windowMinutes: 10,
    comparison: { kind: 'fixed', direction: 'above', limit: 20 },
    ...more,
  })

  it('counts the errors that recorders saw, and says so where all of a replay are asked for', async () => {
    expect(await problemOf(measured({ aggregate: 'sum(count_noted_errors)' }))).toBeNull()
    expect(await problemOf(measured({ aggregate: 'sum(count_errors)' }))).toContain('count_noted_errors')
    expect(await problemOf(measured(), 'count_errors:>0')).toContain('count_noted_errors')
  })

  it('decides nothing by what may still come: recordings are stored after everything else', async () => {
    expect(await problemOf(measured())).toBeNull()
    expect(await problemOf(measured({ windowMinutes: 1 }))).toContain('5 minutes at least')
    const below = { kind: 'fixed', direction: 'below', limit: 20 }
    expect(await problemOf(measured({ comparison: below }))).toContain('only that there are more')
    const both = { kind: 'unusual', direction: 'both' }
    expect(await problemOf(measured({ comparison: both }))).toContain('only that there are more')
    expect(await problemOf({ source: 'silence', dataset: 'replays', minutes: 60 })).toContain('cannot be told')
  })
})
