import type { ShownText } from '@firsthand/recording'
import { RecentMap } from '../lib/recent-map.ts'
import { LIMITS } from './limits.ts'
import { keyOfReplay } from './replay.ts'
import type { Segment } from './segment.ts'

/** Segments of one replay in a batch that may be read again. */
const SEGMENTS_REMEMBERED = 32

interface Counted {
  texts: number
  characters: number
  /** One text did not fit: nothing more is kept. */
  isFull: boolean
  /** How many of their texts segments may keep. */
  readonly given: RecentMap<string, number>
}

/** A segment, as far as its texts are counted. */
type CountedSegment = Pick<Segment, 'id' | 'projectId' | 'replayId' | 'texts' | 'textsLeftOut'>

export interface TextBudget {
  /** Whether texts of this segment may have room. In a long replay most have none, and they need not be read. */
  hasRoom(segment: Pick<Segment, 'projectId' | 'replayId' | 'id'>): boolean
  /** Hands back a segment with the texts that still have room. */
  fit<Fitted extends CountedSegment>(segment: Fitted): Fitted
}

/**
 * Holds the bounds of a replay's texts over its segments, which come one by one. A segment that is read again, because its
 * batch is repeated, keeps as many as before.
 */
export const createTextBudget = (): TextBudget => {
  const replays = new RecentMap<string, Counted>(LIMITS.REPLAY_TEXTS_COUNTED_REPLAYS)
  const countedOf = (key: string): Counted => {
    const known = replays.get(key)
    if (known !== undefined) return known
    const counted = {
      texts: 0,
      characters: 0,
      isFull: false,
      given: new RecentMap<string, number>(SEGMENTS_REMEMBERED),
    }
    replays.set(key, counted)
    return counted
  }
  return {
    hasRoom: (segment) => {
      const counted = replays.get(keyOfReplay(segment))
      return counted === undefined || !counted.isFull || counted.given.get(segment.id) !== undefined
    },
    fit: (segment) => {
      if (segment.texts.length === 0) return segment
      const counted = countedOf(keyOfReplay(segment))
      let given = counted.given.get(segment.id)
      if (given === undefined) {
        given = take(counted, segment.texts)
        counted.given.set(segment.id, given)
      }
      if (given === segment.texts.length) return segment
      const textsLeftOut = segment.textsLeftOut + segment.texts.length - given
      return { ...segment, texts: segment.texts.slice(0, given), textsLeftOut }
    },
  }
}

const take = (counted: Counted, texts: readonly ShownText[]): number => {
  let given = 0
  for (const { text } of texts) {
    counted.isFull ||=
      counted.texts >= LIMITS.REPLAY_TEXTS || counted.characters + text.length > LIMITS.REPLAY_ALL_TEXT_CHARS
    if (counted.isFull) break
    counted.texts += 1
    counted.characters += text.length
    given += 1
  }
  return given
}
