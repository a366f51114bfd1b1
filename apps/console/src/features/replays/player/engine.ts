import { FIRST_SIGHT_MS, FIRST_SIGHT_STEP_MS } from '@firsthand/recording'

import type { Chunk, ChunkList, ChunkSource } from './source.ts'

/** What draws a replay. It has its own idea of how events look; when they are due, it is told. */
export interface Picture {
  /** Draws the page as it was at a moment. The text has all events from a whole page on. */
  show(chunk: string, at: number): void
  /** The chunk that comes after what it has; the page it begins with is there already, unless another one was loaded. */
  add(chunk: string): void
  /** To another moment of what it has. */
  go(at: number): void
  /** From there on by itself, until it is paused. */
  play(at: number, speed: number): void
  pause(): void
  destroy(): void
}

/** Milliseconds, and frames of the screen. */
export interface Clock {
  now(): number
  /** @returns takes it back */
  onFrame(run: () => void): () => void
}

/** `waiting`: it has played all that was recorded so far, and goes on with what comes. */
export type PlayerState = 'loading' | 'paused' | 'playing' | 'waiting' | 'ended' | 'broken'

export interface PlayerSnapshot {
  readonly state: PlayerState
  /** What is shown, in milliseconds since the epoch. */
  readonly at: number
  /** Whether it plays, or will as soon as it has loaded. */
  readonly plays: boolean
  readonly speed: number
  readonly skipsIdle: boolean
  /** From when on there is a picture; null while that is not known, and where there is none. */
  readonly pictureFrom: number | null
  /** Up to when it can be shown by now, as the server still prepares the rest; null when all of it can. */
  readonly preparedTo: number | null
  /** Why it is broken. */
  readonly problem: unknown
  /** How much without anything to see it has just passed over, in milliseconds of the recording; 0 when it is a while ago. */
  readonly skipped: number
  /** Where it was opened, as nothing is to be seen before; null where it was opened elsewhere. */
  readonly firstSight: number | null
}

export const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const

export interface Player {
  snapshot(): PlayerSnapshot
  /** @returns ends it */
  subscribe(listener: () => void): () => void
  play(): void
  pause(): void
  seek(at: number): void
  setSpeed(speed: number): void
  setSkipsIdle(skips: boolean): void
  /** More of it was recorded, or it is known that nothing more will be. The time stands where it is. */
  grow(more: Stretch): void
  /** Everything that is under way ends, and the picture goes. */
  destroy(): void
}

/** What of a replay can be played. It begins where it began; the rest of it may come to be known later. */
export interface Stretch {
  readonly to: number
  /** Stretches without anything to see, by time. */
  readonly idle: readonly (readonly [number, number])[]
  /** More of it may be recorded at this moment. */
  readonly runs: boolean
}

export interface PlayerOptions extends Stretch {
  readonly source: ChunkSource
  /** It may come later; the time stands until then. */
  readonly picture: Promise<Picture>
  readonly clock: Clock
  readonly from: number
  /** Where it begins; null for where there is first something to be seen. */
  readonly at: number | null
  /** Whether the picture that was just drawn shows nothing at all. */
  readonly isBlank: () => boolean
  readonly speed: number
  readonly skipsIdle: boolean
}

/** The next chunk is fetched when it is this near, in milliseconds of the reader's time. */
const AHEAD_MS = 5000
/**
 * What lies at both ends of a stretch without anything to see happened: so much of the stretch is shown beside it, in
 * milliseconds of the reader's time.
 */
const LINGER_MS = 1000
/** It is said for so long that something was passed over. */
const SAID_MS = 2500
/** Of the time in which nothing was to be seen, for a step to where it is looked for next. */
const LOOK_PART = 0.05
/** A picture that has been given so many chunks begins anew with the next: it keeps all that it was given. */
const CHUNKS_PER_PICTURE = 12

/** How much of stretches without anything to see is passed over at a speed: not their ends. In milliseconds of the recording. */
export const skippedOf = (idle: Stretch['idle'], speed: number): number =>
  idle.reduce((sum, [start, end]) => sum + Math.max(0, end - start - 2 * LINGER_MS * speed), 0)

/** The chunk that holds a moment; before the first the first, in a gap the one before it. */
export function placeOf(chunks: readonly Chunk[], at: number): number {
  let [low, high] = [0, chunks.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((chunks[middle] as Chunk).from <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Plays a replay: what the time is, which chunks it takes, what to do with them. Knows nothing of the page around it. */
// long: one state, which all of its steps share
export function createPlayer(options: PlayerOptions): Player {
  const { source, clock, from } = options
  let { to, idle, runs } = options
  const listeners = new Set<() => void>()
  const over = new AbortController()
  let seeking = new AbortController()
  let picture: Picture | null = null
  let chunks: readonly Chunk[] | null = null
  let preparing = false
  let reading: Promise<void> | null = null
  /**
   * What the picture has: the places of its first and last chunk, and the moment up to which it is drawn. Where the last chunk
   * has grown since, `until` is its former end: from there on it has to be drawn again.
   */
  let drawn: { readonly first: number; last: number; at: number; until: number } | null = null
  /** Place of the chunk that is being fetched ahead. */
  let ahead: number | null = null
  let before = clock.now()
  let [loads, ended, waits] = [true, false, false]
  /** Nobody asked for a moment yet. */
  let looks = options.at === null
  let saidUntil = 0
  let shown: PlayerSnapshot = {
    state: 'loading',
    at: clamp(options.at ?? from),
    plays: false,
    speed: options.speed,
    skipsIdle: options.skipsIdle,
    pictureFrom: null,
    preparedTo: null,
    problem: null,
    skipped: 0,
    firstSight: null,
  }

  function clamp(at: number): number {
    return Math.min(to, Math.max(from, at))
  }

  /** Of a frame that was asked for: none is while nothing plays, so that the window may rest. */
  let takeBack: (() => void) | null = null
  function keepTime(): void {
    if (!shown.plays || waits || takeBack !== null || over.signal.aborted) return
    takeBack = clock.onFrame(() => {
      takeBack = null
      tick()
      keepTime()
    })
  }

  const publish = (change: Partial<PlayerSnapshot>): void => {
    const next = { ...shown, ...change }
    const state: PlayerState =
      next.problem !== null
        ? 'broken'
        : loads
          ? 'loading'
          : ended
            ? 'ended'
            : !next.plays
              ? 'paused'
              : waits
                ? 'waiting'
                : 'playing'
    shown = { ...next, state }
    keepTime()
    for (const listener of listeners) listener()
  }

  const fail = (problem: unknown): void => {
    if (over.signal.aborted) return
    loads = false
    picture?.pause()
    publish({ problem, plays: false })
  }

  /** The picture goes on from where the time is. */
  const run = (): void => {
    before = clock.now()
    if (shown.plays && drawn !== null) picture?.play(shown.at, shown.speed)
  }

  const preparedTo = (): number => chunks?.at(-1)?.to ?? from
  const isPrepared = (at: number): boolean =>
    chunks !== null && (!preparing || (chunks.length > 0 && at <= preparedTo()))

  /** Notes a newer list, and what of it the picture does not have. @returns whether the picture has to be drawn anew */
  const take = (list: ChunkList): boolean => {
    const before = chunks
    const now = list.chunks
    ;({ chunks, preparing } = list)
    publish({ preparedTo: preparing ? preparedTo() : null })
    if (drawn === null || before === null) return false
    const { first, last } = drawn
    const isSame = before
      .slice(first, last + 1)
      .every(
        (chunk, index) =>
          chunk.from === now[first + index]?.from && (index === last - first || chunk.to === now[first + index]?.to),
      )
    const end = before[last]?.to ?? 0
    if (!isSame) drawn = null
    else if (end !== now[last]?.to) drawn.until = Math.min(drawn.until, end)
    return drawn === null || shown.at >= drawn.until
  }

  /** Reads the list, once for all who wait for it, and again as long as there is more to come. */
  const read = (): Promise<void> => {
    const readOnce = async (): Promise<void> => {
      try {
        const wasWhole = chunks !== null && !preparing
        const ask = async (): Promise<ChunkList> => {
          const list = await source.chunks(over.signal)
          // What can be shown does not become less, although it was all cut anew.
          return wasWhole && list.preparing ? ask() : list
        }
        const list = await ask()
        if (over.signal.aborted) return
        if (take(list)) void draw(shown.at)
      } finally {
        reading = null
      }
      // Whoever needs what does not come is told when it is due.
      if (preparing) read().catch(() => undefined)
    }
    reading ??= readOnce()
    return reading
  }

  /** Until a moment can be shown. */
  const prepare = async (at: number, signal: AbortSignal): Promise<void> => {
    while (!isPrepared(at) && !signal.aborted) await read()
  }

  const goWithin = (at: number): boolean => {
    const place = placeOf(chunks ?? [], at)
    if (!isPrepared(at)) return false
    if (drawn === null || at < drawn.at || at >= drawn.until || place < drawn.first || place > drawn.last) return false
    picture?.go(at)
    drawn.at = at
    return true
  }

  const shows = (at: number): boolean => {
    picture?.go(at)
    return !options.isBlank()
  }

  /**
   * The first moment of a stretch of what was just drawn at which something is to be seen. Each look draws: they are the
   * rarer the longer nothing came, and the last step is gone once more in small ones.
   */
  const seenIn = (start: number, end: number, begun: number): number | null => {
    if (!options.isBlank()) return start
    for (let at = start; at < end;) {
      const next = Math.min(end, at + Math.max(FIRST_SIGHT_STEP_MS, Math.round((at - begun) * LOOK_PART)))
      if (shows(next)) {
        let seen = at + FIRST_SIGHT_STEP_MS
        while (seen < next && !shows(seen)) seen += FIRST_SIGHT_STEP_MS
        if (seen >= next && next - at > FIRST_SIGHT_STEP_MS) picture?.go(next)
        return Math.min(seen, next)
      }
      at = next
    }
    return null
  }

  /** From what was just drawn on, chunk after chunk, as long as nothing is to be seen; null where nothing comes in time. */
  const look = async (first: Chunk, start: number, signal: AbortSignal) => {
    const limit = clamp(start + FIRST_SIGHT_MS)
    for (let [chunk, at] = [first, start]; ;) {
      const { to: until } = chunk
      const seen = seenIn(at, Math.min(until, limit), start)
      if (seen !== null) return { chunk, at: seen }
      if (until >= limit) return null
      await prepare(until + 1, signal)
      const next = chunks?.find((one) => one.to > until)
      if (signal.aborted || next === undefined || next.from > limit) return null
      const text = await source.chunk(next.number, signal)
      if (signal.aborted) return null
      chunk = next
      at = Math.max(at, next.from)
      picture?.show(text, at)
    }
  }

  const draw = async (asked: number): Promise<void> => {
    let at = asked
    let { firstSight } = shown
    seeking.abort()
    seeking = new AbortController()
    const { signal } = seeking
    loads = false
    waits = false
    ended = at >= to && !runs
    try {
      if (!goWithin(at)) {
        loads = true
        picture?.pause()
        publish({ at, problem: null })
        if (!isPrepared(at)) await prepare(at, signal)
        if (signal.aborted) return
        const known = chunks ?? []
        let chunk = known[placeOf(known, at)]
        const text = chunk === undefined ? null : await source.chunk(chunk.number, signal)
        picture ??= await options.picture
        if (signal.aborted) return
        if (text !== null && chunk !== undefined) {
          if (looks) at = Math.max(at, clamp(chunk.from))
          picture.show(text, at)
          if (looks) {
            const sight = await look(chunk, at, signal)
            if (signal.aborted) return
            if (sight === null) picture.show(text, at)
            else ({ chunk, at } = sight)
            firstSight = sight !== null && at > from ? at : null
          }
          const place = placeOf(chunks ?? [], chunk.from)
          const isStale = chunks?.[place]?.to !== chunk.to
          drawn = { first: place, last: place, at, until: isStale ? chunk.to : Infinity }
          ahead = null
        }
        loads = false
      }
      looks = false
      const pictureFrom = chunks?.[0]?.from ?? null
      publish({ at, plays: shown.plays && !ended, problem: null, pictureFrom, firstSight })
      run()
    } catch (problem) {
      if (!signal.aborted) fail(problem)
    }
  }

  const fetchAhead = async (place: number): Promise<void> => {
    const known = chunks
    if (ahead === place || known === null) return
    ahead = place
    try {
      const { number } = known[place] as Chunk
      const text = await source.chunk(number, over.signal)
      if (chunks?.[place]?.number !== number) return void (ahead = null)
      if (drawn === null || drawn.last !== place - 1 || place - drawn.first >= CHUNKS_PER_PICTURE) return
      picture?.add(text)
      drawn.last = place
    } catch {
      // It is asked for again when it is due; a failure is told then.
    }
  }

  const tick = (): void => {
    const now = clock.now()
    const spent = (now - before) * shown.speed
    before = now
    if (!shown.plays || loads || waits || shown.problem !== null) return
    const at = clamp(shown.at + spent)
    const linger = LINGER_MS * shown.speed
    const gap = shown.skipsIdle ? idle.find(([start, end]) => start + linger <= at && at < end - linger) : undefined
    if (gap !== undefined) {
      saidUntil = now + SAID_MS
      shown = { ...shown, skipped: gap[1] - linger - at }
      return void draw(clamp(gap[1] - linger))
    }
    if (now >= saidUntil) shown = { ...shown, skipped: 0 }
    if (drawn !== null) drawn.at = at
    // At the end as well: a frame that comes late may pass all of the last chunk.
    if (drawn !== null && (at >= drawn.until || !isPrepared(at))) return void draw(at)
    const next = drawn === null ? undefined : chunks?.[drawn.last + 1]
    if (next !== undefined && at >= next.from) return void draw(at)
    if (at >= to) {
      waits = runs
      ended = !runs
      picture?.go(to)
      return publish({ at, plays: runs, skipped: 0 })
    }
    if (drawn !== null && next !== undefined && next.from - at < AHEAD_MS * shown.speed) void fetchAhead(drawn.last + 1)
    publish({ at })
  }

  const refresh = async (): Promise<void> => {
    try {
      // What is read already may be of before.
      await reading
      await read()
    } catch {
      // It is read again when more comes; until then what is there can be watched.
    }
  }

  // Told by `draw`, which may still wait for something else.
  options.picture.catch(() => undefined)
  void draw(shown.at)

  return {
    snapshot: () => shown,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    play() {
      const isOver = ended || waits
      const again = isOver || shown.problem !== null
      publish({ plays: true, problem: null })
      if (again) void draw(isOver ? from : shown.at)
      else if (!loads) run()
      publish({})
    },
    pause() {
      picture?.pause()
      publish({ plays: false, skipped: 0 })
    },
    seek(at) {
      looks = false
      shown = { ...shown, skipped: 0 }
      void draw(clamp(at))
    },
    setSpeed(speed) {
      publish({ speed })
      if (!loads) run()
    },
    setSkipsIdle: (skipsIdle) => publish({ skipsIdle }),
    grow(more) {
      const isLonger = more.to > to
      ;({ to, idle, runs } = more)
      if (isLonger) ended = false
      else if (waits && !runs) ended = true
      const goesOn = waits && isLonger
      if (isLonger || !runs) waits = false
      publish({ plays: shown.plays && !ended })
      if (goesOn) run()
      if (isLonger && chunks !== null) void refresh()
    },
    destroy() {
      over.abort()
      seeking.abort()
      takeBack?.()
      listeners.clear()
      // One that comes later goes at once.
      options.picture.then(
        (late) => late.destroy(),
        () => undefined,
      )
    },
  }
}
