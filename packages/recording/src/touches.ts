import { EventType, Interaction, Source, type RecordedEvent } from './events.ts'
import { isFields, type Fields } from './fields.ts'

/** Where fingers were on a screen, as recorders of phones write it. */

export interface TouchPoint {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly x: number
  readonly y: number
}

/** A finger, from where it went down to where it was lifted. */
export interface Touch {
  readonly from: number
  /** The last moment that is known of it. */
  readonly to: number
  /** By time; one at least. */
  readonly points: readonly TouchPoint[]
}

/** Of one segment; more are not drawn. */
const MAX_POINTS = 20_000
const MAX_POSITION = 1e6
/** Positions are noted together, up to so long after they were. */
const MAX_OFFSET_MS = 10_000

const DOWN: ReadonlySet<unknown> = new Set([Interaction.TouchStart, Interaction.Click])
const UP: ReadonlySet<unknown> = new Set([Interaction.TouchEnd, Interaction.TouchCancel, Interaction.Click])

const positionOf = (value: unknown): number | null =>
  typeof value === 'number' && Math.abs(value) <= MAX_POSITION ? value : null

const pointOf = (fields: Fields, at: number): TouchPoint | null => {
  const [x, y] = [positionOf(fields['x']), positionOf(fields['y'])]
  return x === null || y === null ? null : { at, x, y }
}

/**
 * @param events of one segment, by time
 * @param shift milliseconds that are added to their times
 */
export const readTouches = (events: readonly RecordedEvent[], shift: number): Touch[] => {
  const touches: { from: number; to: number; points: TouchPoint[] }[] = []
  const down = new Map<unknown, (typeof touches)[number]>()
  let left = MAX_POINTS
  const add = (pointer: unknown, point: TouchPoint | null): void => {
    if (point === null || left === 0) return
    left -= 1
    let touch = down.get(pointer)
    if (touch === undefined) {
      touch = { from: point.at, to: point.at, points: [] }
      touches.push(touch)
      down.set(pointer, touch)
    }
    // Lists of positions may overlap.
    const at = Math.max(point.at, touch.to)
    touch.points.push({ ...point, at })
    touch.to = at
  }
  for (const { data, timestamp, type } of events) {
    if (type !== EventType.IncrementalSnapshot || !isFields(data)) continue
    const at = timestamp + shift
    const pointer = data['pointerId']
    if (data['source'] === Source.MouseInteraction) {
      const kind = data['type']
      if (!DOWN.has(kind) && !UP.has(kind)) continue
      if (DOWN.has(kind)) down.delete(pointer)
      add(pointer, pointOf(data, at))
      if (UP.has(kind)) down.delete(pointer)
    } else if (data['source'] === Source.TouchMove && Array.isArray(data['positions'])) {
      for (const position of data['positions'] as readonly unknown[]) {
        if (!isFields(position)) continue
        const offset = typeof position['timeOffset'] === 'number' ? position['timeOffset'] : 0
        add(pointer, pointOf(position, at + Math.min(0, Math.max(-MAX_OFFSET_MS, offset))))
      }
    }
  }
  return touches
}
