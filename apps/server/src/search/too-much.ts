import { DAY_MS } from '../lib/durations.ts'
import { isShortOfMemory } from '../lib/short-of-memory.ts'
import { Unanswerable } from '../lib/unanswerable.ts'
import type { Period } from './time-range.ts'

/** Codes of ClickHouse: too slow, too many rows, bytes, groups, or too much memory. */
const TOO_MUCH: ReadonlySet<string> = new Set(['158', '159', '160', '191', '241', '307', '396'])

/** Whether telemetry stopped a question because of what it asked, not of what others asked at the same time. */
export const isTooMuch = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (isShortOfMemory(error)) return false
  const { code } = error as { readonly code?: unknown }
  return (typeof code === 'string' && TOO_MUCH.has(code)) || isTooMuch(error.cause)
}

/** What would be answered: the question, narrower. */
const narrower = ({ from, to }: Period, project?: string): string => {
  const length = to - from
  const shorter = length > 7 * DAY_MS ? 'statsPeriod=24h' : length > DAY_MS / 2 ? 'statsPeriod=1h' : 'statsPeriod=5m'
  const one = project === undefined ? '' : `, or one project (project=${project})`
  return `Ask for a shorter time (${shorter})${one}, for fewer columns or groups, or search for something rarer.`
}

/** A question that was stopped, with a narrower one. */
export const tooLarge = (period: Period, project?: string, cause?: unknown): Unanswerable =>
  new Unanswerable(`This question is too large: it was stopped. ${narrower(period, project)}`, { cause })

/**
 * What telemetry answers.
 *
 * @param period that the question is about
 * @param project the slug of one of several that it is about
 * @throws Unanswerable with a narrower question, when this one was stopped
 */
export const unlessTooLarge = async <Answer>(
  answer: Promise<Answer>,
  period: Period,
  project?: string,
): Promise<Answer> => {
  try {
    return await answer
  } catch (error) {
    if (!isTooMuch(error)) throw error
    throw tooLarge(period, project, error)
  }
}
