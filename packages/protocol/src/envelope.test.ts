import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categoryOf, isKnownItemType } from './categories.ts'
import { parseEnvelope, serializeEnvelope } from './envelope.ts'
import { decodeUtf8, encodeUtf8 } from './text.ts'
import type { Envelope } from './types.ts'

const FIXTURES = join(import.meta.dirname, '../../../fixtures/envelopes')

const parse = (text: string) => parseEnvelope(encodeUtf8(text))

const parsed = (text: string): Envelope => {
  const result = parse(text)
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const codeOf = (text: string): string => {
  const result = parse(text)
  return result.ok ? 'ok' : result.error.code
}

const payloads = (envelope: Envelope): string[] => envelope.items.map((item) => decodeUtf8(item.payload))

describe('envelope syntax', () => {
  it('check 1: item without length and without final line feed', () => {
    const envelope = parsed('{}\n{"type":"event"}\n{"message":"x"}')
    expect(envelope.items.map((item) => item.header.type)).toEqual(['event'])
    expect(payloads(envelope)).toEqual(['{"message":"x"}'])
  })

  it('check 2: a final line feed changes nothing', () => {
    expect(parsed('{}\n{"type":"event"}\n{"message":"x"}\n')).toEqual(parsed('{}\n{"type":"event"}\n{"message":"x"}'))
  })

  it('check 3: a payload with length may contain line feeds', () => {
    expect(payloads(parsed('{}\n{"type":"event","length":11}\n{\n "a": 1\n}\n{"type":"session"}\n{}'))).toEqual([
      '{\n "a": 1\n}',
      '{}',
    ])
  })

  it('check 4: length beyond the end is an error of the whole envelope', () => {
    expect(codeOf('{}\n{"type":"session"}\n{}\n{"type":"event","length":3}\n{}')).toBe('unexpected_end')
  })

  it('check 5: length that ends inside the payload is an error', () => {
    expect(codeOf('{}\n{"type":"event","length":1}\n{}')).toBe('missing_newline')
  })

  it('check 6: length 0, followed by a line feed or by the end', () => {
    expect(payloads(parsed('{}\n{"type":"attachment","length":0}\n\n{"type":"session"}\n{}'))).toEqual(['', '{}'])
    expect(payloads(parsed('{}\n{"type":"attachment","length":0}\n'))).toEqual([''])
    expect(payloads(parsed('{}\n{"type":"attachment","length":0}'))).toEqual([''])
  })

  it('check 7: an item header as the last line has an empty payload', () => {
    expect(payloads(parsed('{}\n{"type":"event"}'))).toEqual([''])
  })

  it('check 8: length counts bytes, not characters', () => {
    const payload = '{"message":"é🎉"}'
    const bytes = encodeUtf8(payload).byteLength
    expect(payloads(parsed(`{}\n{"type":"event","length":${bytes}}\n${payload}\n`))).toEqual([payload])
    expect(codeOf(`{}\n{"type":"event","length":${payload.length}}\n${payload}\n`)).toBe('missing_newline')
  })

  it.each(['-1', '1.5', '"5"', '4294967296', '1e400', 'true', '[]'])('check 9: length %s is an error', (length) => {
    expect(codeOf(`{}\n{"type":"event","length":${length}}\n12345`)).toBe('invalid_length')
  })

  it.each(['[]', '"x"', '1', 'null', '', 'garbage', '{} x', '{"a":1'])(
    'check 10: header line %j is not an object',
    (header) => {
      expect(codeOf(`${header}\n{"type":"event"}\n{}`)).toBe('invalid_header')
    },
  )

  it('check 11: a header alone, with and without line feed', () => {
    expect(parsed('{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}').items).toEqual([])
    expect(parsed('{}\n').items).toEqual([])
  })

  it('check 12: no bytes at all', () => {
    const result = parseEnvelope(new Uint8Array())
    expect(result).toEqual({ ok: false, error: { code: 'empty_body', message: 'empty request body', offset: 0 } })
  })

  it('check 13: an unknown item type between two known ones', () => {
    const envelope = parsed('{}\n{"type":"event"}\n{}\n{"type":"hologram"}\nabc\n{"type":"session"}\n{}')
    expect(envelope.items.map((item) => item.header.type)).toEqual(['event', 'hologram', 'session'])
    expect(isKnownItemType('hologram')).toBe(false)
    expect(categoryOf('hologram')).toBe('default')
  })

  it.each(['{}', '{"type":1}', '{"type":null}'])('check 14: item header %s has no type', (header) => {
    expect(codeOf(`{}\n${header}\n{}`)).toBe('missing_item_type')
  })

  it('check 15: unknown keys are kept in the raw headers', () => {
    const envelope = parsed('{"x":{"y":1},"__proto__":{"admin":true}}\n{"type":"event","z":[2],"__proto__":1}\n{}')
    expect(Object.keys(envelope.header.raw)).toEqual(['x', '__proto__'])
    expect(envelope.items[0]?.header.raw['z']).toEqual([2])
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })

  it('check 16: CRLF after headers; a carriage return in a payload is data', () => {
    const envelope = parsed('{}\r\n{"type":"event"}\r\n{"a":1}\r\n')
    expect(payloads(envelope)).toEqual(['{"a":1}\r'])
    expect(JSON.parse(payloads(envelope)[0] ?? '')).toEqual({ a: 1 })
  })

  it('check 17: blank lines between items and at the end', () => {
    expect(payloads(parsed('{}\n\n{"type":"event"}\n{}\n\n\r\n{"type":"session"}\n{}\n\n\n'))).toEqual(['{}', '{}'])
  })

  it('check 18: sent_at null, missing, with offset and nanoseconds', () => {
    expect(parsed('{"sent_at":null}').header.sentAt).toBeNull()
    expect(parsed('{}').header.sentAt).toBeNull()
    expect(parsed('{"sent_at":"2026-11-20T12:00:00.123456789+02:00"}').header.sentAt).toBe(
      Date.UTC(2026, 10, 20, 10, 0, 0, 123),
    )
    expect(parsed('{"sent_at":"2026-11-20T12:00:00Z"}').header.sentAt).toBe(Date.UTC(2026, 10, 20, 12))
    expect(parsed('{"sent_at":"Tuesday"}').header.sentAt).toBeNull()
  })

  it('check 19: a malformed trace header is no trace', () => {
    expect(parsed('{"trace":"x"}').header.trace).toBeNull()
    expect(parsed('{"trace":{"public_key":"a"}}').header.trace).toBeNull()
    const { trace } = parsed(
      '{"trace":{"trace_id":"12345678901234567890123456789012","sample_rand":0.25,"sampled":true,"x":{}}}',
    ).header
    expect({ ...trace }).toEqual({ trace_id: '12345678901234567890123456789012', sample_rand: '0.25', sampled: 'true' })
  })

  it('check 20: an event id in any spelling becomes 32 lower-case hex characters', () => {
    const expected = '9ec79c33ec9942ab8353589fcb2e04dc'
    for (const spelling of ['9EC79C33EC9942AB8353589FCB2E04DC', '9ec79c33-ec99-42ab-8353-589fcb2e04dc']) {
      expect(parsed(`{"event_id":"${spelling}"}`).header.eventId).toBe(expected)
    }
    expect(parsed('{"event_id":"nonsense"}').header.eventId).toBeNull()
  })

  it('check 109: a byte order mark before the header is skipped', () => {
    expect(codeOf('\ufeff{}\n{"type":"event"}\n{}')).toBe('ok')
  })

  it('check 103: deeply nested headers are refused before they are parsed', () => {
    const deep = `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(codeOf(deep)).toBe('invalid_header')
    expect(codeOf(`{}\n${deep}\n`)).toBe('invalid_item_header')
  })

  it('has a bound for items and for header lines', () => {
    const items = '{"type":"session"}\n{}\n'.repeat(11)
    const bytes = encodeUtf8(`{}\n${items}`)
    expect(parseEnvelope(bytes, { maxItems: 10 })).toMatchObject({ error: { code: 'too_many_items' } })
    expect(parseEnvelope(bytes, { maxItems: 11 }).ok).toBe(true)
    expect(parseEnvelope(bytes, { maxHeaderBytes: 10 })).toMatchObject({ error: { code: 'header_too_long' } })
  })

  it('payloads are views into the given bytes', () => {
    const bytes = encodeUtf8('{}\n{"type":"event"}\n{"a":1}')
    const result = parseEnvelope(bytes)
    expect(result.ok && result.value.items[0]?.payload.buffer).toBe(bytes.buffer)
  })
})

const goldenFiles = (): string[] =>
  readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.envelope'))
    .sort()

const golden = (name: string): Uint8Array => readFileSync(join(FIXTURES, name))

/** Types by file name: `browser11-023-session.envelope`, `03-event.envelope`. */
const typeInName = (name: string): string => /-([a-z_]+)\.envelope$/.exec(name)?.[1] ?? ''

describe('recorded envelopes of real SDKs', () => {
  it('there are some', () => expect(goldenFiles().length).toBeGreaterThan(30))

  it.each(goldenFiles())('%s is read, and written again without loss', (name) => {
    const result = parseEnvelope(golden(name))
    if (!result.ok) throw new Error(result.error.message)
    const { header, items } = result.value
    expect(items[0]?.header.type).toBe(typeInName(name))
    expect(items.every((item) => isKnownItemType(item.header.type))).toBe(true)

    const again = parseEnvelope(
      serializeEnvelope(
        header.raw,
        items.map((item) => ({ header: item.header.raw, payload: item.payload })),
      ),
    )
    if (!again.ok) throw new Error(again.error.message)
    expect(again.value.header).toEqual(header)
    expect(again.value.items.map((item) => Buffer.from(item.payload))).toEqual(
      items.map((item) => Buffer.from(item.payload)),
    )
  })

  const feedback = 'sdk-11/browser11-031-feedback.envelope'

  it('check 76: attachment bytes with line feeds stay as they are', () => {
    const result = parseEnvelope(golden(feedback))
    const attachment = result.ok ? result.value.items.find((item) => item.header.type === 'attachment') : undefined
    expect(attachment?.payload.byteLength).toBe(attachment?.header.length)
  })

  it('every truncation is a value', () => {
    const bytes = golden(feedback)
    for (let end = 0; end < bytes.byteLength; end++) expect(parseEnvelope(bytes.subarray(0, end))).toHaveProperty('ok')
  })

  it('every flipped byte is a value', () => {
    const bytes = Uint8Array.from(golden(feedback))
    for (let index = 0; index < bytes.byteLength; index++) {
      const before = bytes[index] ?? 0
      for (const flip of [0x01, 0x20, 0x80, 0xff]) {
        bytes[index] = before ^ flip
        expect(parseEnvelope(bytes)).toHaveProperty('ok')
      }
      bytes[index] = before
    }
  })
})

describe('any envelope', () => {
  const headerArbitrary = fc.dictionary(
    fc.string({ maxLength: 10 }).filter((key) => key !== 'length' && key !== 'type'),
    fc.jsonValue({ maxDepth: 3 }),
    { noNullPrototype: true },
  )
  const itemArbitrary = fc.record({
    header: fc.tuple(headerArbitrary, fc.string()).map(([header, type]) => ({ ...header, type })),
    payload: fc.uint8Array({ maxLength: 200 }),
  })

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(headerArbitrary, fc.array(itemArbitrary, { maxLength: 6 }), (header, items) => {
        const result = parseEnvelope(serializeEnvelope(header, items))
        if (!result.ok) throw new Error(result.error.message)
        expect(JSON.stringify(result.value.header.raw)).toBe(JSON.stringify(header))
        expect(result.value.items.map((item) => item.header.type)).toEqual(
          items.map((item) => JSON.parse(JSON.stringify(item.header.type))),
        )
        expect(result.value.items.map((item) => [...item.payload])).toEqual(items.map((item) => [...item.payload]))
      }),
    )
  })

  it('is never a throw, whatever the bytes', () => {
    const line = fc.oneof(
      fc.constantFrom('{}', '{"type":"event"}', '{"type":"event","length":3}', '', '\r', '[]', 'abc'),
      fc.string(),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.array(line).map((lines) => encodeUtf8(lines.join('\n'))),
        ),
        (bytes) => {
          expect(parseEnvelope(bytes)).toHaveProperty('ok')
        },
      ),
    )
  })
})
