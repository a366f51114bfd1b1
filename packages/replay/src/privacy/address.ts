/** What an address says beside where it leads. */

import { isObject } from '@firsthand/browser/parts'
import { CUSTOM, META, type RecordedEvent } from '../events.ts'

/** Parameters of these names hold secrets, wherever they stand. */
const SECRET =
  /token|secret|passw|passcode|pwd|auth|session|jwt|api[-_]?key|access[-_]?key|signature|credential|^(?:sig|key|code|otp|pin|sid)$/i
/** Nearly all addresses have none: then nothing is cut. */
const MAY_HAVE_SECRET = /[?#&;][^?#&;=\s]*=/
const PARAMETER = /([?#&;])([^?#&;=\s]*)=([^?#&;\s]*)/g
const SAID = /([?&;])([^?#&;=]*)(=?)([^?#&;]*)/g
const CREDENTIALS = /^([a-z][a-z\d+.-]*:\/\/)[^/?#@\s]*@/i
/** A place of a page, and no words of one. */
const PLACE = /^#[\w-]*$/
/** As servers write it in addresses, so that who reads a recording knows what is missing. */
const FILTERED = '%5BFiltered%5D'

/** Without credentials and without the values of secret parameters; also of lists of addresses (`srcset`). */
export const withoutSecrets = (address: string): string => {
  const plain = address.includes('@') ? address.replace(CREDENTIALS, '$1') : address
  if (!MAY_HAVE_SECRET.test(plain)) return plain
  return plain.replaceAll(PARAMETER, (all, mark: string, name: string, value: string) =>
    value !== '' && SECRET.test(name) ? `${mark}${name}=${FILTERED}` : all,
  )
}

/** Where it leads: host and path, the names of its parameters, and a place of the page. */
export const withoutSearch = (address: string): string => {
  const plain = withoutSecrets(address)
  const at = plain.search(/[?#]/)
  if (at < 0) return plain
  const hash = plain.indexOf('#', at)
  const [search, place] = hash < 0 ? [plain.slice(at), ''] : [plain.slice(at, hash), plain.slice(hash)]
  const names = search.replaceAll(SAID, (all, mark: string, name: string, equals: string, value: string) => {
    if (equals === '') return name === '' ? all : `${mark}${FILTERED}`
    return value === '' ? all : `${mark}${name}=${FILTERED}`
  })
  return `${plain.slice(0, at)}${names}${place === '' || PLACE.test(place) ? place : `#${FILTERED}`}`
}

/** Of notes, what may be an address. */
const NOTED = ['url', 'from', 'to', 'previous'] as const

/** The same fields, and of those that are addresses what is no secret. What the page handed over is not changed. */
const withoutSecretsIn = (fields: object, names: readonly string[]): object => {
  const addresses = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    names.includes(name) && typeof value === 'string' ? [[name, withoutSecrets(value)]] : [],
  )
  return addresses.length === 0 ? fields : { ...fields, ...Object.fromEntries(addresses) }
}

/** Addresses of pages and of requests, which are noted beside the picture: they stay, without secrets. */
export const withoutNotedSecrets = (event: RecordedEvent): RecordedEvent => {
  const { data, type } = event as { data: { payload?: object & { data?: unknown } }; type: number }
  if (type === META) return { ...event, data: withoutSecretsIn(data, ['href']) }
  if (type !== CUSTOM || !isObject(data?.payload)) return event
  const payload: { data?: unknown } = withoutSecretsIn(data.payload, ['description'])
  const noted = isObject(payload.data) ? { ...payload, data: withoutSecretsIn(payload.data, NOTED) } : payload
  return { ...event, data: { ...data, payload: noted } }
}
