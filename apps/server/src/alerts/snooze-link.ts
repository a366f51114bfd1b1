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

/** What a snooze took the place of, so that it can be had back: signed, as whoever undoes it has a form alone. */
export interface Snoozed {
  readonly ruleId: number
  /** Milliseconds since the epoch until which it is silent now, and was before: 0 for not at all. */
  readonly until: number
  readonly before: number
  /** Who silenced it before; 0 for nobody who is known. */
  readonly by: number
}

const SNOOZED = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.([A-Za-z0-9_-]{32})$/

const snoozedText = ({ before, by, ruleId, until }: Snoozed): string => `${ruleId}.${until}.${before}.${by}`

const snoozedSignature = (key: Uint8Array, snoozed: Snoozed): string =>
  signatureOf(key, `snoozed ${snoozedText(snoozed)}`)

export const writeSnoozed = (key: Uint8Array, snoozed: Snoozed): string =>
  `${snoozedText(snoozed)}.${snoozedSignature(key, snoozed)}`

/** Null when nobody here signed it. */
export const readSnoozed = (key: Uint8Array, text: string): Snoozed | null => {
  const [, ruleId, until, before, by, signature = ''] = SNOOZED.exec(text) ?? []
  if (signature === '') return null
  const snoozed = { ruleId: Number(ruleId), until: Number(until), before: Number(before), by: Number(by) }
  const right = snoozedSignature(key, snoozed)
  return timingSafeEqual(Buffer.from(signature), Buffer.from(right)) ? snoozed : null
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
