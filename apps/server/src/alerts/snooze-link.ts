import { createHmac, timingSafeEqual } from 'node:crypto'
import { DAY_MS } from '../lib/durations.ts'
import { LIMITS } from './limits.ts'

/** Path of the page on which a rule is silenced; a signed token follows. */
export const SNOOZE_PATH = '/a/'

const TOKEN = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.([A-Za-z0-9_-]{32})$/

const signatureOf = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, 24).toString('base64url')

/** @param now milliseconds since the epoch */
export const snoozePath = (key: Uint8Array, ruleId: number, organizationId: number, now: number): string => {
  const until = now + LIMITS.ALERT_SNOOZE_LINK_DAYS * DAY_MS
  const text = `${organizationId}.${ruleId}.${until}`
  return `${SNOOZE_PATH}${text}.${signatureOf(key, text)}`
}

/** Null when nobody here signed it, or it is too old. */
export const readSnoozeToken = (
  key: Uint8Array,
  token: string,
  now: number,
): { readonly organizationId: number; readonly ruleId: number } | null => {
  const [, organizationId = '', ruleId = '', until = '', signature = ''] = TOKEN.exec(token) ?? []
  if (signature === '') return null
  const right = signatureOf(key, `${organizationId}.${ruleId}.${until}`)
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(right)) || now > Number(until)) return null
  return { organizationId: Number(organizationId), ruleId: Number(ruleId) }
}
