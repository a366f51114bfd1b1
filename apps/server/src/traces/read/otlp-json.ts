import { isObject } from '@firsthand/protocol'
import type { KeyValue, OtlpScope, OtlpSpan } from './otlp-message.ts'

/** OTLP/JSON: lower camel case, ids in hex, 64-bit numbers as text, enumerations as numbers or names. */

type Json = Readonly<Record<string, unknown>>

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const digitsOf = (value: unknown): string => (typeof value === 'number' ? String(value) : textOf(value) || '0')

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
const CODES = ['UNSET', 'OK', 'ERROR']

const numberOf = (value: unknown, names: readonly string[]): number => {
  if (typeof value === 'number') return value
  const name = textOf(value)
  return Math.max(
    0,
    names.findIndex((each) => name.endsWith(each)),
  )
}

/** An id in base64 is none by the rules, but is sent. */
const idOf = (value: unknown, bytes: number): string => {
  const text = textOf(value)
  if (text.length !== Math.ceil(bytes / 3) * 4 || /^[0-9a-f]+$/i.test(text)) return text
  const decoded = Buffer.from(text, 'base64')
  return decoded.byteLength === bytes ? decoded.toString('hex') : text
}

const valueOf = (value: unknown): unknown => {
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

const pairsOf = (value: unknown): KeyValue[] =>
  listOf(value).map((pair) => ({ key: textOf(pair['key']), value: valueOf(pair['value']) }))

const spanOf = (sent: Json): OtlpSpan => {
  const status = isObject(sent['status']) ? sent['status'] : {}
  return {
    traceId: idOf(sent['traceId'], 16),
    spanId: idOf(sent['spanId'], 8),
    parentSpanId: idOf(sent['parentSpanId'], 8),
    name: textOf(sent['name']),
    kind: numberOf(sent['kind'], KINDS),
    startTimeUnixNano: digitsOf(sent['startTimeUnixNano']),
    endTimeUnixNano: digitsOf(sent['endTimeUnixNano']),
    attributes: pairsOf(sent['attributes']),
    events: listOf(sent['events']).map((event) => ({
      timeUnixNano: digitsOf(event['timeUnixNano']),
      name: textOf(event['name']),
      attributes: pairsOf(event['attributes']),
    })),
    links: listOf(sent['links']).map((link) => ({
      traceId: idOf(link['traceId'], 16),
      spanId: idOf(link['spanId'], 8),
      attributes: pairsOf(link['attributes']),
    })),
    statusCode: numberOf(status['code'], CODES),
    statusMessage: textOf(status['message']),
    flags: typeof sent['flags'] === 'number' ? sent['flags'] : 0,
  }
}

/** One at a time: of a list that is too long, what is beyond the limit is never kept. */
function* eachSpan(spans: unknown): Generator<OtlpSpan> {
  for (const span of listOf(spans)) yield spanOf(span)
}

export const readOtlpJson = (sent: unknown): OtlpScope[] =>
  listOf(isObject(sent) ? sent['resourceSpans'] : []).flatMap((resourceSpans) => {
    const { resource } = resourceSpans
    const attributes = pairsOf(isObject(resource) ? resource['attributes'] : [])
    return listOf(resourceSpans['scopeSpans']).map(({ scope, spans }) => ({
      resource: attributes,
      scopeName: isObject(scope) ? textOf(scope['name']) : '',
      spans: eachSpan(spans),
    }))
  })
