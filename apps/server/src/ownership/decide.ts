import { Work } from '../lib/work.ts'
import { LIMITS } from './limits.ts'
import type { OwnershipLine } from './line.ts'
import type { MatchedEvent, MatchedFrame } from './matched-event.ts'
import { matcherOf, type Matcher } from './matcher.ts'

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
  /** Comparing took too long, so nobody was found. */
  readonly isCutShort: boolean
}

export interface Loser {
  readonly line: OwnershipLine
  readonly frame: number | null
  readonly why: 'earlier line' | 'further from the crash' | 'nobody known' | 'excludes'
}

export interface CompiledLines {
  readonly lines: readonly OwnershipLine[]
  readonly matchers: readonly Matcher[]
}

export const compileLines = (lines: readonly OwnershipLine[]): CompiledLines => ({
  lines,
  matchers: lines.map(matcherOf),
})

const NOBODY: Omit<Decision, 'frames'> = { line: null, frame: null, owners: [], losers: [], isCutShort: false }

export const decide = (
  compiled: CompiledLines,
  event: MatchedEvent,
  {
    isKnown,
    walk,
    steps = LIMITS.OWNERSHIP_STEPS,
  }: { readonly isKnown: (owner: string) => boolean; readonly walk: Walk; readonly steps?: number },
): Decision => {
  const work = new Work(steps)
  const frames = framesToAsk(event.frames, walk)
  const found = { compiled, event, frames, isKnown, work }
  const decision = walk === 'frames' ? byFrames(found) : byLines(found)
  return work.isSpent ? { ...NOBODY, frames, isCutShort: true } : { ...decision, frames }
}

interface Asked {
  readonly compiled: CompiledLines
  readonly event: MatchedEvent
  /** Numbers of frames. */
  readonly frames: readonly number[]
  readonly isKnown: (owner: string) => boolean
  readonly work: Work
}

/** Those of the application; all when none is. */
const framesToAsk = (frames: readonly MatchedFrame[], walk: Walk): readonly number[] => {
  const all = frames.map((_, number) => number)
  if (walk === 'sentry') return all
  const inApp = all.filter((number) => frames[number]?.isInApp === true)
  return inApp.length > 0 ? inApp : all.filter((number) => frames[number]?.isInApp !== false)
}

/** Numbers of the lines that match, the last one first. */
const linesFor = ({ compiled, work }: Asked, matches: (matcher: Matcher, work: Work) => boolean): number[] => {
  const found: number[] = []
  for (let number = compiled.lines.length - 1; number >= 0 && !work.isSpent; number -= 1) {
    const matcher = compiled.matchers[number]
    if (matcher !== undefined && matches(matcher, work)) found.push(number)
  }
  return found
}

interface Candidate {
  /** Place of the line among all. */
  readonly place: number
  readonly line: OwnershipLine
  readonly frame: number | null
  readonly owners: readonly string[]
}

const candidateOf = ({ compiled, isKnown }: Asked, place: number, frame: number | null): Candidate | null => {
  const line = compiled.lines[place]
  return line === undefined ? null : { place, line, frame, owners: line.owners.filter(isKnown) }
}

const loserOf = ({ line, frame }: Candidate, why: Loser['why']): Loser => ({ line, frame, why })

const whyNobody = ({ line }: Candidate): Loser['why'] => (line.owners.length === 0 ? 'excludes' : 'nobody known')

const byFrames = (asked: Asked): Omit<Decision, 'frames'> => {
  const losers: Loser[] = []
  const ofEvent = linesFor(asked, (matcher, work) => matcher.matchesEvent(asked.event, work)).flatMap(
    (place) => candidateOf(asked, place, null) ?? [],
  )
  const wholeEvent = ofEvent.find(({ owners }) => owners.length > 0) ?? null
  let winner: Candidate | null = null
  for (const number of asked.frames) {
    const frame = asked.event.frames[number]
    if (frame === undefined) continue
    const places = linesFor(asked, (matcher, work) => matcher.matchesFrame(frame, work))
    const [last, ...earlier] = places.flatMap((place) => candidateOf(asked, place, number) ?? [])
    if (last === undefined) continue
    if (winner !== null) losers.push(loserOf(last, 'further from the crash'))
    else {
      if (last.owners.length > 0) winner = last
      else losers.push(loserOf(last, whyNobody(last)))
      losers.push(...earlier.map((one) => loserOf(one, 'earlier line')))
    }
    if (losers.length >= LIMITS.OWNERSHIP_LOSERS_SHOWN && winner !== null) break
  }
  const decided: Candidate | null =
    winner === null || (wholeEvent !== null && wholeEvent.place > winner.place) ? (wholeEvent ?? winner) : winner
  if (winner !== null && winner !== decided) losers.unshift(loserOf(winner, 'earlier line'))
  for (const one of ofEvent) {
    if (one !== decided) losers.push(loserOf(one, one.owners.length === 0 ? whyNobody(one) : 'earlier line'))
  }
  return decisionOf(decided, losers)
}

const byLines = (asked: Asked): Omit<Decision, 'frames'> => {
  const { event, frames } = asked
  const frameOf = new Map<Matcher, number | null>()
  const places = linesFor(asked, (matcher, work) => {
    if (matcher.isOfEvent) return matcher.matchesEvent(event, work)
    const number = frames.find((one) => {
      const frame = event.frames[one]
      return frame !== undefined && matcher.matchesFrame(frame, work)
    })
    if (number !== undefined) frameOf.set(matcher, number)
    return number !== undefined
  })
  const candidates = places.flatMap((place) => {
    const matcher = asked.compiled.matchers[place]
    return candidateOf(asked, place, (matcher && frameOf.get(matcher)) ?? null) ?? []
  })
  const isExcluded = candidates[0]?.line.owners.length === 0
  const decided = isExcluded ? null : (candidates.find(({ owners }) => owners.length > 0) ?? null)
  const losers = candidates
    .filter((one) => one !== decided)
    .map((one) => loserOf(one, one.owners.length === 0 ? whyNobody(one) : 'earlier line'))
  return decisionOf(decided, losers)
}

const decisionOf = (decided: Candidate | null, losers: readonly Loser[]): Omit<Decision, 'frames'> => ({
  line: decided?.line ?? null,
  frame: decided?.frame ?? null,
  owners: decided?.owners ?? [],
  losers: losers.slice(0, LIMITS.OWNERSHIP_LOSERS_SHOWN),
  isCutShort: false,
})
