import { badRequest } from '../http/index.ts'
import { seal, unseal } from '../lib/sealed.ts'
import type { UptimeCheck } from './check.ts'

type Headers = UptimeCheck['headers']

/** Values of headers are secrets more often than not: they are sealed, and nobody reads them again but who asks with them. */
export const createHeaderSeal = (key: Uint8Array) => ({
  seal: (organizationId: number, value: string): string => seal(key, String(organizationId), value),
  open: (organizationId: number, check: UptimeCheck): UptimeCheck => ({
    ...check,
    headers: check.headers.map(([name, value]) => [name, unseal(key, String(organizationId), value)]),
  }),
})

export type HeaderSeal = ReturnType<typeof createHeaderSeal>

/**
 * Headers as they are sealed after somebody wrote some.
 *
 * @param written null for a value that stays; undefined when all stay
 * @throws HttpError 400
 */
export const readHeaders = (
  before: Pick<UptimeCheck, 'headers' | 'url'>,
  written: readonly (readonly [name: string, value: string | null])[] | undefined,
  { sealed, url }: { readonly sealed: (value: string) => string; readonly url: string },
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
    if (kept === undefined) throw refused(`Write a value for the header ${name}.`)
    // What is secret to one host is nothing to tell another one.
    if (isElsewhere) throw refused(`The address is another host now: write the value of the header ${name} again.`)
    return [name, kept]
  })
}

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)

const refused = (detail: string): Error => badRequest(detail, { headers: detail })

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
  if (OURS.has(name.toLowerCase())) throw refused(`The header ${name} is set by this server, and cannot be written.`)
  if (!/^[\t\u0020-\u007e]*$/.test(value)) {
    throw refused(
      `The value of the header ${name} has characters that no header may have: write letters, digits and signs.`,
    )
  }
}
