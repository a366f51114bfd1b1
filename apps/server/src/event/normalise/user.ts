import { isIP } from 'node:net'
import { EVENT_LIMITS } from '../limits.ts'
import type { EventUser, Json, NormalisedEvent } from '../event.ts'
import { isEmpty, readBag, trimValue } from './bag.ts'
import { firstOf, readLenientText, readObject } from './fields.ts'
import { isAbsent, type Raw, type Reading } from './reading.ts'

const AUTO = '{{auto}}'
const KNOWN_FIELDS = new Set(['id', 'email', 'username', 'name', 'ip_address', 'geo', 'data', 'sentry_user'])

/** Reads the user (protocol.md 3.1.6). Keys of the application's own go to `data`. */
export const readUser = (reading: Reading, event: Raw): EventUser | undefined => {
  const key = firstOf(event, 'user', 'sentry.interfaces.User')
  const raw = readObject(reading, event, key)
  if (raw === undefined) return undefined
  reading.enter(key)
  const user: EventUser = {}
  const id = readLenientText(reading, raw, 'id', EVENT_LIMITS.USER_ID_CHARS)
  if (id !== undefined) user.id = id
  const email = readLenientText(reading, raw, 'email', EVENT_LIMITS.EMAIL_CHARS)
  if (email !== undefined) user.email = email
  const username = readLenientText(reading, raw, 'username', EVENT_LIMITS.USER_ID_CHARS)
  if (username !== undefined) user.username = username
  const name = readLenientText(reading, raw, 'name', EVENT_LIMITS.USER_ID_CHARS)
  if (name !== undefined) user.name = name
  const address = readAddressField(reading, raw)
  if (address !== undefined) user.ip_address = address
  const geo = readBag(reading, raw, 'geo', EVENT_LIMITS.SMALL_BAG_DEPTH, EVENT_LIMITS.SMALL_BAG_CHARS)
  if (geo !== undefined) user.geo = geo
  const data = readUserData(reading, raw)
  if (data !== undefined) user.data = data
  reading.leave()
  return isEmpty(user) ? undefined : user
}

/** An address, or `{{auto}}` until it is known whether to infer one. */
const readAddressField = (reading: Reading, raw: Raw): string | undefined => {
  const value = raw['ip_address']
  if (isAbsent(value) || value === '') return undefined
  if (value === AUTO) return AUTO
  const address = typeof value === 'string' ? normaliseAddress(value) : undefined
  if (address === undefined) reading.invalid('ip_address', value, 'expected an IP address or {{auto}}')
  return address
}

/** IPv4 inside IPv6 (`::ffff:1.2.3.4`) is written as IPv4. Undefined when it is no address. */
export const normaliseAddress = (text: string): string | undefined => {
  const address = text.trim().toLowerCase()
  const version = isIP(address)
  if (version === 0) return undefined
  const mapped = version === 6 ? /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] : undefined
  return mapped ?? address
}

const readUserData = (reading: Reading, raw: Raw): EventUser['data'] => {
  const data: { [key: string]: unknown } = {}
  for (const key in raw) if (!KNOWN_FIELDS.has(key) && !isAbsent(raw[key])) data[key] = raw[key]
  const sent = readObject(reading, raw, 'data')
  for (const key in sent) data[key] = sent[key]
  const trimmed = trimValue(data, EVENT_LIMITS.MEDIUM_BAG_DEPTH, EVENT_LIMITS.MEDIUM_BAG_CHARS)
  return isEmpty(trimmed) ? undefined : (trimmed as { [key: string]: Json })
}

/** Platforms that get the sender's address without asking for it, for SDKs from before `infer_ip`. */
const CLIENT_PLATFORMS = new Set(['javascript', 'cocoa', 'objc'])

/**
 * Finds the user's address (protocol.md 3.1.6): the explicit one, `{{auto}}`, `REMOTE_ADDR`, then what the SDK's setting
 * `infer_ip` says.
 */
export const inferAddress = (
  event: NormalisedEvent,
  inferSetting: string | undefined,
  clientAddress: string | null,
): void => {
  const client = clientAddress === null ? undefined : normaliseAddress(clientAddress)
  const address = chooseAddress(event, inferSetting, client)
  const user: EventUser = { ...event.user }
  if (address === undefined) delete user.ip_address
  else user.ip_address = address
  if (isEmpty(user)) delete event.user
  else event.user = user
}

const chooseAddress = (
  event: NormalisedEvent,
  inferSetting: string | undefined,
  client: string | undefined,
): string | undefined => {
  const explicit = event.user?.ip_address
  if (explicit === AUTO) return client
  if (explicit !== undefined) return explicit
  const remote = event.request?.env?.['REMOTE_ADDR']
  if (remote === AUTO) return client
  const fromRequest = typeof remote === 'string' ? normaliseAddress(remote) : undefined
  if (fromRequest !== undefined) return fromRequest
  if (inferSetting === 'never') return undefined
  return inferSetting === 'auto' || CLIENT_PLATFORMS.has(event.platform) ? client : undefined
}

/** What "users" counts: the first that is known (protocol.md 4.7). */
export const userKey = (user: EventUser | undefined): string | undefined => {
  if (user === undefined) return undefined
  if (user.id !== undefined) return `id:${user.id}`
  if (user.username !== undefined) return `username:${user.username}`
  if (user.email !== undefined) return `email:${user.email}`
  return user.ip_address === undefined ? undefined : `ip:${user.ip_address}`
}

/** `sdk.settings.infer_ip` of the event, else of the envelope. */
export const inferSettingOf = (sdkSettings: Readonly<Record<string, unknown>> | undefined): string | undefined => {
  const setting = sdkSettings?.['infer_ip']
  return typeof setting === 'string' ? setting : undefined
}
