import { ApiError } from '@firsthand/contract'

/** Failures in words for a person. */

const SESSION_OVER = 'Your session has ended. Log in to continue where you left off.'

let isSessionOver = false

/** Said once the server no longer knows who asks, and taken back when it does again. */
export function noteSessionOver(isOver: boolean): void {
  isSessionOver = isOver
}

/** What the log-in page says to somebody who did not ask for it. */
export function sessionOverText(): string | null {
  return isSessionOver ? SESSION_OVER : null
}

/** A failure in words for a person: the server's sentence, or that it could not be reached. */
export function describeError(error: unknown): { readonly detail: string; readonly digest: string | undefined } {
  if (error instanceof ApiError && error.status === 401 && isSessionOver) {
    return { detail: SESSION_OVER, digest: undefined }
  }
  if (error instanceof ApiError) return { detail: error.detail, digest: error.digest }
  if (error instanceof TypeError) {
    return { detail: 'The server could not be reached. Check the connection and try again.', digest: undefined }
  }
  return { detail: error instanceof Error ? error.message : String(error), digest: undefined }
}
