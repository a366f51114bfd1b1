import { FIRST_SIGHT_MS as LATEST_MS, FIRST_SIGHT_STEP_MS } from '@firsthand/recording'
import { describe, expect, it } from 'vitest'

import { createPlayer, type Picture, placeOf, type PlayerOptions, skippedOf } from './engine.ts'
import { cached, type Chunk, type ChunkList, type ChunkSource } from './source.ts'

const CHUNKS: readonly Chunk[] = [0, 1, 2, 3].map((number) => ({
  number,
  from: number * 10_000,
  to: number * 10_000 + 9999,
}))

const whole = (chunks: readonly Chunk[]): ChunkList => ({ chunks, preparing: false })

/** Time and frames by hand. */
function handClock() {
  const none = (): void => undefined
  let [now, frame] = [0, none]
  return {
    clock: {
      now: () => now,
      onFrame(run: () => void) {
        frame = run
        return () => (frame = none)
      },
    },
    pass(ms: number) {
      now += ms
      const due = frame
      frame = none
      due()
    },
    isAwaited: () => frame !== none,
  }
}

function open(more: Partial<PlayerOptions> = {}, source: Partial<ChunkSource> = {}) {
  const calls: string[] = []
  const loaded: number[] = []
  const picture: Picture = {
    show: (chunk, at) => calls.push(`show ${chunk} ${at}`),
    add: (chunk) => calls.push(`add ${chunk}`),
    go: (at) => calls.push(`go ${at}`),
    play: (at, speed) => calls.push(`play ${at} ×${speed}`),
    pause: () => calls.push('pause'),
    destroy: () => calls.push('destroy'),
  }
  const time = handClock()
  const player = createPlayer({
    source: {
      chunks: () => Promise.resolve(whole(CHUNKS)),
      chunk: (number) => {
        loaded.push(number)
        return Promise.resolve(`c${number}`)
      },
      ...source,
    },
    picture: Promise.resolve(picture),
    clock: time.clock,
    from: 0,
    to: 40_000,
    idle: [],
    runs: false,
    at: 0,
    isBlank: () => false,
    speed: 1,
    skipsIdle: true,
    ...more,
  })
  const settled = (state: string) => expect.poll(() => player.snapshot().state).toBe(state)
  return { player, calls, loaded, settled, pass: time.pass, isAwaited: time.isAwaited }
}

describe('the player of replays', () => {
  it('R44 paused at its beginning it loads one chunk, and draws it', async () => {
    const { calls, loaded, settled, pass } = open()
    await settled('paused')
    pass(60_000)
    expect(loaded).toEqual([0])
    expect(calls).toEqual(['show c0 0'])
  })

  it('R46 plays a recorded minute in 60 seconds by its speed', async () => {
    for (const speed of [0.5, 1, 2, 4, 8, 16]) {
      const { player, settled, pass } = open({ speed, to: 60_000 })
      await settled('paused')
      player.play()
      let spent = 0
      while (player.snapshot().state !== 'ended' && spent < 200_000) {
        pass(16)
        spent += 16
        await settled(player.snapshot().state === 'ended' ? 'ended' : 'playing')
      }
      expect(spent / (60_000 / speed)).toBeGreaterThan(0.95)
      expect(spent / (60_000 / speed)).toBeLessThan(1.05)
      player.destroy()
    }
  })

  it('asks for frames of the screen only while it plays', async () => {
    const { player, settled, pass, isAwaited } = open()
    expect(isAwaited()).toBe(false)
    await settled('paused')
    expect(isAwaited()).toBe(false)
    player.play()
    pass(1000)
    expect(isAwaited()).toBe(true)
    player.pause()
    pass(1000)
    expect(isAwaited()).toBe(false)
    expect(player.snapshot().at).toBe(1000)
  })

  it('goes on into the next chunk, which it fetched ahead', async () => {
    const { player, calls, settled, pass } = open()
    await settled('paused')
    player.play()
    pass(6000)
    await expect.poll(() => calls).toContain('add c1')
    pass(7000)
    expect(player.snapshot()).toMatchObject({ state: 'playing', at: 13_000 })
    expect(calls.filter((call) => call.startsWith('show'))).toEqual(['show c0 0'])
  })

  it('waits for a chunk that is not there yet: the time stands', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const { player, settled, pass } = open(
      {},
      { chunk: (number) => (number === 1 ? promise : Promise.resolve(`c${number}`)) },
    )
    await settled('paused')
    player.play()
    pass(10_500)
    expect(player.snapshot()).toMatchObject({ state: 'loading', at: 10_500 })
    pass(5000)
    expect(player.snapshot().at).toBe(10_500)
    resolve('c1')
    await settled('playing')
    pass(100)
    expect(player.snapshot().at).toBe(10_600)
  })

  it('seeks within what it has without loading, back and far on from the chunk that holds the moment', async () => {
    const { player, calls, loaded, settled } = open()
    await settled('paused')
    player.seek(4000)
    expect(calls.at(-1)).toBe('go 4000')
    player.seek(1000)
    await settled('paused')
    expect(calls.at(-1)).toBe('show c0 1000')
    player.seek(35_000)
    await settled('paused')
    expect(calls.at(-1)).toBe('show c3 35000')
    expect(loaded).toEqual([0, 0, 3])
  })

  it('only the last of two seeks is drawn', async () => {
    const waiting = new Map<number, (text: string) => void>()
    const { player, calls, settled } = open(
      {},
      {
        chunk: (number) =>
          number === 0 ? Promise.resolve('c0') : new Promise((resolve) => waiting.set(number, resolve)),
      },
    )
    await settled('paused')
    player.seek(15_000)
    player.seek(25_000)
    await expect.poll(() => [...waiting.keys()]).toEqual([1, 2])
    waiting.get(2)?.('c2')
    await settled('paused')
    waiting.get(1)?.('c1')
    await Promise.resolve()
    expect(calls.filter((call) => call.startsWith('show'))).toEqual(['show c0 0', 'show c2 25000'])
  })

  it('stands still while a seek loads', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const { player, calls, settled } = open(
      {},
      { chunk: (number) => (number === 2 ? promise : Promise.resolve(`c${number}`)) },
    )
    await settled('paused')
    player.play()
    player.seek(25_000)
    expect(calls.at(-1)).toBe('pause')
    resolve('c2')
    await settled('playing')
    expect(calls.slice(-2)).toEqual(['show c2 25000', 'play 25000 ×1'])
  })

  it('R47 jumps over idle stretches while it plays, when it should, and says for a moment how much that was', async () => {
    const idle = [[12_000, 28_000]] as const
    for (const skipsIdle of [true, false]) {
      const { player, settled, pass } = open({ idle, skipsIdle, at: 12_500 })
      await settled('paused')
      player.play()
      pass(1000)
      await settled('playing')
      expect(player.snapshot()).toMatchObject(skipsIdle ? { at: 27_000, skipped: 13_500 } : { at: 13_500, skipped: 0 })
      pass(2600)
      expect(player.snapshot().skipped).toBe(0)
      // Nor is it said at the end, where other things are.
      player.seek(13_500)
      await settled('playing')
      for (const ms of [16, 20_000]) {
        pass(ms)
        await expect.poll(() => player.snapshot().state).not.toBe('loading')
      }
      pass(20_000)
      await settled('ended')
      expect(player.snapshot().skipped).toBe(0)
    }
  })

  it('R47 what is saved is what is passed over, which is less the faster it plays', () => {
    const idle = [
      [12_000, 28_000],
      [40_000, 51_000],
    ] as const
    expect([1, 4, 8, 16].map((speed) => skippedOf(idle, speed))).toEqual([23_000, 11_000, 0, 0])
  })

  it('R47 what happens between two idle stretches is shown, a second before and after it', async () => {
    // A click at 20,000, and nothing around it.
    const idle = [
      [0, 20_000],
      [20_000, 40_000],
    ] as const
    const { player, settled, pass } = open({ idle, at: 5000 })
    await settled('paused')
    player.play()
    const seen: number[] = []
    for (let frame = 0; frame < 300; frame += 1) {
      pass(16)
      await settled('playing')
      seen.push(player.snapshot().at)
      if (player.snapshot().at > 30_000) break
    }
    const near = seen.filter((at) => at >= 19_000 && at < 21_000)
    expect(near.length).toBeGreaterThan(100)
    expect(seen.filter((at) => at > 5100 && at < 19_000)).toEqual([])
    expect(seen.at(-1)).toBeGreaterThanOrEqual(39_000)
  })

  describe('begins where there is first something to be seen', () => {
    const chunks = CHUNKS.map((chunk) => ({ ...chunk, from: chunk.from + 300, to: chunk.to + 300 }))
    const source = { chunks: () => Promise.resolve(whole(chunks)) }
    /** The page comes at 300; the application in it has drawn itself at a moment. */
    const opened = (drawsAt: number, more: Partial<PlayerOptions> = {}, given: Partial<ChunkSource> = source) => {
      const isBlank = (): boolean => Number(/\d+$/.exec(shown.calls.at(-1) ?? '')?.[0]) < drawsAt
      const shown = open({ at: null, isBlank, ...more }, given)
      return shown
    }
    /** Without the steps in between. */
    const shows = (calls: readonly string[]) => calls.filter((call) => call.startsWith('show'))

    it('and says so', async () => {
      const { calls, player, settled } = opened(500)
      await settled('paused')
      expect(calls).toEqual(['show c0 300', 'go 400', 'go 500'])
      expect(player.snapshot()).toMatchObject({ at: 500, firstSight: 500 })
      player.seek(0)
      await settled('paused')
      expect(player.snapshot()).toMatchObject({ at: 0, firstSight: 500 })
    })

    it('and stands drawn where it opens, wherever in a wider step that is', async () => {
      for (const first of [4205, 4260, 4350, 10_650, 10_750, 10_800, 21_250]) {
        const { calls, player, settled } = opened(first)
        await settled('paused')
        const { at } = player.snapshot()
        expect(at).toBeGreaterThanOrEqual(first)
        expect(calls.at(-1)).toBe(`go ${at}`)
        player.destroy()
      }
    })

    it('also in a later part of the recording, as far as the bound that lists have for their pictures', async () => {
      const last = 300 + LATEST_MS
      const { calls, loaded, player, settled, pass } = opened(last)
      await settled('paused')
      expect(player.snapshot()).toMatchObject({ at: last, firstSight: last })
      expect(shows(calls)).toEqual(['show c0 300', 'show c1 10300', 'show c2 20300', 'show c3 30300'])
      expect(loaded).toEqual([0, 1, 2, 3])
      // Each look draws.
      expect(calls.length).toBeLessThan(120)
      // It goes on from there without drawing it again.
      player.play()
      pass(1000)
      expect(calls.at(-1)).toBe(`play ${last} ×1`)
      const never = opened(last + 1)
      await never.settled('paused')
      expect(never.player.snapshot()).toMatchObject({ at: 300, firstSight: null })
      expect(never.calls.at(-1)).toBe('show c0 300')
    })

    it('also while the server still prepares what is behind it', async () => {
      let lists = 0
      const { player, settled } = opened(
        15_000,
        {},
        {
          chunks: () => {
            lists += 1
            const [first, ...others] = chunks
            if (first === undefined || lists > 2) return Promise.resolve(whole(chunks))
            const known = lists === 1 ? [{ ...first, to: 4000 }] : [first, ...others.slice(0, 1)]
            return Promise.resolve({ chunks: known, preparing: true })
          },
        },
      )
      await settled('paused')
      const { at, firstSight } = player.snapshot()
      expect(firstSight).toBe(at)
      expect(at - 15_000).toBeGreaterThanOrEqual(0)
      expect(at - 15_000).toBeLessThan(FIRST_SIGHT_STEP_MS)
    })

    it('unless a moment was asked for, or is asked for meanwhile', async () => {
      const asked = opened(500, { at: 100 })
      await asked.settled('paused')
      expect(asked.player.snapshot()).toMatchObject({ at: 100, firstSight: null })
      const { promise, resolve } = Promise.withResolvers<string>()
      const meanwhile = opened(
        15_000,
        {},
        { ...source, chunk: (number) => (number === 1 ? promise : Promise.resolve(`c${number}`)) },
      )
      await expect.poll(() => meanwhile.calls.at(-1)).toBe('go 10299')
      meanwhile.player.seek(25_000)
      resolve('c1')
      await meanwhile.settled('paused')
      expect(meanwhile.player.snapshot()).toMatchObject({ at: 25_000, firstSight: null })
      expect(meanwhile.calls.at(-1)).toBe('show c2 25000')
    })
  })

  it('shows its end, although a frame that came late passed all of the last chunk', async () => {
    const { player, calls, settled, pass } = open({ at: 25_000 })
    await settled('paused')
    player.play()
    pass(60_000)
    await settled('ended')
    expect(calls.at(-1)).toBe('show c3 40000')
    expect(player.snapshot()).toMatchObject({ at: 40_000, state: 'ended' })
  })

  it('ends, and begins again', async () => {
    const { player, settled, pass } = open({ at: 39_000 })
    await settled('paused')
    player.play()
    pass(2000)
    expect(player.snapshot()).toMatchObject({ state: 'ended', at: 40_000, plays: false })
    player.play()
    await settled('playing')
    expect(player.snapshot().at).toBe(0)
  })

  describe('of a replay that runs', () => {
    it('R58 waits at the end of what came, and goes on with what comes, from where it stands', async () => {
      const { player, calls, settled, pass } = open({ runs: true, at: 39_000 })
      await settled('paused')
      player.play()
      pass(2000)
      expect(player.snapshot()).toMatchObject({ state: 'waiting', at: 40_000, plays: true })
      pass(60_000)
      player.grow({ to: 40_000, idle: [], runs: true })
      expect(player.snapshot()).toMatchObject({ state: 'waiting', at: 40_000 })
      player.grow({ to: 50_000, idle: [], runs: true })
      expect(player.snapshot()).toMatchObject({ state: 'playing', at: 40_000 })
      pass(500)
      expect(player.snapshot().at).toBe(40_500)
      expect(calls.at(-1)).toBe('play 40000 ×1')
    })

    it('R58 begins again while it waits, when it is played', async () => {
      const { player, settled, pass } = open({ runs: true, at: 39_000 })
      await settled('paused')
      player.play()
      pass(2000)
      player.play()
      await settled('playing')
      expect(player.snapshot().at).toBe(0)
    })

    it('R58 does not move, nor draw anew, who watches something else meanwhile', async () => {
      const { player, calls, settled } = open({ runs: true, at: 5000 })
      await settled('paused')
      const before = [...calls]
      player.grow({ to: 50_000, idle: [], runs: true })
      await settled('paused')
      expect(player.snapshot().at).toBe(5000)
      expect(calls).toEqual(before)
    })

    it('R58 draws its last stretch anew where that has become longer, and all of it where something came late', async () => {
      for (const isLate of [false, true]) {
        let chunks = CHUNKS
        const { player, calls, loaded, settled, pass } = open(
          { runs: true, at: 39_000 },
          { chunks: () => Promise.resolve(whole(chunks)) },
        )
        await settled('paused')
        chunks = isLate
          ? [...CHUNKS.slice(0, 3), { number: 13, from: 25_000, to: 44_999 }]
          : [...CHUNKS.slice(0, 3), { number: 13, from: 30_000, to: 44_999 }]
        player.grow({ to: 45_000, idle: [], runs: true })
        if (!isLate) {
          await Promise.resolve()
          player.play()
          pass(1500)
        }
        await expect.poll(() => calls).toContain(`show c13 ${isLate ? 39_000 : 40_500}`)
        expect(loaded).toEqual([3, 13])
        await settled(isLate ? 'paused' : 'playing')
        player.destroy()
      }
    })

    it('R58 ends where it waited when it is known that nothing more comes, and not before', async () => {
      const { player, settled, pass } = open({ runs: true, at: 39_000 })
      await settled('paused')
      player.play()
      pass(2000)
      player.grow({ to: 40_000, idle: [], runs: false })
      expect(player.snapshot()).toMatchObject({ state: 'ended', at: 40_000, plays: false })
      player.grow({ to: 45_000, idle: [], runs: false })
      expect(player.snapshot()).toMatchObject({ state: 'paused', at: 40_000 })
    })
  })

  describe('of a replay that the server still prepares', () => {
    /** Lists come by hand, but for the first. */
    const preparing = () => {
      let asked = 0
      let next = Promise.withResolvers<ChunkList>()
      const first = { chunks: CHUNKS.slice(0, 1), preparing: true }
      return {
        asked: () => asked,
        come(count: number) {
          const known = next
          next = Promise.withResolvers()
          known.resolve({ chunks: CHUNKS.slice(0, count), preparing: count < CHUNKS.length })
        },
        fail() {
          const known = next
          next = Promise.withResolvers()
          known.reject(new Error('it could not be prepared'))
        },
        chunks: () => {
          asked += 1
          return asked === 1 ? Promise.resolve(first) : next.promise
        },
      }
    }

    it('R41 draws what there is, says how far that goes, and asks on until it is whole', async () => {
      const { asked, chunks, come } = preparing()
      const { player, calls, settled } = open({}, { chunks })
      await settled('paused')
      expect(calls).toEqual(['show c0 0'])
      expect(player.snapshot().preparedTo).toBe(9999)
      come(3)
      await expect.poll(() => player.snapshot().preparedTo).toBe(29_999)
      expect(calls).toEqual(['show c0 0'])
      come(4)
      await expect.poll(() => player.snapshot().preparedTo).toBeNull()
      expect(asked()).toBe(3)
    })

    it('R41 waits for the first of it, where nothing of what is shown is there yet', async () => {
      const lists = [{ chunks: [], preparing: true }, whole(CHUNKS.slice(2))]
      const { calls, settled } = open({ at: 21_000 }, { chunks: () => Promise.resolve(lists.shift() ?? whole(CHUNKS)) })
      await settled('paused')
      expect(calls).toEqual(['show c2 21000'])
    })

    it('R41 a moment that is not there yet is gone to when it is, unless somebody went elsewhere', async () => {
      const { chunks, come } = preparing()
      const { player, calls, loaded, settled } = open({ at: 35_000 }, { chunks })
      await expect.poll(() => player.snapshot().preparedTo).toBe(9999)
      come(3)
      await expect.poll(() => player.snapshot().preparedTo).toBe(29_999)
      expect(player.snapshot()).toMatchObject({ state: 'loading', at: 35_000, pictureFrom: null })
      expect(loaded).toEqual([])
      player.seek(15_000)
      await settled('paused')
      expect(calls).toEqual(['show c1 15000'])
      player.seek(36_000)
      expect(player.snapshot()).toMatchObject({ state: 'loading', at: 36_000 })
      come(4)
      await settled('paused')
      expect(calls.at(-1)).toBe('show c3 36000')
      expect(loaded).toEqual([1, 3])
    })

    it('R41 the time stands at the end of what there is, and goes on by itself', async () => {
      const { chunks, come } = preparing()
      const { player, calls, settled, pass } = open({ at: 5000 }, { chunks })
      await settled('paused')
      player.play()
      pass(5100)
      expect(player.snapshot()).toMatchObject({ state: 'loading', at: 10_100, plays: true })
      pass(5000)
      expect(player.snapshot().at).toBe(10_100)
      come(2)
      await settled('playing')
      expect(calls.slice(-2)).toEqual(['show c1 10100', 'play 10100 ×1'])
    })

    it('R41 a failure is told to who waits for it alone, and asked again', async () => {
      const { chunks, come, fail } = preparing()
      const { player, settled } = open({}, { chunks })
      await settled('paused')
      fail()
      // All that follows from it is over by then.
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      expect(player.snapshot().state).toBe('paused')
      player.seek(35_000)
      fail()
      await settled('broken')
      player.play()
      come(4)
      await settled('playing')
      expect(player.snapshot().at).toBe(35_000)
    })

    it('R58 what was whole does not become less when all of it is made anew', async () => {
      const lists = [whole(CHUNKS), { chunks: CHUNKS.slice(0, 1), preparing: true }]
      const { promise, resolve } = Promise.withResolvers<ChunkList>()
      const { player, calls, settled } = open(
        { runs: true, at: 35_000 },
        { chunks: () => Promise.resolve(lists.shift() ?? promise) },
      )
      await settled('paused')
      player.grow({ to: 50_000, idle: [], runs: true })
      await expect.poll(() => lists).toEqual([])
      expect(player.snapshot()).toMatchObject({ state: 'paused', preparedTo: null })
      resolve(whole(CHUNKS.map((chunk) => ({ ...chunk, number: chunk.number + 10, from: chunk.from - 1 }))))
      await expect.poll(() => calls).toContain('show c13 35000')
    })
  })

  it('says what failed, and tries again', async () => {
    let fails = true
    const { player, settled } = open(
      {},
      { chunk: () => (fails ? Promise.reject(new Error('gone')) : Promise.resolve('c0')) },
    )
    await settled('broken')
    expect(player.snapshot().problem).toEqual(new Error('gone'))
    fails = false
    player.play()
    await settled('playing')
  })

  it('destroyed it lets go of everything', async () => {
    const { player, calls, settled, pass } = open()
    await settled('paused')
    player.play()
    player.destroy()
    await expect.poll(() => calls).toContain('destroy')
    const before = player.snapshot()
    pass(1000)
    expect(player.snapshot()).toBe(before)
  })

  it('R6 before the first chunk, and in a gap, the picture nearest to it is drawn', () => {
    expect(placeOf(CHUNKS, -5)).toBe(0)
    expect(placeOf([CHUNKS[0] as Chunk, CHUNKS[3] as Chunk], 20_000)).toBe(0)
    expect(placeOf(CHUNKS, 30_000)).toBe(3)
  })
})

describe('the memory of chunks', () => {
  it('holds as many bytes as it may, those that were asked for last', async () => {
    const asked: number[] = []
    const source = cached(
      {
        chunks: () => Promise.resolve(whole(CHUNKS)),
        chunk: (number) => {
          asked.push(number)
          return Promise.resolve('x'.repeat(100))
        },
      },
      500,
    )
    const { signal } = new AbortController()
    for (const number of [0, 1, 0, 2, 0, 1]) await source.chunk(number, signal)
    expect(asked).toEqual([0, 1, 2, 1])
  })
})
