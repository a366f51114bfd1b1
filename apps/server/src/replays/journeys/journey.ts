import { LIMITS } from '../limits.ts'
import { keyOfReplay, type ReplayRecord } from '../replay.ts'
import type { Visitor } from '../visitor.ts'

const known = (texts: readonly string[]): readonly string[] => [...new Set(texts.filter((text) => text !== ''))]

/** Null for one of whom nothing is known. */
export const visitorOf = ({ browser, os, user }: ReplayRecord): Visitor | null => {
  const { email, id, ip, name } = user
  if (id !== '' || email !== '' || name !== '') return { by: 'user', ids: known([id]), emails: known([email]), name }
  return ip === '' ? null : { by: 'address', ip, browser: browser.name, version: browser.version, os: os.name }
}

/**
 * The replays of a visitor, one for each tab and visit, that hang together with one of them: each began before those before
 * it were over for half an hour.
 *
 * @returns in the order in which they began
 */
export const journeyOf = (record: ReplayRecord, ofVisitor: readonly ReplayRecord[]): readonly ReplayRecord[] => {
  const all = new Map([record, ...ofVisitor].map((one) => [keyOfReplay(one), one]))
  const inOrder = [...all.values()].toSorted(
    (one, other) => one.startedAt - other.startedAt || (keyOfReplay(one) < keyOfReplay(other) ? -1 : 1),
  )
  let journey: ReplayRecord[] = []
  let end = Number.NEGATIVE_INFINITY
  for (const one of inOrder) {
    if (one.startedAt - end > LIMITS.REPLAY_JOURNEY_PAUSE_MS) {
      if (journey.some((before) => keyOfReplay(before) === keyOfReplay(record))) break
      journey = []
    }
    journey.push(one)
    end = Math.max(end, one.finishedAt)
  }
  return journey
}
