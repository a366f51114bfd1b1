import { ApiError } from '@firsthand/contract'
import { describeError } from './api.ts'

interface Asked {
  readonly data: unknown
  readonly error: Error | null
  readonly refetch: () => unknown
}

interface SharedFailure {
  readonly error: Error
  /** Asks all of it again; undefined where the answer would be the same. */
  readonly retry: (() => void) | undefined
}

const REFUSED = 400

/** Why nothing of a page is there, when all that it asked failed in the same words: that is said once, not by each of its parts. */
export function sharedFailure(asked: readonly Asked[]): SharedFailure | null {
  const error = asked[0]?.error ?? null
  if (error === null) return null
  const { detail } = describeError(error)
  const isShared = asked.every(
    (one) => one.data === undefined && one.error !== null && describeError(one.error).detail === detail,
  )
  if (!isShared) return null
  const isRefused = error instanceof ApiError && error.status === REFUSED
  const retry = () => {
    for (const one of asked) void one.refetch()
  }
  return { error, retry: isRefused ? undefined : retry }
}
