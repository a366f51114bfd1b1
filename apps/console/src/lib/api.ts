import { ApiError, createClient, getSession, type Session } from '@firsthand/contract'
import { noteSessionOver } from './describe-error.ts'
import { applyPreferences } from './preferences.ts'

export { describeError, sessionOverText } from './describe-error.ts'

/**
 * The one client of the console: same origin, session cookie, and the CSRF token of the session with every request.
 * A 401 anywhere means that the session has ended: `onSignedOut` is told, and the caller gets the `ApiError` as well.
 */
let csrfToken: string | null = null
let signedOut: (() => void) | undefined

/** How often a read that failed is sent again, before its failure is shown. */
export const MAX_RETRIES = 2

const CSRF_REFUSED = /csrf/i

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
      noteSessionOver(true)
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
  if (session.user !== null) noteSessionOver(false)
  if (session.user !== null) applyPreferences(session.user.options)
  return session
}

/** What is wrong with which field, when the server refused a form. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? (error.fields ?? {}) : {}
}

/** A failure inside the server, whose digest finds it in Firsthand's own log. */
export function isServerFailure(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status >= 500 || error.digest !== undefined)
}
