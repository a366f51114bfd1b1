import { badRequest } from '../http/index.ts'
import { seal, unseal } from '../lib/sealed.ts'
import type { UptimeCheck } from './check.ts'
import { LIMITS } from './limits.ts'

type Headers = UptimeCheck['headers']

/** A check as it is stored: values of headers and the body are secrets more often than not. */
export interface SealedCheck extends Omit<UptimeCheck, 'body'> {
  /** '' for none. */
  readonly sealedBody: string
}

/** Seals what is sent to an address: nobody reads it again but who asks with it. */
export const createSecrets = (key: Uint8Array) => ({
  seal: (organizationId: number, value: string): string => seal(key, String(organizationId), value),
  open: (organizationId: number, { sealedBody, ...check }: SealedCheck): UptimeCheck => ({
    ...check,
    headers: check.headers.map(([name, value]) => [name, unseal(key, String(organizationId), value)]),
    body: sealedBody === '' ? '' : unseal(key, String(organizationId), sealedBody),
  }),
})

export type Secrets = ReturnType<typeof createSecrets>

/** Where a check is sent, and by what it is sealed. */
interface Sealing {
  readonly sealed: (value: string) => string
  readonly url: string
}

/**
 * Headers as they are sealed after somebody wrote some.
 *
 * @param written null for a value that stays; undefined when all stay
 * @throws HttpError 400
 */
export const readHeaders = (
  before: Pick<SealedCheck, 'headers' | 'url'>,
  written: readonly (readonly [name: string, value: string | null])[] | undefined,
  { sealed, url }: Sealing,
): Headers => {
  const known = new Map(before.headers.map(([name, value]) => [name.toLowerCase(), value]))
  const wanted = written ?? before.headers.map(([name]) => [name, null] as const)
  const isElsewhere = originOf(before.url) !== originOf(url)
  return wanted.map(([name, value]) => {
    if (value !== null) {
      refuseStrange(name, value)
      return [name, sealed(value)]
    }
    const kept = known.get(name.toLowerCase())
    if (kept === undefined) throw refused('headers', `Write a value for the header ${name}.`)
    // What is secret to one host is nothing to tell another one.
    if (isElsewhere)
      throw refused('headers', `The address is another host now: write the value of the header ${name} again.`)
    return [name, kept]
  })
}

/**
 * The body as it is sealed after somebody wrote one.
 *
 * @param written null or undefined for one that stays
 * @throws HttpError 400
 */
export const readBody = (
  before: Pick<SealedCheck, 'sealedBody' | 'url'>,
  written: string | null | undefined,
  { sealed, url }: Sealing,
): string => {
  if (written === null || written === undefined) {
    if (before.sealedBody !== '' && originOf(before.url) !== originOf(url)) {
      throw refused('body', 'The address is another host now: write the body again.')
    }
    return before.sealedBody
  }
  if (Buffer.byteLength(written) > LIMITS.UPTIME_BODY_BYTES) {
    throw refused('body', `A body has at most ${LIMITS.UPTIME_BODY_BYTES} bytes.`)
  }
  return written === '' ? '' : sealed(written)
}

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)

const refused = (field: 'headers' | 'body', detail: string): Error => badRequest(detail, { [field]: detail })

/** Those are about the connection, which is ours. */
const OURS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** @throws HttpError 400 for what would break each request */
const refuseStrange = (name: string, value: string): void => {
  if (OURS.has(name.toLowerCase()))
    throw refused('headers', `The header ${name} is set by this server, and cannot be written.`)
  if (!/^[\t\u0020-\u007e]*$/.test(value)) {
    throw refused(
      'headers',
      `The value of the header ${name} has characters that no header may have: write letters, digits and signs.`,
    )
  }
}
