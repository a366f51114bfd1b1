import { conflict } from '../http/index.ts'
import { isBeyond } from './asked-thread.ts'

/**
 * For `catch`: says to who asked why a thread stopped what it was doing.
 *
 * @throws HttpError 409 for what took more time or memory than it may, else what was thrown
 */
export const refuseBeyond =
  (sentence: string) =>
  (thrown: unknown): never => {
    throw isBeyond(thrown) ? conflict(sentence) : thrown
  }
