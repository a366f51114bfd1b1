/** What an address says beside where it leads. */

import { isObject } from '@firsthand/browser/parts'
import { CUSTOM, META, type RecordedEvent } from '../events.ts'

/** Parameters of these names hold secrets: what these words are part of, what ends with one of them, and some whole names. */
const SECRET = new RegExp(
  [
    'token|secret|passw|passcode|pwd|jwt|api[-_]?key|access[-_]?key|signature|credential|sess(?:ion)?[-_]?id',
    String.raw`auth(?:ori[sz]\w*|enticat\w*)?(?:[-_]?(?:code|key|id|hash|data|verifier|nonce|cookie))?(?![a-z_-])`,
    'session(?:[-_]?(?:key|data|hash|state|cookie))?(?![a-z_-])',
    '^(?:sig|key|code|otp|pin|sid)$',
  ].join('|'),
  'i',
)
/** Nearly all addresses have none: then nothing is cut. */
const MAY_HAVE_SECRET = /[?#&;][^?#&;=\s]*=/
/** In a list of addresses a comma stands behind the value. */
const PARAMETER = /([?#&;])([^?#&;=\s]*)=([^?#&;\s]*?)(?=,?(?:[?#&;\s]|$))/g
/** An address in a parameter of another one, with parameters of its own. */
const ENCODED = /%(?:25)*3d/i
/** So many addresses stand in one another at most; what is deeper is filtered. */
const MAX_DEPTH = 3
const SAID = /([?&;])([^?#&;=]*)(=?)([^?#&;]*)/g
const CREDENTIALS = /^([a-z][a-z\d+.-]*:\/\/)[^/?#@\s]*@/i
/** A place of a page, and no words of one. */
const PLACE = /^#[\w-]*$/
/** As servers write it in addresses, so that who reads a recording knows what is missing. */
const FILTERED = '%5BFiltered%5D'

const withoutEncoded = (value: string, depth: number): string => {
  if (!ENCODED.test(value)) return value
  try {
    const decoded = decodeURIComponent(value)
    if (depth === MAX_DEPTH) return FILTERED
    const safe = withoutSecretsAt(decoded, depth + 1)
    return safe === decoded ? value : encodeURIComponent(safe)
  } catch {
    return FILTERED
  }
}

const withoutSecretsAt = (address: string, depth: number): string => {
  const plain = address.includes('@') ? address.replace(CREDENTIALS, '$1') : address
  if (!MAY_HAVE_SECRET.test(plain)) return plain
  return plain.replaceAll(PARAMETER, (all, mark: string, name: string, value: string) =>
    value === '' ? all : `${mark}${name}=${SECRET.test(name) ? FILTERED : withoutEncoded(value, depth)}`,
  )
}

/** Without credentials and without the values of secret parameters; also of lists of addresses (`srcset`). */
export const withoutSecrets = (address: string): string => withoutSecretsAt(address, 0)

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
