import { MINUTE_MS } from '../../lib/durations.ts'
import { firstMinute, type Cron } from './cron.ts'
import type { Change, Zone } from '../../lib/zone.ts'

/** A time at which something has to run. On nights when clocks change, schedulers differ about it. */
export interface Slot {
  /** The first instant at which some scheduler would run it; milliseconds since the epoch. */
  readonly due: number
  /** The last instant at which some would. */
  readonly latest: number
}

const HOUR_MS = 60 * MINUTE_MS
/** Longer than any change of a clock reaches. */
const LOOK_BACK_MS = 26 * HOUR_MS

/** How far from a change its local times are looked at one by one. */
const reachOf = ({ after, before }: Change): number => Math.abs(after - before) + HOUR_MS

/** The first slot of a schedule after an instant. Null when there is none in forty years. */
export const slotAfter = (cron: Cron, zone: Zone, after: number): Slot | null => {
  let from = after + 1
  for (;;) {
    const change = changeNear(zone, from)
    if (change === null || from < change.at - reachOf(change)) {
      const slot = plainSlot(cron, zone, from)
      if (slot === null || change === null || slot.due < change.at - reachOf(change)) return slot
      from = change.at - reachOf(change)
    } else {
      const slot = slotNear(cron, change, from)
      if (slot !== null) return slot
      from = change.at + reachOf(change) + 1
    }
  }
}

/** The change whose reach an instant lies in, or the next one. */
const changeNear = (zone: Zone, from: number): Change | null => {
  let change = zone.changeAfter(from - LOOK_BACK_MS)
  while (change !== null && change.at + reachOf(change) < from) change = zone.changeAfter(change.at + 1)
  return change
}

const plainSlot = (cron: Cron, zone: Zone, from: number): Slot | null => {
  const offset = zone.offsetAt(from)
  const minute = firstMinute(cron, Math.ceil((from + offset) / MINUTE_MS))
  if (minute === null) return null
  const due = minute * MINUTE_MS - offset
  return { due, latest: due }
}

const slotNear = (cron: Cron, change: Change, from: number): Slot | null => {
  const { after, at, before } = change
  const isAlways = cron.hours.length === 24
  const isOnly = cron.hours.length === 1 && cron.minutes.length === 1
  const end = at + reachOf(change)
  const slots: Slot[] = []
  const skipped: number[] = []
  const last = Math.floor((end + Math.max(before, after)) / MINUTE_MS)
  let minute = firstMinute(cron, Math.floor((from + Math.min(before, after)) / MINUTE_MS))
  for (; minute !== null && minute <= last; minute = firstMinute(cron, minute + 1)) {
    const local = minute * MINUTE_MS
    const [one, two] = instantsOf(local, change)
    if (one === undefined) {
      skipped.push(local - before)
    } else if (!isOnly && one >= at && one < endOfBrokenHour(change)) {
      // Half an hour is missing, as on Lord Howe Island: some leave out the other half as well.
      continue
    } else {
      // Twice on the clock: all run it the first time, some the second time as well. What runs once a day or so may do so
      // the second time instead.
      slots.push({ due: one, latest: isAlways ? one : (two ?? one) })
    }
  }
  // What falls into a missing hour runs right after it, or as long after midnight as ever. Unless it is the one time of a
  // day, some leave it out.
  const [asEver] = skipped
  if (isOnly && asEver !== undefined) slots.push({ due: at, latest: asEver })
  return (
    slots
      .filter(({ due }) => due >= from && due <= end)
      .toSorted((left, right) => left.due - right.due || right.latest - left.latest)
      .at(0) ?? null
  )
}

/** The end of the hour of which a change leaves out a part; before the change when it leaves out whole hours, or none. */
const endOfBrokenHour = ({ after, at, before }: Change): number => {
  const missing = after - before
  return missing > 0 && missing < HOUR_MS ? at + HOUR_MS - missing : at
}

/** When the clock shows a local time: never, once or twice. */
const instantsOf = (local: number, { after, at, before }: Change): readonly number[] => {
  const [early, late] = [local - before, local - after]
  return [...(early < at ? [early] : []), ...(late >= at ? [late] : [])]
}
