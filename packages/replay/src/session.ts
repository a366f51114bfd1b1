/** One replay of one tab: who it is, and when it pauses and ends. Pure but for the storage that is given. */

/** Without a sign of the visitor for so long, nothing more is recorded until there is one. Milliseconds. */
export const PAUSE_MS = 300_000
/** … and for so long, the next sign begins another replay. */
export const EXPIRE_MS = 900_000

const KEY = 'firsthandReplaySession'

/** `buffer`: sent when something goes wrong. */
export type Sampled = 'session' | 'buffer' | false

export interface Session {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly started: number
  lastActivity: number
  /** Of the next segment. */
  segmentId: number
  readonly sampled: Sampled
  readonly previousSessionId?: string | undefined
}

export interface Rates {
  readonly session: number
  readonly onError: number
}

export const isPaused = (session: Session, at: number): boolean => at - session.lastActivity > PAUSE_MS
export const isExpired = (session: Session, at: number, maxDuration: number): boolean =>
  at - session.lastActivity > EXPIRE_MS || at - session.started > maxDuration

/** Decided once for each replay: the rate of sessions first, else what happens before an error is held. */
export const sample = ({ session, onError }: Rates, random = Math.random): Sampled =>
  random() < session ? 'session' : onError > 0 ? 'buffer' : false

export const newSession = (id: string, sampled: Sampled, at: number, previousSessionId?: string): Session => ({
  id,
  started: at,
  lastActivity: at,
  segmentId: 0,
  sampled,
  ...(previousSessionId && { previousSessionId }),
})

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const isSession = (value: unknown): value is Session => {
  const { id, started, lastActivity, segmentId, sampled } = Object(value) as Partial<Session>
  return (
    typeof id === 'string' &&
    /^[\da-f]{32}$/.test(id) &&
    [started, lastActivity, segmentId].every((number) => Number.isFinite(number)) &&
    (sampled === 'session' || sampled === 'buffer' || sampled === false)
  )
}

/** Where there is no storage, or it holds nonsense, the tab has no replay yet. */
export const readSession = (store: Store | undefined): Session | undefined => {
  try {
    const read: unknown = JSON.parse(store?.getItem(KEY) ?? 'null')
    return isSession(read) ? read : undefined
  } catch {
    return undefined
  }
}

export const writeSession = (store: Store | undefined, session: Session | undefined): void => {
  try {
    if (session) store?.setItem(KEY, JSON.stringify(session))
    else store?.removeItem(KEY)
  } catch {
    // Full or forbidden: the next page begins a replay of its own.
  }
}
