import { ApiError, createClient, getSession, type Session } from '@firsthand/contract'
import { applyPreferences } from './preferences.ts'

/**
 * The one client of the console: same origin, session cookie, and the CSRF token of the session with every request.
 * A 401 anywhere means that the session has ended: `onSignedOut` is told, and the caller gets the `ApiError` as well.
 */
let csrfToken: string | null = null
let isSessionOver = false
let signedOut: (() => void) | undefined

/** How often a read that failed is sent again, before its failure is shown. */
export const MAX_RETRIES = 2

const SESSION_OVER = 'Your session has ended. Log in to continue where you left off.'
const CSRF_REFUSED = /csrf/i

/** What the log-in page says to somebody who did not ask for it. */
export function sessionOverText(): string | null {
  return isSessionOver ? SESSION_OVER : null
}

/** Told on every 401, except from the log-in form itself. */
export function onSignedOut(listener: () => void): void {
  signedOut = listener
}

function send(url: string, init: RequestInit): Promise<Response> {
  const attempt = (): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (csrfToken !== null) headers.set('x-csrf-token', csrfToken)
    return fetch(url, { ...init, headers })
  }
  return attempt().then(async (response) => {
    if (response.status === 401 && !url.includes('/auth/')) {
      isSessionOver = true
      signedOut?.()
    }
    if (response.status !== 403 || init.method === 'GET') return response
    // Somebody signed in again in another tab: take the new token and try once more.
    const refusal: unknown = await response
      .clone()
      .json()
      // An answer that is not JSON has no code to look for; the response itself goes on to the caller.
      .catch(() => null)
    if (!CSRF_REFUSED.test(JSON.stringify(refusal))) return response
    await fetchSession()
    return attempt()
  })
}

export const api = createClient({ baseUrl: '', fetch: send })

/** Who is signed in. Every answer renews the CSRF token. */
export async function fetchSession(signal?: AbortSignal): Promise<Session> {
  return rememberSession(await api.call(getSession, { signal }))
}

/** Takes over a session that another call answered with (log-in, set-up, invitation). */
export function rememberSession(session: Session): Session {
  csrfToken = session.csrfToken
  if (session.user !== null) isSessionOver = false
  if (session.user !== null) applyPreferences(session.user.options)
  return session
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

/** What is wrong with which field, when the server refused a form. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? (error.fields ?? {}) : {}
}

/** A failure inside the server, whose digest finds it in Firsthand's own log. */
export function isServerFailure(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status >= 500 || error.digest !== undefined)
}
