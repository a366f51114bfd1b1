import { afterEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { START } from '../replay.fixture.ts'
import { createCutting, type Cutting } from './cutting.ts'
import { page, payloadOf } from './playback.fixture.ts'

describe('the thread that cuts replays', () => {
  let now = 0
  let cutting: Cutting

  const start = (): void => {
    cutting = createCutting(() => now)
  }
  afterEach(() => cutting.close())

  const segment = (events: readonly object[]) =>
    cutting.ask({ kind: 'segment', payload: payloadOf(events), shift: 0, until: Infinity })

  it('has so much time for all segments of a replay together, and as much again for the next one', async () => {
    start()
    await cutting.ask({ kind: 'begin' })
    for (; now < LIMITS.REPLAY_CUT_MS; now += LIMITS.REPLAY_SEGMENT_CUT_MS / 2) await segment(page(START))
    await expect(segment(page(START))).rejects.toMatchObject({ name: 'ThreadEnded', why: 'beyond' })
    await cutting.ask({ kind: 'begin' })
    expect(await segment(page(START))).toEqual({ chunks: [], hasMore: false })
  })

  it('has so much time for one segment, in however many portions it is handed over', async () => {
    start()
    await cutting.ask({ kind: 'begin' })
    await segment(page(START))
    now += LIMITS.REPLAY_SEGMENT_CUT_MS
    await expect(cutting.ask({ kind: 'more' })).rejects.toMatchObject({ name: 'ThreadEnded', why: 'beyond' })
  })

  it('hands over what is large in portions', async () => {
    start()
    await cutting.ask({ kind: 'begin' })
    const words = 'x'.repeat(LIMITS.REPLAY_PORTION_BYTES / 4)
    const pages = Array.from({ length: 10 }, (_, at) => page(START + at, words)).flat()
    const portions = [await segment(pages)]
    while (portions.at(-1)?.hasMore === true) portions.push(await cutting.ask({ kind: 'more' }))
    portions.push(await cutting.ask({ kind: 'end' }))
    expect(portions.map(({ chunks }) => chunks.length)).toEqual([4, 4, 1, 1])
  })
})
