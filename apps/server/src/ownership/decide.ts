import type { Steps } from '../lib/sliced-work.ts'
import { Work } from '../lib/work.ts'
import { LIMITS } from './limits.ts'
import type { OwnershipLine } from './line.ts'
import type { MatchedEvent, MatchedFrame } from './matched-event.ts'
import { matcherOf, pathsOf, type Matcher } from './matcher.ts'

/**
 * Whose an event is.
 *
 * `frames`, ours: the frames of the application are asked one after the other, from the crash outwards. Of each, the last
 * line that matches counts, and the first frame whose line names somebody decides. A line about the URL or a tag holds for
 * the event as a whole: it wins when it stands further down.
 * `sentry`: the last line that matches anything of the event, whichever frame.
 */
export type Walk = 'frames' | 'sentry'

export interface Decision {
  /** Null when nobody owns it. */
  readonly line: OwnershipLine | null
  /** Number of the frame that decided, the crash is 0; null for a line about the event as a whole. */
  readonly frame: number | null
  /** Owners of the line whom the organisation knows, the first is the one that issues are assigned to. */
  readonly owners: readonly string[]
  /** Lines that match as well and do not count; a few of many. */
  readonly losers: readonly Loser[]
  /** The frames that were asked. */
  readonly frames: readonly number[]
  /** Comparing would have taken too long, so nobody was found. */
  readonly isCutShort: boolean
  /** What comparing took. */
  readonly steps: number
}

export interface Loser {
  readonly line: OwnershipLine
  readonly frame: number | null
  readonly why: 'earlier line' | 'further from the crash' | 'nobody known' | 'excludes'
}

export interface CompiledLines {
  readonly lines: readonly OwnershipLine[]
  readonly matchers: readonly Matcher[]
  /** Places of the lines about the event as a whole, the last one first, */
  readonly ofEvent: readonly number[]
  /** and of those about frames, by what their paths have to be within: most files of owners name one folder a line. */
  readonly ofFrames: ReadonlyMap<string, readonly number[]>
}

export const compileLines = (lines: readonly OwnershipLine[]): CompiledLines => {
  const matchers = lines.map(matcherOf)
  const places = matchers.map((_, place) => place).toReversed()
  return {
    lines,
    matchers,
    ofFrames: Map.groupBy(
      places.filter((place) => matchers[place]?.isOfEvent === false),
      (place) => matchers[place]?.within ?? '',
    ),
    ofEvent: places.filter((place) => matchers[place]?.isOfEvent === true),
  }
}

export interface DecideOptions {
  readonly isKnown: (owner: string) => boolean
  readonly walk: Walk
  readonly steps?: number
  /** How many lines that lost are wanted. Looking for them takes longer than deciding. */
  readonly losers?: number
}

type Found = Omit<Decision, 'frames' | 'isCutShort' | 'steps'>

const NOBODY: Found = { line: null, frame: null, owners: [], losers: [] }

/** Stops after every few comparisons, which others may wait for. */
export const decide = function* (
  compiled: CompiledLines,
  event: MatchedEvent,
  { isKnown, losers = 0, walk, steps = LIMITS.OWNERSHIP_STEPS }: DecideOptions,
): Steps<Decision> {
  const work = new Work(steps)
  const frames = framesToAsk(event.frames, walk)
  const asked = { compiled, event, frames: differentFrames(event.frames, frames), isKnown, most: losers, work }
  const decision = yield* walk === 'frames' ? byFrames(asked) : byLines(asked)
  // Whoever is found is whose it is, also when lines that lost are not looked for to the end.
  const isCutShort = work.isSpent && decision.line === null
  return { ...(isCutShort ? NOBODY : decision), frames, isCutShort, steps: steps - work.left }
}

interface Asked {
  readonly compiled: CompiledLines
  readonly event: MatchedEvent
  /** Numbers of frames. */
  readonly frames: readonly number[]
  readonly isKnown: (owner: string) => boolean
  readonly most: number
  readonly work: Work
}

/** Those of the application; all when none is. */
const framesToAsk = (frames: readonly MatchedFrame[], walk: Walk): readonly number[] => {
  const all = frames.map((_, number) => number)
  if (walk === 'sentry') return all
  const inApp = all.filter((number) => frames[number]?.isInApp === true)
  return inApp.length > 0 ? inApp : all.filter((number) => frames[number]?.isInApp !== false)
}

/** Frames of one file and module have one answer: the first of them is asked. */
const differentFrames = (frames: readonly MatchedFrame[], numbers: readonly number[]): readonly number[] => {
  const known = new Set<string>()
  return numbers.filter((number) => {
    const frame = frames[number]
    const key = JSON.stringify([frame?.filename, frame?.absPath, frame?.module, frame?.isInApp])
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
}

/** Places of the lines that may be about frames, the last one first. */
const placesFor = ({ compiled: { ofFrames }, event }: Asked, numbers: readonly number[]): readonly number[] => {
  const within = new Set([''])
  for (const number of numbers) {
    const frame = event.frames[number]
    for (const path of frame === undefined ? [] : pathsOf(frame)) {
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) within.add(path.slice(0, end))
    }
  }
  const found = [...within].flatMap((folder) => ofFrames.get(folder) ?? [])
  return within.size === 1 ? found : found.toSorted((left, right) => right - left)
}

/** Comparing one line costs so much besides its characters. */
const STEPS_PER_LINE = 4
/** About a millisecond of comparing, or less. */
const STEPS_PER_SLICE = 20_000

/**
 * The lines that match, the last one first, each when it is asked for: mostly the first is enough.
 *
 * @param places of the lines to compare
 */
const matching = function* (
  { compiled, isKnown, work }: Asked,
  places: readonly number[],
  matches: (matcher: Matcher) => number | null | false,
): Generator<Candidate | null, void, void> {
  let sliceEnd = work.left - STEPS_PER_SLICE
  for (const place of places) {
    const matcher = compiled.matchers[place]
    const line = compiled.lines[place]
    if (matcher === undefined || line === undefined || !work.spend(STEPS_PER_LINE)) return
    const frame = matches(matcher)
    if (work.isSpent) return
    if (frame !== false) {
      work.spend(line.owners.length)
      yield { place, line, frame, owners: line.owners.filter(isKnown) }
    }
    if (work.left > sliceEnd) continue
    sliceEnd = work.left - STEPS_PER_SLICE
    yield null
  }
}

interface Candidate {
  /** Place of the line among all. */
  readonly place: number
  readonly line: OwnershipLine
  readonly frame: number | null
  readonly owners: readonly string[]
}

const loserOf = ({ line, frame }: Candidate, why: Loser['why']): Loser => ({ line, frame, why })

const whyNobody = ({ line }: Candidate): Loser['why'] => (line.owners.length === 0 ? 'excludes' : 'nobody known')

const whyNot = (one: Candidate): Loser['why'] => (one.owners.length === 0 ? whyNobody(one) : 'earlier line')

const byFrames = function* (asked: Asked): Steps<Found> {
  const { compiled, event, most, work } = asked
  const losers: Loser[] = []
  const ofEvent: Candidate[] = []
  let wholeEvent: Candidate | null = null
  for (const one of matching(asked, compiled.ofEvent, (matcher) => matcher.matchesEvent(event, work) && null)) {
    if (one === null) {
      yield
      continue
    }
    if (wholeEvent === null && one.owners.length > 0) wholeEvent = one
    else if (ofEvent.length < most) ofEvent.push(one)
    if (wholeEvent !== null && ofEvent.length >= most) break
  }
  let winner: Candidate | null = null
  for (const number of asked.frames) {
    const frame = event.frames[number]
    if (frame === undefined || (winner !== null && losers.length >= most)) break
    let isFirst = true
    const places = placesFor(asked, [number])
    for (const one of matching(asked, places, (matcher) => matcher.matchesFrame(frame, work) && number)) {
      if (one === null) {
        yield
        continue
      }
      if (winner === null && isFirst && one.owners.length > 0) winner = one
      else if (losers.length < most) {
        const why = !isFirst ? 'earlier line' : winner === null ? whyNobody(one) : 'further from the crash'
        losers.push(loserOf(one, why))
      }
      // Of a frame behind the one that decided, its own last line is enough.
      if (losers.length >= most || (winner !== null && winner.frame !== number)) break
      isFirst = false
    }
  }
  const decided: Candidate | null =
    winner === null || (wholeEvent !== null && wholeEvent.place > winner.place) ? (wholeEvent ?? winner) : winner
  if (winner !== null && winner !== decided) losers.unshift(loserOf(winner, 'earlier line'))
  if (wholeEvent !== null && wholeEvent !== decided) losers.push(loserOf(wholeEvent, whyNot(wholeEvent)))
  losers.push(...ofEvent.map((one) => loserOf(one, whyNot(one))))
  return decisionOf(decided, losers, most)
}

const byLines = function* (asked: Asked): Steps<Found> {
  const { compiled, event, frames, most, work } = asked
  const places = [...placesFor(asked, frames), ...compiled.ofEvent].toSorted((left, right) => right - left)
  const matches = (matcher: Matcher): number | null | false => {
    if (matcher.isOfEvent) return matcher.matchesEvent(event, work) && null
    const number = frames.find((one) => {
      const frame = event.frames[one]
      return frame !== undefined && matcher.matchesFrame(frame, work)
    })
    return number ?? false
  }
  const losers: Loser[] = []
  let decided: Candidate | null = null
  let isExcluded = false
  let isFirst = true
  for (const one of matching(asked, places, matches)) {
    if (one === null) {
      yield
      continue
    }
    if (isFirst) isExcluded = one.line.owners.length === 0
    isFirst = false
    if (decided === null && !isExcluded && one.owners.length > 0) decided = one
    else if (losers.length < most) losers.push(loserOf(one, whyNot(one)))
    if ((decided !== null || isExcluded) && losers.length >= most) break
  }
  return decisionOf(decided, losers, most)
}

const decisionOf = (decided: Candidate | null, losers: readonly Loser[], most: number): Found => ({
  line: decided?.line ?? null,
  frame: decided?.frame ?? null,
  owners: decided?.owners ?? [],
  losers: losers.slice(0, most),
})
