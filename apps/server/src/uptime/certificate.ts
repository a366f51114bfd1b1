import { DAY_MS } from '../lib/durations.ts'

/** Days before the end of a certificate at which it is told of, once each. */
export const STEPS = [30, 14, 7, 3, 1] as const

/** The step that is reached: the smallest of those that are not further away than the end. Null before the first. */
export const stepOf = (endsAt: number, now: number): number | null => {
  const days = (endsAt - now) / DAY_MS
  return STEPS.findLast((step) => days <= step) ?? null
}

/**
 * Whether a step is to be told, after the one that was told last.
 *
 * @param told null when none was
 * @returns the step to tell, `over` when a new certificate is there, null for nothing
 */
export const toTell = (told: number | null, step: number | null): number | 'over' | null => {
  if (step === null) return told === null ? null : 'over'
  // A certificate that was renewed for a while only begins anew.
  if (told === null || step < told) return step
  return null
}
