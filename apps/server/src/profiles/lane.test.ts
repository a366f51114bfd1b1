import { describe, expect, it } from 'vitest'
import { countTurns } from '../lib/test/turns.ts'
import { encodeForm, type ProfileForm } from './form.ts'
import { LIMITS } from './limits.ts'
import { loadLanes } from './load-lanes.ts'
import type { ProfileRecord } from './profiles.view.ts'

const START = 1_000_000_000

/** Each sample is a function that ran by itself; '' where nothing did. */
const formOf = (
  samples: readonly (readonly [at: number, name: string, thread?: string])[],
  { start = START, activeThread = '1' } = {},
): ProfileForm => {
  const names = [...new Set(samples.map(([, name]) => name))].filter((name) => name !== '')
  const threads = [...new Set(samples.map(([, , thread = '1']) => thread))]
  const each = names.map((_, index) => index)
  const none = names.map(() => 0)
  return {
    form: 1,
    platform: 'python',
    start,
    duration: samples.at(-1)?.[0] ?? 0,
    words: ['', ...names],
    frames: {
      name: each.map((index) => index + 1),
      file: none,
      module: none,
      address: none,
      line: none,
      column: none,
      kind: none,
    },
    stacks: { frame: each, parent: names.map(() => -1) },
    threads: threads.map((id) => ({ id, name: `thread ${id}` })),
    samples: {
      thread: samples.map(([, , thread = '1']) => threads.indexOf(thread)),
      stack: samples.map(([, name]) => names.indexOf(name)),
      at: samples.map(([at]) => at),
    },
    activeThread,
    about: { sdk: '', runtime: '', os: '', device: '', architecture: '' },
    notes: [],
  }
}

interface Segment {
  readonly thread: string
  readonly from: number
  readonly to: number
}

const load = (
  { whole = [], chunks = [] }: { readonly whole?: readonly ProfileForm[]; readonly chunks?: readonly ProfileForm[] },
  segments: readonly Segment[] = [],
  limit?: number,
) => {
  const blobs = [...whole, ...chunks].map(encodeForm)
  const records = [...whole, ...chunks].map(
    ({ start, duration }, index) =>
      ({
        projectId: 1,
        blobKey: String(index),
        profileId: `p${index}`,
        profilerId: index < whole.length ? '' : 'profiler',
        start,
        duration,
      }) as ProfileRecord,
  )
  const stores = {
    profiles: {
      ofTrace: async () => records.slice(0, whole.length),
      threadsOfTrace: async () => segments.map((segment) => ({ projectId: 1, profilerId: 'profiler', ...segment })),
      chunks: async () => records.slice(whole.length),
    } as never,
    blobs: { get: async (key: string) => blobs[Number(key)] ?? null },
  }
  return loadLanes(stores, { organizationId: 1, projectIds: [1] }, 'a'.repeat(32), limit)
}

const told = ({ functions, lanes, words }: Awaited<ReturnType<typeof load>>, lane = 0): readonly string[] => {
  const { step = [], function: places = [], self = [] } = lanes[lane]?.steps ?? {}
  return step.map((at, index) => {
    const place = places[index] ?? -1
    return `${at} ${place === -1 ? 'others' : words[functions.name[place] ?? -1]} ${self[index]}`
  })
}

describe('what profilers saw while a trace ran', () => {
  it('T63, T81: is told in steps that add up to the samples, whatever stands between them', async () => {
    // Two steps of 1 ms are busy, one waits, and what is longer than a step is in each that it touches.
    const found = await load({
      whole: [
        formOf([
          [0, 'load'],
          [400, 'parse'],
          [1000, 'load'],
          [2000, ''],
          [3000, 'save'],
          [5500, 'load'],
        ]),
      ],
    })
    expect(told(found)).toEqual([
      '0 parse 600',
      '0 load 400',
      '1 load 1000',
      '3 save 1000',
      '4 save 1000',
      '5 save 500',
      '5 load 500',
      '6 load 500',
    ])
    expect(found.lanes[0]).toMatchObject({
      samples: 6,
      stepLength: 1000,
      from: START,
      thread: { id: '1', name: 'thread 1' },
    })
    expect(found.truncated).toBe(false)
  })

  it('T82: of a continuous profiler is cut to the time and the thread of what the trace did', async () => {
    const chunk = formOf(
      [
        [0, 'before', '7'],
        [0, 'other', '1'],
        [10_000, 'work', '7'],
        [20_000, 'work', '7'],
        [30_000, 'after', '7'],
      ],
      { activeThread: '' },
    )
    const later = formOf(
      [
        [0, 'work', '7'],
        [10_000, 'more', '7'],
      ],
      { start: START + 40_000 },
    )
    const found = await load({ chunks: [chunk, later] }, [
      { thread: '7', from: START + 10_000, to: START + 45_000 },
      { thread: 'unheard of', from: START + 2000, to: START + 5000 },
    ])
    // The earlier first: it names no thread that is known, and has the main one.
    expect(found.lanes.map(({ from, thread }) => [from - START, thread.id])).toEqual([
      [2000, '7'],
      [10_000, '7'],
    ])
    const sums = new Map<string, number>()
    for (const line of told(found, 1)) {
      const [, name = '', self = ''] = line.split(' ')
      sums.set(name, (sums.get(name) ?? 0) + Number(self))
    }
    expect([...sums]).toEqual([
      ['work', 25_000],
      ['after', 10_000],
    ])
  })

  it('of each step, the functions that ran longest are told, and the rest together', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const found = await load({ whole: [formOf([...names.map((name, at) => [at * 100, name] as const), [600, 'a']])] })
    expect(told(found)).toEqual(['0 a 200', '0 b 100', '0 c 100', '0 d 100', '0 others 200'])
  })

  it('is as small for half a million samples, and other requests are served meanwhile', async () => {
    const many = Array.from({ length: 200_000 }, (_, at) => [at * 100, `f${at % 50}`] as const)
    const { value, turns } = await countTurns(async () => load({ whole: [formOf(many)] }))
    const [lane] = value.lanes
    expect(lane?.samples).toBe(200_000)
    expect(new Set(lane?.steps.step).size).toBe(LIMITS.PROFILE_LANE_STEPS)
    expect(lane?.steps.step.length).toBe(LIMITS.PROFILE_LANE_STEPS * (LIMITS.PROFILE_STEP_FUNCTIONS + 1))
    expect(turns).toBeGreaterThanOrEqual(39)
  })

  it('says when there is more than it tells', async () => {
    const one = formOf([
      [0, 'a'],
      [1000, 'b'],
    ])
    const bytes = encodeForm(one).byteLength
    const short = await load({ whole: [one, one] }, [], bytes)
    expect([short.lanes.length, short.truncated]).toEqual([1, true])
    const many = await load({ whole: Array.from({ length: LIMITS.PROFILE_LANES + 1 }, () => one) })
    expect([many.lanes.length, many.truncated]).toEqual([LIMITS.PROFILE_LANES, true])
    expect(await load({})).toMatchObject({ lanes: [], truncated: false })
  })
})
