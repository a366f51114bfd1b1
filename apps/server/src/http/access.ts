import { timingSafeEqual } from 'node:crypto'
import type { Endpoint } from '@firsthand/contract'
import type { Authenticator, Caller, CallerOrganization } from './caller.ts'
import { forbidden, HttpError, notFound, unauthorized } from './errors.ts'

/** Who may call what. Decided here and nowhere else, before a request's body is read. */

export const SESSION_COOKIE = 'firsthand_session'
const COOKIE_MAX_CHARACTERS = 128
const TOKEN_MAX_CHARACTERS = 1024

export interface AccessRequest {
  readonly method: string
  readonly publicUrl: string
  readonly header: (name: string) => string | undefined
}

export interface Access {
  readonly caller: Caller | null
  readonly organization: CallerOrganization | null
}

const readCookie = (header: string | undefined): string | null => {
  for (const part of (header ?? '').split(';')) {
    const [name, value = ''] = part.trim().split('=', 2)
    if (name === SESSION_COOKIE && value !== '' && value.length <= COOKIE_MAX_CHARACTERS) return value
  }
  return null
}

export const sessionCookieOf = (header: (name: string) => string | undefined): string | null =>
  readCookie(header('cookie'))

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'

const equal = (left: string, right: string): boolean => {
  const a = Buffer.from(left)
  const b = Buffer.from(right)
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Browsers name the origin with every write; another site's is refused whatever else it sends. */
const checkOrigin = (request: AccessRequest): void => {
  const origin = request.header('origin')
  // A browser adds cookies by itself, a token it does not.
  if (origin === undefined || origin === request.publicUrl || request.header('authorization') !== undefined) return
  const given = URL.parse(origin)
  const sameHost = given !== null && given.host === request.header('host')?.toLowerCase()
  const sameAsPublic = given !== null && given.origin === URL.parse(request.publicUrl)?.origin
  if (!sameHost && !sameAsPublic) {
    throw forbidden(
      'This request came from another site. If you opened this console under a new address, set FIRSTHAND_PUBLIC_URL to it.',
    )
  }
}

const recognise = async (authenticator: Authenticator, request: AccessRequest): Promise<Caller | null> => {
  const authorization = request.header('authorization')
  if (authorization !== undefined) {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
    const caller = token === '' || token.length > TOKEN_MAX_CHARACTERS ? null : await authenticator.byToken(token)
    if (caller === null) throw unauthorized('Invalid token')
    return caller
  }
  const cookie = sessionCookieOf(request.header)
  const caller = cookie === null ? null : await authenticator.bySession(cookie)
  if (caller !== null && cookie !== null && !isSafe(request.method)) {
    if (!equal(request.header('x-csrf-token') ?? '', authenticator.csrfToken(cookie))) {
      throw forbidden('The CSRF token is missing or out of date. Reload the page and try again.')
    }
  }
  return caller
}

/**
 * @param reference value of `{org}`, or null when the path has none
 * @throws HttpError 401 without (valid) credentials, 403 without the right, 404 for organisations of others
 */
export const checkAccess = async (
  authenticator: Authenticator,
  endpoint: Endpoint,
  reference: string | null,
  request: AccessRequest,
): Promise<Access> => {
  if (!isSafe(request.method)) checkOrigin(request)
  // Signing in must work beside an old session whose CSRF token the page does not know.
  if (endpoint.scope === 'public' && !isSafe(request.method)) return { caller: null, organization: null }
  const caller = await recognise(authenticator, request)
  if (endpoint.scope === 'public') return { caller, organization: null }
  if (caller === null) throw unauthorized()
  if (endpoint.scope === 'signed-in') return { caller, organization: null }
  if (reference === null) throw new HttpError(500, 'An endpoint with a scope must name its organisation.')
  const organization = await authenticator.organization(caller, reference)
  if (organization === null) throw notFound()
  if (!organization.scopes.has(endpoint.scope)) {
    throw forbidden(
      `You do not have permission to perform this action: it needs the scope "${endpoint.scope}". ` +
        (caller.kind === 'token' ? 'Use a token with that scope.' : 'Ask an owner or admin of the organisation.'),
    )
  }
  return { caller, organization }
}
