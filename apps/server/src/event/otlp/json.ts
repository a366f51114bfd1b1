import { isObject } from '@firsthand/protocol'
import type { KeyValue, OtlpExport } from './protobuf.ts'

/** OTLP/JSON: lower camel case, ids in hex, 64-bit numbers as text, enumerations as numbers or names. */

export type OtlpJson = Readonly<Record<string, unknown>>

export const listOf = (value: unknown): readonly OtlpJson[] => (Array.isArray(value) ? value.filter(isObject) : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const digitsOf = (value: unknown): string => (typeof value === 'number' ? String(value) : textOf(value) || '0')

/** Of an enumeration. @param names their ends, by number */
export const numberOf = (value: unknown, names: readonly string[]): number => {
  if (typeof value === 'number') return value
  const name = textOf(value)
  return Math.max(
    0,
    names.findIndex((each) => name.endsWith(each)),
  )
}

/** An id in base64 is none by the rules, but is sent. */
export const idOf = (value: unknown, bytes: number): string => {
  const text = textOf(value)
  if (text.length !== Math.ceil(bytes / 3) * 4 || /^[0-9a-f]+$/i.test(text)) return text
  const decoded = Buffer.from(text, 'base64')
  return decoded.byteLength === bytes ? decoded.toString('hex') : text
}

export const valueOf = (value: unknown): unknown => {
  if (!isObject(value)) return null
  if ('intValue' in value) return Number(value['intValue'])
  if ('arrayValue' in value)
    return listOf(isObject(value['arrayValue']) ? value['arrayValue']['values'] : []).map(valueOf)
  if ('kvlistValue' in value) {
    const pairs = pairsOf(isObject(value['kvlistValue']) ? value['kvlistValue']['values'] : [])
    return Object.fromEntries(pairs.map((pair) => [pair.key, pair.value]))
  }
  return value['stringValue'] ?? value['boolValue'] ?? value['doubleValue'] ?? value['bytesValue'] ?? null
}

export const pairsOf = (value: unknown): KeyValue[] =>
  listOf(value).map((pair) => ({ key: textOf(pair['key']), value: valueOf(pair['value']) }))

/** What the lists of an export are called. */
export interface OtlpNames {
  readonly resources: string
  readonly scopes: string
  readonly things: string
}

/** One at a time: of a list that is too long, what is beyond the limit is never kept. */
function* each<Thing>(things: unknown, read: (thing: OtlpJson) => Thing): Generator<Thing> {
  for (const thing of listOf(things)) yield read(thing)
}

export const readOtlpJson = <Thing>(
  sent: unknown,
  names: OtlpNames,
  read: (thing: OtlpJson) => Thing,
): OtlpExport<Thing> => ({
  scopes: listOf(isObject(sent) ? sent[names.resources] : []).flatMap((ofResource) => {
    const { resource } = ofResource
    const attributes = pairsOf(isObject(resource) ? resource['attributes'] : [])
    return listOf(ofResource[names.scopes]).map((ofScope) => ({
      resource: attributes,
      scopeName: isObject(ofScope['scope']) ? textOf(ofScope['scope']['name']) : '',
      things: each(ofScope[names.things], read),
    }))
  }),
  beyondLimit: 0,
})
