import { UNREACHABLE, type Failure } from './check.ts'

/** How a check stands, and what a result makes of it. Pure. */
export interface UptimeState {
  /** `active` before the first result, then `up` or `down`. */
  readonly status: string
  readonly failuresInRow: number
  readonly oksInRow: number
  /** When the first of the failures came that made it fail. */
  readonly incidentSince: number | null
}

export interface Thresholds {
  readonly failures: number
  readonly recovery: number
}

export type UptimeResult = 'up' | 'down' | 'unknown'

/** Whoever answered was reached, however cut off this server is from others. */
export const resultOf = (failure: Failure | null, isSick: boolean): UptimeResult => {
  if (failure === null) return 'up'
  return isSick && UNREACHABLE.has(failure.kind) ? 'unknown' : 'down'
}

/** What nobody knows counts as nothing. */
export const next = (
  before: UptimeState,
  result: UptimeResult,
  at: number,
  { failures, recovery }: Thresholds,
): { readonly state: UptimeState; readonly change: 'down' | 'still down' | 'up again' | null } => {
  if (result === 'unknown') return { state: before, change: null }
  const isDown = before.status === 'down'
  if (result === 'up') {
    const oksInRow = before.oksInRow + 1
    const isOver = !isDown || oksInRow >= recovery
    const state = {
      status: isOver ? 'up' : 'down',
      failuresInRow: 0,
      oksInRow,
      incidentSince: isOver ? null : before.incidentSince,
    }
    return { state, change: isDown && isOver ? 'up again' : null }
  }
  const failuresInRow = before.failuresInRow + 1
  const state = { failuresInRow, oksInRow: 0, incidentSince: before.incidentSince ?? at }
  if (isDown) return { state: { ...state, status: 'down' }, change: 'still down' }
  return failuresInRow < failures
    ? { state: { ...state, status: before.status }, change: null }
    : { state: { ...state, status: 'down' }, change: 'down' }
}
