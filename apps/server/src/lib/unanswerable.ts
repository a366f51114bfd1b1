import type { Result } from './result.ts'

/**
 * A question that cannot be answered as it was asked: it names what is not there, or is too large. The message is a
 * sentence for whoever asked; routes answer it as a 400.
 */
export class Unanswerable extends Error {
  override readonly name = 'Unanswerable'
}

/** What was read of a question. @throws Unanswerable */
export const orUnanswerable = <Value>(result: Result<Value, string>): Value => {
  if (!result.ok) throw new Unanswerable(result.error)
  return result.value
}
