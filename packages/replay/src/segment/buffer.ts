import { CUSTOM, META, type RecordedEvent } from '../events.ts'

/** Before something goes wrong, so much is held, in milliseconds: the pictures at half of it, of which two are kept. */
export const HELD_MS = 60_000
export const CHECKOUT_MS = HELD_MS / 2
/** What is not JSON yet: so few that making it takes no time that anybody sees. */
const MAX_RAW = 64

export interface Held {
  readonly at: number
  readonly type: number
  readonly json: string
}

export interface EventBuffer {
  add(event: RecordedEvent): void
  /** Everything, in order; it is empty afterwards. */
  take(): Held[]
  /** What could not be sent stands before everything else again. */
  giveBack(held: readonly Held[]): void
  /** Only what may still be shown is held: the last picture of the page, the one before, and what came since. */
  roll(isRolling: boolean): void
  clear(): void
  readonly isEmpty: boolean
  /** Characters of JSON. */
  readonly size: number
  /** When the first of it happened. */
  readonly since: number | undefined
}

/** Events until they are sent. */
export const createBuffer = (now: () => number = Date.now): EventBuffer => {
  // Each begins with a picture of the page, but for the first.
  let parts: Held[][] = [[]]
  let raw: RecordedEvent[] = []
  let size = 0
  let isRolling = false

  const sizeOf = (held: readonly Held[]): number => held.reduce((sum, { json }) => sum + json.length, 0)
  const settle = (): void => {
    for (const event of raw) {
      const held = { at: event.timestamp, type: event.type, json: JSON.stringify(event) }
      size += held.json.length
      parts.at(-1)?.push(held)
    }
    raw = []
  }
  const forget = (): void => {
    const [first = []] = parts
    size -= sizeOf(first)
    parts.shift()
  }

  return {
    add: (event) => {
      if (event.type === META) {
        settle()
        if (isRolling) while (parts.length > 1) forget()
        parts.push([])
      }
      raw.push(event)
      if (raw.length >= MAX_RAW) settle()
    },
    take: () => {
      settle()
      if (isRolling) while (parts.length > 1 && (parts[0]?.[0]?.at ?? 0) < now() - HELD_MS) forget()
      const all = parts.flat()
      parts = [[]]
      size = 0
      return all
    },
    giveBack: (held) => {
      settle()
      const before: Held[][] = [[]]
      for (const one of held) {
        if (one.type === META) before.push([])
        before.at(-1)?.push(one)
      }
      // What came since goes on where the last of them ended.
      parts = [...before.slice(0, -1), [...(before.at(-1) ?? []), ...(parts[0] ?? [])], ...parts.slice(1)]
      size += sizeOf(held)
    },
    roll: (on) => {
      isRolling = on
    },
    clear: () => {
      parts = [[]]
      raw = []
      size = 0
    },
    get isEmpty() {
      return raw.length === 0 && parts.every((part) => part.length === 0)
    },
    get size() {
      settle()
      return size
    },
    get since() {
      settle()
      return parts.find((part) => part.length > 0)?.[0]?.at
    },
  }
}

/**
 * Of a page that goes away: what of it may still be sent. What people did first, then the page's own changes up to the first
 * that does not fit: what comes after a gap cannot be played.
 */
export const fitting = (held: readonly Held[], bytes: number): { fits: Held[]; rest: Held[] } => {
  let left = bytes
  const chosen = new Set<Held>()
  const choose = (one: Held): boolean => {
    const needed = new TextEncoder().encode(one.json).length + 1
    if (needed > left) return false
    left -= needed
    chosen.add(one)
    return true
  }
  for (const one of held) if (one.type === CUSTOM) choose(one)
  for (const one of held) if (one.type !== CUSTOM && !choose(one)) break
  return { fits: held.filter((one) => chosen.has(one)), rest: held.filter((one) => !chosen.has(one)) }
}
