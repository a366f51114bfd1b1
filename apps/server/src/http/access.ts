import { timingSafeEqual } from 'node:crypto'
import type { Endpoint } from '@firsthand/contract'
import type { Authenticator, Caller, CallerOrganization } from './caller.ts'
import { LIMITS } from './limits.ts'
import { forbidden, HttpError, notFound, unauthorized } from './errors.ts'
import { sessionCookies } from './session-cookie.ts'

/** Who may call what. Decided here and nowhere else, before a request's body is read. */

const TOKEN_MAX_CHARACTERS = 1024

export interface AccessRequest {
  readonly method: string
  readonly publicUrl: string
  readonly header: (name: string) => string | undefined
}

export interface Access {
  readonly caller: Caller | null
  /** By which the caller was recognised; null without a session. */
  readonly sessionCookie: string | null
  readonly organization: CallerOrganization | null
}

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'

const equal = (left: string, right: string): boolean => {
  const a = Buffer.from(left)
  const b = Buffer.from(right)
  return a.length === b.length && timingSafeEqual(a, b)
}

const OTHER_SITE =
  'This request came from another site. If you opened this console under a new address, set FIRSTHAND_PUBLIC_URL to it.'

/**
 * Browsers send `Origin` with every write, newer ones also `Sec-Fetch-Site`; another site's is refused whatever else it
 * sends, and so is a neighbouring sub-domain's: otherwise either could sign a visitor in to an account of its own.
 */
const checkOrigin = (request: AccessRequest): void => {
  // A browser adds cookies by itself, a token it does not.
  if (request.header('authorization') !== undefined) return
  const site = request.header('sec-fetch-site')
  if (site === 'cross-site' || site === 'same-site') throw forbidden(OTHER_SITE)
  const origin = request.header('origin')
  if (origin === undefined || origin === request.publicUrl) return
  const given = URL.parse(origin)
  const sameHost = given !== null && given.host === request.header('host')?.toLowerCase()
  const sameAsPublic = given !== null && given.origin === URL.parse(request.publicUrl)?.origin
  if (!sameHost && !sameAsPublic) throw forbidden(OTHER_SITE)
}

interface Session {
  readonly caller: Caller
  readonly cookie: string
}

/**
 * Whose session it is. One that is not valid never hides one that is. Where sessions of several people are valid, somebody
 * planted one of them: then the CSRF token decides, which the page has from its own log-in, and without it nobody is signed
 * in, rather than a visitor in somebody else's account.
 */
const recogniseSession = async (authenticator: Authenticator, request: AccessRequest): Promise<Session | null> => {
  const cookies = sessionCookies(request.header('cookie'), request.publicUrl)
  const token = request.header('x-csrf-token') ?? ''
  const named = cookies.find((cookie) => equal(token, authenticator.csrfToken(cookie)))
  const sessions: Session[] = []
  for (const cookie of named === undefined ? cookies.slice(0, LIMITS.SESSION_COOKIES_TRIED) : [named]) {
    const caller = await authenticator.bySession(cookie)
    if (caller !== null) sessions.push({ caller, cookie })
  }
  const [first] = sessions
  if (first === undefined || sessions.some(({ caller }) => caller.user?.id !== first.caller.user?.id)) return null
  if (named === undefined && !isSafe(request.method)) {
    throw forbidden('The CSRF token is missing or out of date. Reload the page and try again.')
  }
  return first
}

const recognise = async (
  authenticator: Authenticator,
  request: AccessRequest,
): Promise<Pick<Access, 'caller' | 'sessionCookie'>> => {
  const authorization = request.header('authorization')
  if (authorization !== undefined) {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
    const caller = token === '' || token.length > TOKEN_MAX_CHARACTERS ? null : await authenticator.byToken(token)
    if (caller === null) throw unauthorized('Invalid token')
    return { caller, sessionCookie: null }
  }
  const session = await recogniseSession(authenticator, request)
  return { caller: session?.caller ?? null, sessionCookie: session?.cookie ?? null }
}

/**
 * For an address that nothing answers yet: who is not in the organisation learns no more of it than of any other.
 *
 * @throws HttpError 401 without (valid) credentials, 404 for organisations of others
 */
export const checkMembership = async (
  authenticator: Authenticator,
  reference: string,
  request: AccessRequest,
): Promise<void> => {
  if (!isSafe(request.method)) checkOrigin(request)
  const { caller } = await recognise(authenticator, request)
  if (caller === null) throw unauthorized()
  if ((await authenticator.organization(caller, reference)) === null) throw notFound()
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
  if (endpoint.scope === 'public' && !isSafe(request.method))
    return { caller: null, sessionCookie: null, organization: null }
  const { caller, sessionCookie } = await recognise(authenticator, request)
  if (endpoint.scope === 'public') return { caller, sessionCookie, organization: null }
  if (caller === null) throw unauthorized()
  if (endpoint.scope === 'signed-in') return { caller, sessionCookie, organization: null }
  if (reference === null) throw new HttpError(500, 'An endpoint with a scope must name its organisation.')
  const organization = await authenticator.organization(caller, reference)
  if (organization === null) throw notFound()
  const isBuild = endpoint.forBuilds && organization.scopes.has('org:ci')
  if (!isBuild && !organization.scopes.has(endpoint.scope)) {
    throw forbidden(
      `You do not have permission to perform this action: it needs the scope "${endpoint.scope}". ` +
        (caller.kind === 'token' ? 'Use a token with that scope.' : 'Ask an owner or admin of the organisation.'),
    )
  }
  return { caller, sessionCookie, organization }
}
