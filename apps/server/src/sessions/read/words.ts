import { isObject } from '@firsthand/protocol'
import { refusedReleaseName } from '../../lib/release-version.ts'
import { LIMITS } from '../limits.ts'

type Raw = Readonly<Record<string, unknown>>

const textOf = (value: unknown, characters: number): string =>
  typeof value === 'string' ? value.trim().slice(0, characters).toWellFormed() : ''

/** Some SDKs say that nobody is known by an id of zeros. */
const NOBODY = /^[0-]*$/

/** Who had the session; '' for nobody that is known. */
export const readUser = (value: unknown): string => {
  const text = typeof value === 'number' ? String(value) : textOf(value, LIMITS.SESSION_USER_CHARS)
  return text.length >= 32 && NOBODY.test(text) ? '' : text
}

export interface SessionAttributes {
  readonly release: string
  readonly environment: string
  readonly userAgent: string
}

/** Null when there is no release by which the session could be counted. */
export const readAttributes = (raw: Raw): SessionAttributes | null => {
  const attributes = isObject(raw['attrs']) ? raw['attrs'] : {}
  const release = typeof attributes['release'] === 'string' ? attributes['release'].trim() : ''
  if (refusedReleaseName(release) !== null) return null
  return {
    release,
    environment: textOf(attributes['environment'], LIMITS.SESSION_ENVIRONMENT_CHARS),
    userAgent: textOf(attributes['user_agent'], 512),
  }
}

export const readCount = (value: unknown, maximum: number): number =>
  typeof value === 'number' && value > 0 ? Math.min(Math.floor(value), maximum) : 0

export const readMechanism = (value: unknown): string => textOf(value, 64)
