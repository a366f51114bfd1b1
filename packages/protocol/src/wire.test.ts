import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEnvelope } from './envelope.ts'
import { decodeUtf8, encodeUtf8 } from './text.ts'
import { dsnText, envelopeUrl, headerLine, itemParts, parseDsnParts } from './wire.ts'

describe('DSNs as browsers read them', () => {
  it.each([
    ['https://k@h/42', 'https://k@h/42'],
    ['HTTPS://k:secret@H.example:8443/a/b/42/', 'HTTPS://k@H.example:8443/a/b/42'],
    ['http://k@[::1]:9000/7', 'http://k@[::1]:9000/7'],
    // As in the JavaScript SDK, what follows the digits of the last segment does not count.
    ['https://k@h//42abc', 'https://k@h/42'],
  ])('%s', (text, written) => {
    const parts = parseDsnParts(text)
    expect(parts && dsnText(parts)).toBe(written)
  })

  it.each(['', 'https://h/1', 'ftp://k@h/1', 'https://k@h', 'https://k@h/abc', 'https://k@h/1?x', 'https://k@h/a b/1'])(
    '%j is none',
    (text) => expect(parseDsnParts(text)).toBeUndefined(),
  )

  it('envelopes go below the path of the DSN, with the key in the query', () => {
    const dsn = parseDsnParts('https://k@h:1/a/42')
    expect(dsn && envelopeUrl(dsn)).toBe('https://h:1/a/api/42/envelope/?sentry_version=7&sentry_key=k')
  })
})

describe('the pieces of an envelope', () => {
  it('are read back as the same items, line feeds in the payloads and all', () => {
    const header = fc.dictionary(fc.string({ maxLength: 5 }), fc.string())
    fc.assert(
      fc.property(header, fc.array(fc.tuple(header, fc.string()), { maxLength: 5 }), (own, items) => {
        const sized = items.map(
          ([rest, text]) => [{ ...rest, type: 'event' }, text, encodeUtf8(text).byteLength] as const,
        )
        const bytes = encodeUtf8([headerLine(own), ...itemParts(sized)].join(''))
        const read = parseEnvelope(bytes)
        expect(read.ok && read.value.header.raw).toEqual(JSON.parse(JSON.stringify(own)))
        expect(read.ok && read.value.items.map(({ payload }) => decodeUtf8(payload))).toEqual(
          sized.map(([, text]) => decodeUtf8(encodeUtf8(text))),
        )
      }),
    )
  })

  it('an item without a length ends with its line', () => {
    expect([headerLine({}), ...itemParts([[{ type: 'feedback' }, '{}']])].join('')).toBe(
      '{}\n{"type":"feedback"}\n{}\n',
    )
  })
})
