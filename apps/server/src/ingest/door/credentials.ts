import { parseDsn, parseSentryAuth } from '@firsthand/protocol'
import type { IncomingHttpHeaders } from 'node:http'
import { err, ok, type Result } from '../../lib/result.ts'
import { queryParameter } from './query.ts'
import { refuse, type Refusal } from './refusal.ts'
import type { Route } from './route.ts'

/** Public key and sender as a request names them outside its body (protocol.md 2.2). */
interface Credentials {
  readonly key: string
  /** `sentry_client`, as sent. */
  readonly client: string | null
}

/** Sentry's keys are 32 hex digits; adopted ones may be anything that the JavaScript SDK accepts. */
const KEY = /^[\w-]{1,64}$/
const VERSION = /^\d{1,4}(?:\.\d{1,4}){0,2}$/

/**
 * Null when the request names no key outside its body. Several forms are accepted when they agree (a proxy may add one).
 * The protocol version is not judged beyond being a version: SDKs between 2.0 and 8 are alive.
 */
export const readCredentials = (headers: IncomingHttpHeaders, route: Route): Result<Credentials | null, Refusal> => {
  let key: string | null = null
  let client: string | null = null
  let version: string | null = null

  if (route.query !== '') {
    key = queryParameter(route.query, 'sentry_key')
    client = queryParameter(route.query, 'sentry_client')
    version = queryParameter(route.query, 'sentry_version')
  }
  if (route.form?.keyIn !== undefined) key = route.form.keyIn(route.query)
  if (route.key !== null) {
    if (key !== null && key !== route.key) return err(MULTIPLE)
    key = route.key
  }
  const custom = headers['x-sentry-auth']
  const standard = headers.authorization
  for (const header of custom === undefined && standard === undefined ? NONE : [custom, standard]) {
    if (typeof header !== 'string') continue
    const found = readHeader(header)
    if (found === null) {
      if (header === custom) return err(refuse(400, 'invalid_auth', 'bad sentry authentication header'))
      continue
    }
    if (key !== null && key !== found.key) return err(MULTIPLE)
    key = found.key
    client = found.client ?? client
    version = found.version ?? version
  }

  if (key === null) return ok(null)
  if (!KEY.test(key)) return err(refuse(400, 'invalid_auth', 'bad sentry public key'))
  if (version !== null && !VERSION.test(version)) {
    return err(refuse(400, 'invalid_auth', 'bad sentry protocol version'))
  }
  return ok({ key, client })
}

const NONE: readonly undefined[] = []

const MULTIPLE = refuse(401, 'multiple_auth', 'multiple authorization payloads detected', {
  causes: ['The request names different public keys in its query, headers or path. Send one.'],
})

const readHeader = (header: string): { key: string; client: string | null; version: string | null } | null => {
  const sentry = parseSentryAuth(header)
  if (sentry !== null) return sentry
  const dsn = /^\s*dsn\s+(\S+)\s*$/i.exec(header)?.[1]
  if (dsn !== undefined) {
    const parsed = parseDsn(dsn)
    return parsed === null ? null : { key: parsed.publicKey, client: null, version: null }
  }
  const basic = /^\s*basic\s+([\w+/=-]+)\s*$/i.exec(header)?.[1]
  if (basic === undefined) return null
  const [user = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':', 1)
  return user === '' ? null : { key: user, client: null, version: null }
}
