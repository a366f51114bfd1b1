import { LIMITS } from '../limits.ts'

/** How much of its projects a release is, in the last day. */
export interface Share {
  readonly sessions: number
  readonly users: number
  /** Of all releases of these projects together. */
  readonly ofSessions: number
  readonly ofUsers: number
}

/** `low`: hardly anybody runs it · `adopted`: it is in use · `replaced`: it was, and others took its place. */
export const STAGES = ['low', 'adopted', 'replaced'] as const
export type Stage = (typeof STAGES)[number]

/** Whole numbers, so that a tenth is a tenth. */
export const isAdopted = ({ sessions, ofSessions }: Pick<Share, 'sessions' | 'ofSessions'>): boolean =>
  sessions > 0 && sessions * LIMITS.ADOPTED_PARTS >= ofSessions

/** @param wasAdopted whether it was in use at any time before */
export const stageOf = (share: Pick<Share, 'sessions' | 'ofSessions'>, wasAdopted: boolean): Stage => {
  if (isAdopted(share)) return 'adopted'
  return wasAdopted ? 'replaced' : 'low'
}
