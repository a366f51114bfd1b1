import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** Random values that open doors. Only their hashes are stored. */

const SECRET_BYTES = 32

export const makeSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** Enough for secrets of 256 random bits; passwords take `passwords.ts`. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Takes as long for a wrong secret as for the right one. */
export const sameSecret = (given: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(right).digest())

/** Without letters and digits that look alike: it is read from a screen and typed. */
const TYPED = 'abcdefghjkmnpqrstuvwxyz23456789'
const PASSWORD_GROUPS = 4
const GROUP_CHARACTERS = 5

/** A password for a person, of 99 random bits: `k7mqp-3xw9d-hf2na-tz6ub`. */
export const makePassword = (): string =>
  Array.from({ length: PASSWORD_GROUPS }, () =>
    Array.from({ length: GROUP_CHARACTERS }, () => TYPED[randomInt(TYPED.length)] ?? '').join(''),
  ).join('-')

/** Bound to the session: who cannot read the cookie cannot make it. */
export const csrfTokenOf = (cookie: string): string => createHmac('sha256', cookie).update('csrf').digest('base64url')

/** 32 lower-case hex characters, as SDKs expect of the user part of a DSN. */
export const makePublicKey = (): string => randomBytes(16).toString('hex')

/**
 * An organisation token in Sentry's form, `sntrys_<base64 json>_<secret>` (protocol.md 6.3): tools read the server's
 * address and the organisation from it. Base64 without `_`, so that there are exactly three parts.
 */
export const makeOrganizationToken = (options: {
  readonly organizationSlug: string
  /**
   * Without a final slash. Null leaves the address to the tools' own settings: what the token says is stronger than them,
   * so it must not say what nobody knows.
   */
  readonly publicUrl: string | null
  /** Milliseconds since the epoch. */
  readonly now: number
}): string => {
  const payload = JSON.stringify({
    iat: options.now / 1000,
    url: options.publicUrl,
    region_url: options.publicUrl ?? '',
    org: options.organizationSlug,
  })
  const secret = randomBytes(SECRET_BYTES).toString('base64').replace(/=+$/, '')
  return `sntrys_${Buffer.from(payload).toString('base64')}_${secret}`
}

/** A personal token in Sentry's form, `sntryu_` and 64 hex characters (protocol.md 6.3). */
export const makePersonalToken = (): string => `sntryu_${randomBytes(SECRET_BYTES).toString('hex')}`
