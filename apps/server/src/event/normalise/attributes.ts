import { isObject } from '@firsthand/protocol'
import { EVENT_LIMITS } from '../limits.ts'
import type { JsonObject, NormalisedEvent, Sdk } from '../event.ts'
import { isEmpty, readBag, trimValue } from './bag.ts'
import { firstOf, lenientText, readLenientText, readObject, readText, readTexts } from './fields.ts'
import { isAbsent, type Raw, type Reading } from './reading.ts'
import { cut } from './text.ts'
import { cleanTransactionName } from './transaction-name.ts'

/** Where and in which version of the program the event happened (protocol.md 3.1). */
export const readAttributes = (reading: Reading, raw: Raw, event: NormalisedEvent): void => {
  readTransaction(reading, raw, event)
  const serverName = readText(reading, raw, 'server_name', EVENT_LIMITS.SERVER_NAME_CHARS)
  if (serverName !== undefined) event.server_name = serverName
  const release = readRelease(reading, raw)
  if (release !== undefined) event.release = release
  const dist = readDist(reading, raw)
  // A dist tells builds of one release apart and means nothing without it.
  if (dist !== undefined && release !== undefined) event.dist = dist
  const environment = readEnvironment(reading, raw, 'environment')
  if (environment !== undefined) event.environment = environment
  const fingerprint = readFingerprint(reading, raw)
  if (fingerprint !== undefined) event.fingerprint = fingerprint
  const checksum = readLenientText(reading, raw, 'checksum', EVENT_LIMITS.USER_ID_CHARS)
  if (checksum !== undefined) event.checksum = checksum
  const modules = readModules(reading, raw)
  if (modules !== undefined) event.modules = modules
  const debugMeta = readDebugMeta(reading, raw)
  if (debugMeta !== undefined) event.debug_meta = debugMeta
}

const readTransaction = (reading: Reading, raw: Raw, event: NormalisedEvent): void => {
  const name =
    readText(reading, raw, 'transaction', EVENT_LIMITS.TRANSACTION_CHARS) ??
    readText(reading, raw, 'culprit', EVENT_LIMITS.TRANSACTION_CHARS)
  if (name === undefined) return
  const info = readObject(reading, raw, 'transaction_info')
  const source = info === undefined ? undefined : readText(reading, info, 'source', EVENT_LIMITS.WORD_CHARS)
  const cleaned = source === 'url' ? cleanTransactionName(name) : name
  event.transaction = cleaned
  event.transaction_info = { source: cleaned === name ? (source ?? 'unknown') : 'sanitized' }
}

const readRelease = (reading: Reading, raw: Raw): string | undefined => {
  const value = readField(reading, raw, 'release')
  if (value === undefined) return undefined
  const ok =
    value.length <= EVENT_LIMITS.RELEASE_CHARS &&
    !/[\n\r\t\f\0/\\]/.test(value) &&
    value !== '.' &&
    value !== '..' &&
    value.toLowerCase() !== 'latest'
  if (!ok) reading.invalid('release', value, 'not a name that a release can have')
  return ok ? value : undefined
}

const readDist = (reading: Reading, raw: Raw): string | undefined => {
  const value = readField(reading, raw, 'dist')
  if (value === undefined) return undefined
  const ok = value.length <= EVENT_LIMITS.WORD_CHARS && /^[\w.-]+$/.test(value)
  if (!ok) reading.invalid('dist', value, `expected at most ${EVENT_LIMITS.WORD_CHARS} letters, digits, and _ . -`)
  return ok ? value : undefined
}

export const readEnvironment = (reading: Reading, raw: Raw, key: string): string | undefined => {
  const value = readField(reading, raw, key)
  if (value === undefined) return undefined
  const ok = value.length <= EVENT_LIMITS.WORD_CHARS && !/[\n\r\f/]/.test(value) && value.toLowerCase() !== 'none'
  if (!ok) reading.invalid(key, value, 'not a name that an environment can have')
  return ok ? value : undefined
}

/** Leniently, trimmed, but not cut: half a release name is another release. */
const readField = (reading: Reading, raw: Raw, key: string): string | undefined => {
  const value = raw[key]
  if (isAbsent(value)) return undefined
  const text = lenientText(reading, value)?.trim()
  if (text === undefined) reading.invalid(key, value, 'expected a string')
  return text === '' ? undefined : text
}

/** A single text is taken as a list of one. */
const readFingerprint = (reading: Reading, raw: Raw): string[] | undefined =>
  typeof raw['fingerprint'] === 'string' && raw['fingerprint'] !== ''
    ? [cut(raw['fingerprint'], EVENT_LIMITS.SMALL_BAG_CHARS)]
    : readTexts(reading, raw, 'fingerprint', EVENT_LIMITS.FINGERPRINT_PARTS, EVENT_LIMITS.SMALL_BAG_CHARS)

const readModules = (reading: Reading, raw: Raw): { [name: string]: string } | undefined => {
  const sent = readObject(reading, raw, firstOf(raw, 'modules', 'sentry.interfaces.Modules'))
  if (sent === undefined) return undefined
  const modules: { [name: string]: string } = {}
  let count = 0
  for (const name in sent) {
    if (++count > EVENT_LIMITS.MODULES) break
    const version = sent[name]
    if (typeof version === 'string' && name.length <= EVENT_LIMITS.PAIR_NAME_CHARS) {
      modules[name] = cut(version, EVENT_LIMITS.WORD_CHARS)
    }
  }
  return isEmpty(modules) ? undefined : modules
}

const readDebugMeta = (reading: Reading, raw: Raw): JsonObject | undefined => {
  const sent = readObject(reading, raw, 'debug_meta')
  if (sent === undefined) return undefined
  const images = sent['images']
  if (Array.isArray(images) && images.length > EVENT_LIMITS.DEBUG_IMAGES) images.length = EVENT_LIMITS.DEBUG_IMAGES
  for (const image of Array.isArray(images) ? images : []) if (isObject(image)) renameImageFields(image)
  const meta = trimValue(sent, EVENT_LIMITS.LARGE_BAG_DEPTH, EVENT_LIMITS.MASSIVE_BAG_CHARS)
  return isEmpty(meta) ? undefined : (meta as JsonObject)
}

/** Images of before 2018 (`symbolic`, `apple`) in the words of today's. */
const renameImageFields = (image: { [key: string]: unknown }): void => {
  const { type } = image
  if (type !== 'symbolic' && type !== 'apple') return
  const id = type === 'apple' ? 'uuid' : 'id'
  for (const [old, name] of [
    [id, 'debug_id'],
    ['name', 'code_file'],
  ] as const) {
    image[name] ??= image[old]
    if (isAbsent(image[name])) delete image[name]
    delete image[old]
  }
  if (type === 'apple') image['type'] = 'macho'
}

/**
 * The SDK of the event, else of the envelope (protocol.md 4.7).
 *
 * @param sender `name/version` of the client, the last resort
 */
export const readSdk = (
  reading: Reading,
  raw: Raw,
  header: { readonly name: string; readonly version: string; readonly settings?: object } | null,
  sender: string,
): Sdk | undefined => {
  const sent = readObject(reading, raw, firstOf(raw, 'sdk', 'sentry.interfaces.Sdk')) ?? {}
  reading.enter('sdk')
  const [senderName = '', senderVersion = ''] = sender.split('/', 2)
  const name = readText(reading, sent, 'name', EVENT_LIMITS.NAME_CHARS)
  const sdk: Sdk = {
    name: name ?? header?.name ?? cut(senderName, EVENT_LIMITS.NAME_CHARS),
    version:
      readText(reading, sent, 'version', EVENT_LIMITS.WORD_CHARS) ??
      (name === undefined ? (header?.version ?? cut(senderVersion, EVENT_LIMITS.WORD_CHARS)) : ''),
  }
  const lists = {
    integrations: readTexts(reading, sent, 'integrations', EVENT_LIMITS.SDK_LIST, EVENT_LIMITS.WORD_CHARS),
    packages: readPackages(sent['packages']),
    features: readTexts(reading, sent, 'features', EVENT_LIMITS.SDK_LIST, EVENT_LIMITS.WORD_CHARS),
    settings: readBag(reading, sent, 'settings', EVENT_LIMITS.SMALL_BAG_DEPTH, EVENT_LIMITS.SMALL_BAG_CHARS),
  }
  if (lists.integrations !== undefined) sdk.integrations = lists.integrations
  if (lists.packages !== undefined) sdk.packages = lists.packages
  if (lists.features !== undefined) sdk.features = lists.features
  const inferIp = header?.settings === undefined ? undefined : (header.settings as Raw)['infer_ip']
  if (lists.settings !== undefined) sdk.settings = lists.settings
  else if (typeof inferIp === 'string') sdk.settings = { infer_ip: cut(inferIp, EVENT_LIMITS.WORD_CHARS) }
  reading.leave()
  return sdk.name === '' ? undefined : sdk
}

const readPackages = (value: unknown): Sdk['packages'] => {
  if (!Array.isArray(value)) return undefined
  const packages: { name: string; version: string }[] = []
  for (const entry of value.slice(0, EVENT_LIMITS.SDK_LIST)) {
    if (!isObject(entry) || typeof entry['name'] !== 'string') continue
    const version = typeof entry['version'] === 'string' ? entry['version'] : ''
    packages.push({ name: cut(entry['name'], EVENT_LIMITS.NAME_CHARS), version: cut(version, EVENT_LIMITS.WORD_CHARS) })
  }
  return packages.length > 0 ? packages : undefined
}
