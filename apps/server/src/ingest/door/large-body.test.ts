import { createHash } from 'node:crypto'
import { parseEnvelope } from '@firsthand/protocol'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { fileOf, sizeOf } from '../payload-file.ts'
import { HeldPieces } from './held-pieces.ts'
import { envelopeBounds, readLargeEnvelope, refuseEnvelope } from './large-envelope.ts'
import { readLargeMultipart } from './large-multipart.ts'
import { parseMultipart } from './multipart.ts'
import { PieceReader } from './piece-reader.ts'

const limits = { ...LIMITS, STAGED_PAYLOAD_BYTES: 8, HEADER_LINE_BYTES: 200, ITEMS_PER_ENVELOPE: 5, MULTIPART_PARTS: 4 }

/** The bytes in pieces of these sizes, over and over. */
const inPieces = async function* (bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0
  for (let index = 0; at < bytes.byteLength; index += 1) {
    const size = sizes[index % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

const parts = (bytes: Buffer, sizes: readonly number[]) => {
  const staged = new Map<string, Buffer>()
  return {
    staged,
    parts: {
      reader: new PieceReader(inPieces(bytes, sizes)),
      held: new HeldPieces(
        limits,
        () => true,
        () => 0,
      ),
      limits,
      stager: {
        keep: async (pieces: AsyncIterable<Buffer>) => {
          const list: Buffer[] = []
          for await (const piece of pieces) list.push(piece)
          const all = Buffer.concat(list)
          const path = String(staged.size)
          staged.set(path, all)
          return { path, bytes: all.byteLength, sha256: createHash('sha256').update(all).digest('hex') }
        },
        stagedBytes: () => 0,
        end: async () => undefined,
      },
    },
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
const payload = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.uint8Array({ minLength: 9, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', '\n', '\r\n--b', '--b--', '\r\n', '{}').map((text) => Buffer.from(text)),
)

/** One byte of it is another one, or something is missing at its end. */
const damaged = (bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> => fc.oneof(bytes, harmed(bytes))

const harmed = (bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(bytes, fc.option(fc.tuple(fc.nat(), fc.constantFrom(0x0a, 0x0d, 0x22, 0x31, 0x7b))), fc.option(fc.nat()))
    .map(([whole, change, end]) => {
      const copy = Buffer.from(whole)
      if (change !== null && copy.byteLength > 0) copy[change[0] % copy.byteLength] = change[1]
      return end === null ? copy : copy.subarray(0, end % (copy.byteLength + 1))
    })

describe('an envelope that comes piece by piece', () => {
  /** Nearly always the first of them. */
  const mostly = (first: string, ...others: readonly string[]) =>
    fc.oneof({ weight: 20, arbitrary: fc.constant(first) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
  const header = mostly('{}', '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","ä":"é"}', '\ufeff{}', '[]', ' ')
  const item = fc.tuple(
    fc.constantFrom('attachment', 'attachment', 'event', 'hologram'),
    fc.constantFrom(true, true, false),
    payload,
    mostly('\n', '\n\n\r\n\n', '\r\n', '', 'x'),
    mostly('', ',"__proto__":{"a":1}', `,"long":"${'x'.repeat(250)}"`),
  )
  const envelope = fc
    .tuple(header, fc.array(item, { minLength: 1, maxLength: 7 }))
    .map(([first, items]) =>
      Buffer.concat([
        Buffer.from(`${first}\n`),
        ...items.flatMap(([type, hasLength, bytes, after, more]) => [
          Buffer.from(`{"type":"${type}"${hasLength ? `,"length":${bytes.byteLength}` : ''}${more}}\n`),
          bytes,
          Buffer.from(after),
        ]),
      ]),
    )

  it('says the same as one that is held, with its large attachments in files', async () => {
    let filed = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(damaged(envelope), sizes, async (bytes, of) => {
        const expected = parseEnvelope(bytes, envelopeBounds(limits))
        const { parts: given, staged } = parts(bytes, of)
        const read = await readLargeEnvelope(given)
        if (!expected.ok) {
          refused += 1
          expect(read).toEqual({ ok: false, error: refuseEnvelope(expected.error) })
          return
        }
        if (!read.ok) throw new Error(read.error.detail)
        expect(read.value.envelope.header).toEqual(expected.value.header)
        expect(read.value.envelope.items.map((own) => own.header)).toEqual(
          expected.value.items.map((own) => own.header),
        )
        read.value.envelope.items.forEach((own, index) => {
          const whole = Buffer.from(expected.value.items[index]?.payload ?? [])
          const file = fileOf(own)
          const isLarge = own.header.type === 'attachment' && own.header.length !== null && whole.byteLength > 8
          expect(file !== null).toBe(isLarge)
          expect(sizeOf(own)).toBe(whole.byteLength)
          if (file === null) expect(Buffer.from(own.payload)).toEqual(whole)
          else {
            filed += 1
            expect(own.payload.byteLength).toBe(0)
            expect(staged.get(file.path)).toEqual(whole)
          }
        })
      }),
      { numRuns: 3000 },
    )
    expect(filed).toBeGreaterThan(50)
    expect(refused).toBeGreaterThan(50)
  })
})

describe('a form that comes piece by piece', () => {
  const part = fc.tuple(
    fc.constantFrom(
      '\r\nContent-Disposition: form-data; name="a"',
      '\r\nContent-Disposition: form-data; name="file"; filename="f.bin"\r\nContent-Type: text/plain',
      '\r\nContent-Disposition: form-data; name="held"; filename="h.bin"',
      '',
      ' junk\r\nX: y',
    ),
    payload,
  )
  const form = fc
    .tuple(
      fc.constantFrom('', 'preamble\r\n'),
      fc.array(part, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('--', '--', '--\r\nx', ''),
    )
    .map(([before, list, after]) =>
      Buffer.concat([
        Buffer.from(`${before}--b`),
        ...list.flatMap(([headers, data]) => [Buffer.from(`${headers}\r\n\r\n`), data, Buffer.from('\r\n--b')]),
        Buffer.from(after),
      ]),
    )

  it('says the same as one that is held, with its large files in files', async () => {
    let filed = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(damaged(form), sizes, async (bytes, of) => {
        const expected = parseMultipart(bytes, 'b', limits)
        const { parts: given, staged } = parts(bytes, of)
        const read = await readLargeMultipart('b', ({ name }) => name === 'held', given)
        if (!expected.ok) {
          refused += 1
          expect(read).toEqual(expected)
          return
        }
        if (!read.ok) throw new Error(read.error)
        const whole = read.value.map(({ file, ...own }) => {
          if (file === undefined) return own
          filed += 1
          expect(own.data.byteLength).toBe(0)
          expect(file.bytes).toBeGreaterThan(8)
          return { ...own, data: staged.get(file.path) }
        })
        expect(whole).toEqual(expected.value)
      }),
      { numRuns: 3000 },
    )
    expect(filed).toBeGreaterThan(50)
    expect(refused).toBeGreaterThan(50)
  })

  it('may have headers of the same length', async () => {
    const most = 32
    const bounds = { ...limits, MULTIPART_HEADER_BYTES: most }
    const taken = new Set<boolean>()
    for (let junk = 0; junk <= 2 * most + 4; junk += 1) {
      for (let length = 0; length <= most + 4; length += 1) {
        const header = length < 5 ? '' : `\r\na: ${'x'.repeat(length - 5)}`
        const body = Buffer.from(`--b${'j'.repeat(junk)}${header}\r\n\r\nvalue\r\n--b--`)
        const { parts: given } = parts(body, [7])
        const read = await readLargeMultipart('b', () => true, { ...given, limits: bounds })
        expect(read, `${junk} and ${length}`).toEqual(parseMultipart(body, 'b', bounds))
        taken.add(read.ok)
      }
    }
    expect([...taken]).toHaveLength(2)
  })
})
