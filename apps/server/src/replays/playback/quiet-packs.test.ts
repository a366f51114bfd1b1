import { describe, expect, it } from 'vitest'
import { silentLogger, testClock } from '../../storage/conformance/engines.ts'
import type { OwnedReplay } from '../replay.ts'
import { ThreadEnded } from '../asked-thread.ts'
import { LIMITS } from '../limits.ts'
import { START } from '../replay.fixture.ts'
import { createQuietPacks } from './quiet-packs.ts'

const idOf = (number: number): string => number.toString(16).padStart(32, '0')

describe('replays of which nothing came for some time', () => {
  const clock = testClock(START)
  const cutOf = (replays: readonly { readonly number: number; readonly lastAt: number }[]) => {
    const cut: number[] = []
    let fails: ((number: number) => void) | null = null
    const run = createQuietPacks({
      clock,
      logger: silentLogger,
      replays: {
        quiet: ({ after, until }) =>
          Promise.resolve(
            replays
              .filter(({ lastAt }) => lastAt > after && lastAt <= until)
              .slice(0, LIMITS.REPLAY_QUIET_AT_ONCE)
              .map(({ number, lastAt }) => ({ organizationId: 1, projectId: 1, replayId: idOf(number), lastAt })),
          ),
        segments: () => Promise.resolve([]),
      },
      packs: {
        of: async ({ replayId }: OwnedReplay) => {
          const number = Number.parseInt(replayId, 16)
          fails?.(number)
          cut.push(number)
          return { version: 1, segments: 0, lastAt: 0, chunks: [] }
        },
      },
    })
    return { cut, run, fail: (how: (number: number) => void) => (fails = how) }
  }

  it('are cut once, each when it is its time', async () => {
    clock.set(START)
    const { cut, run } = cutOf([
      { number: 1, lastAt: START - LIMITS.REPLAY_QUIET_MS },
      { number: 2, lastAt: START - LIMITS.REPLAY_QUIET_MS + 1 },
    ])
    await run()
    expect(cut).toEqual([1])
    clock.set(START + 1)
    await run()
    await run()
    expect(cut).toEqual([1, 2])
  })

  it('are all cut, in as many turns as it takes, but for those that cannot be', async () => {
    clock.set(START)
    const count = LIMITS.REPLAY_QUIET_AT_ONCE + 5
    const { cut, fail, run } = cutOf(
      Array.from({ length: count }, (_, number) => ({
        number,
        lastAt: START - LIMITS.REPLAY_QUIET_MS - count + number,
      })),
    )
    fail((number) => {
      if (number === 3) throw new Error('its blob is damaged')
    })
    await run()
    expect(cut).toHaveLength(LIMITS.REPLAY_QUIET_AT_ONCE - 1)
    await run()
    expect(cut).toHaveLength(count - 1)
  })

  it('wait for the next start when the server stops', async () => {
    clock.set(START)
    const { cut, fail, run } = cutOf([{ number: 1, lastAt: START - LIMITS.REPLAY_QUIET_MS }])
    fail(() => {
      throw new ThreadEnded('cuts replays', 'the server stops', 'stopped')
    })
    await run()
    fail(() => undefined)
    await run()
    expect(cut).toEqual([1])
  })
})
