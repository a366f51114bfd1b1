/** When a canvas is looked at and when a picture of it is sent. Pure: who has the canvas tells what it sees. */

/** One whose thumbnail stays the same may still have changed in some small place: so soon that is looked after, and, */
const CHECK_MS = 2000
/** as long as nothing has, less and less. Milliseconds. */
const MAX_CHECK_MS = 16_000
/** Characters of pictures within five seconds: two halves of a held minute stay below what a segment may have. */
const MAX_CHARACTERS = 1_500_000
const WINDOW_MS = 5000
/** Of the page's main thread, pictures may take so many milliseconds of a second, else they come half as often. */
const MAX_WORK_MS = 100
const WORK_WINDOW_MS = 1000
const MAX_SLOWNESS = 8

/** One canvas. */
export interface Watched {
  /** Of the last picture that was made, milliseconds. */
  madeAt: number
  thumbnail: number | undefined
  sent: string | undefined
  checkMs: number
  isBusy: boolean
}

export const newWatched = (): Watched => ({
  madeAt: -Infinity,
  thumbnail: undefined,
  sent: undefined,
  checkMs: CHECK_MS,
  isBusy: false,
})

/** It is looked at once more, whatever it seems to show. */
export const isDue = (one: Watched, at: number): boolean => at - one.madeAt >= one.checkMs

/** There was nothing after all. */
export const isNothing = (one: Watched, at: number): void => {
  one.madeAt = at
  one.checkMs = Math.min(one.checkMs * 2, MAX_CHECK_MS)
}

/** Whether a picture is worth making of what a thumbnail shows. */
export const isWorthIt = (one: Watched, thumbnail: number, at: number): boolean => {
  if (one.isBusy) return false
  return one.thumbnail !== thumbnail || isDue(one, at)
}

/** A picture has come of it. False: it is the one that was sent last. */
export const isNew = (one: Watched, picture: string): boolean => {
  if (one.sent === picture) {
    one.checkMs = Math.min(one.checkMs * 2, MAX_CHECK_MS)
    return false
  }
  one.checkMs = CHECK_MS
  one.sent = picture
  return true
}

export interface Pace {
  /** Milliseconds until canvases are looked at again. */
  readonly intervalMs: number
  /** No more pictures for now: there were too many, or too large ones. */
  isFull(at: number): boolean
  sent(characters: number, at: number): void
  /** @returns true when it was too much, and it is slower from now on */
  worked(ms: number, at: number): boolean
}

export const createPace = (fps: number): Pace => {
  let slowness = 1
  let characters = 0
  let since = -Infinity
  let work = 0
  let workSince = -Infinity
  return {
    get intervalMs() {
      return (1000 / fps) * slowness
    },
    isFull: (at) => at - since < WINDOW_MS && characters >= MAX_CHARACTERS,
    sent: (more, at) => {
      if (at - since >= WINDOW_MS) [since, characters] = [at, 0]
      characters += more
    },
    worked: (ms, at) => {
      if (at - workSince >= WORK_WINDOW_MS) [workSince, work] = [at, 0]
      work += ms
      if (work <= MAX_WORK_MS || slowness >= MAX_SLOWNESS) return false
      slowness *= 2
      work = 0
      return true
    },
  }
}
