import { LIMITS } from './limits.ts'

/**
 * The cookie of a session. Under https it has the prefix `__Host-`: browsers take such a cookie only from this very host,
 * encrypted and for all paths, so neither a neighbouring sub-domain nor somebody on the wire can plant one. The plain name
 * counts for nothing there, as it could be planted; who came with it before logs in again.
 */
const PLAIN = 'firsthand_session'
const HOST_ONLY = `__Host-${PLAIN}`

const isHttps = (publicUrl: string): boolean => publicUrl.startsWith('https:')
const nameUnder = (publicUrl: string): string => (isHttps(publicUrl) ? HOST_ONLY : PLAIN)

/**
 * Values that may be the session's, as many as the header has. There are several when somebody planted others: under
 * http that takes no more than a page on a sub-domain, and the browser names the planted ones first if it is told to.
 */
export const sessionCookies = (header: string | undefined, publicUrl: string): string[] => {
  const wanted = nameUnder(publicUrl)
  const found = new Set<string>()
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    const value = part.slice(at + 1).trim()
    if (at < 0 || part.slice(0, at).trim() !== wanted) continue
    if (value !== '' && value.length <= LIMITS.SESSION_COOKIE_CHARACTERS) found.add(value)
  }
  return [...found]
}

const setCookie = (name: string, value: string, maxAgeSeconds: number, secure: boolean): string =>
  [
    `${name}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${maxAgeSeconds}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ')

/** Headers that keep the session in the browser. */
export const keepSession = (publicUrl: string, value: string, maxAgeSeconds: number): string[] => [
  setCookie(nameUnder(publicUrl), value, maxAgeSeconds, isHttps(publicUrl)),
]

/** Headers that make the browser forget the session; one of the plain name too, which an older version left. */
export const forgetSession = (publicUrl: string): string[] =>
  isHttps(publicUrl)
    ? [setCookie(HOST_ONLY, '', 0, true), setCookie(PLAIN, '', 0, true)]
    : [setCookie(PLAIN, '', 0, false)]
