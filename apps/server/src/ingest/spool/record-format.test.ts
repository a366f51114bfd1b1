import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import type { AcceptedEnvelope } from '../road.ts'
import { decodeHeader, decodeRecord, encodeRecord } from './record-format.ts'
import { SPOOL_START } from './position.ts'
import { createSpoolReader } from './spool-reader.ts'
import type { SpooledRecord } from './spool-reader.ts'
import { openSpool } from './spool.ts'

const text = fc.option(fc.string({ unit: 'grapheme' }), { nil: null })
const envelope: fc.Arbitrary<AcceptedEnvelope> = fc.record({
  kind: fc.constant('envelope' as const),
  receivedAt: fc.nat(),
  sender: fc.record({
    organizationId: fc.nat(),
    projectId: fc.nat(),
    keyId: fc.nat(),
    clientAddress: text,
    userAgent: text,
    origin: text,
    sdk: fc.string(),
  }),
  body: fc.uint8Array({ maxLength: 300 }),
})
const logger = createLogger(
  'error',
  () => undefined,
  () => 0,
)

describe('records', () => {
  it('decode to what was encoded', () => {
    fc.assert(
      fc.property(envelope, fc.nat(2 ** 32 - 1), (record, seed) => {
        const { parts, bytes } = encodeRecord(record, seed)
        const buffer = Buffer.concat(parts)
        expect(buffer.byteLength).toBe(bytes)
        const header = decodeHeader(buffer, 0, seed)
        if (header === null) throw new Error('expected a header')
        const decoded = decodeRecord(buffer, 0, header)
        const plain = (value: unknown): string =>
          JSON.stringify(value, (_, part: unknown) =>
            ArrayBuffer.isView(part) ? Buffer.from(part as Uint8Array).toString('hex') : part,
          )
        expect(plain(decoded)).toBe(plain({ kind: 'valid', record: { ...record, body: Buffer.from(record.body) } }))
      }),
    )
  })

  it('on a disk with any bytes changed, all other records are read, and reading ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(envelope, { minLength: 1, maxLength: 8 }),
        fc.array(
          fc.record({
            at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
            length: fc.integer({ min: 1, max: 40 }),
            fill: fc.nat(255),
          }),
          { maxLength: 3 },
        ),
        async (records, damages) => {
          const directory = await mkdtemp(join(tmpdir(), 'firsthand-damage-'))
          try {
            const first = await openSpool({ directory, logger, limits: { reserveBytes: 0 } })
            for (const record of records) await first.append(record)
            const end = first.end().offset
            await first.close()
            const path = join(directory, '0000000000.spool')
            const bytes = await readFile(path)
            const touched: [number, number][] = []
            for (const { at, length, fill } of damages) {
              const from = Math.floor(at * end)
              bytes.fill(fill, from, Math.min(from + length, end))
              touched.push([from, from + length])
            }
            await writeFile(path, bytes)
            const spool = await openSpool({ directory, logger, limits: { reserveBytes: 0 } })
            const reader = createSpoolReader({ spool: spool.handle, logger })
            const read: SpooledRecord[] = []
            let position = SPOOL_START
            for (let turns = 0; ; turns += 1) {
              if (turns > 100) throw new Error('reading does not end')
              const next = await reader.read(position, { bytes: 500, records: 3 })
              if (
                next.records.length === 0 &&
                next.end.segment === position.segment &&
                next.end.offset === position.offset
              )
                break
              read.push(...next.records)
              position = next.end
            }
            await reader.close()
            await spool.close()
            let offset = 32
            for (const record of records) {
              const size = encodeRecord(record, 0).bytes
              const start = offset
              offset += size
              if (touched.some(([from, to]) => from < start + size && to > start)) continue
              expect(
                read.some(
                  (entry) =>
                    entry.position.offset === start && entry.position.segment === 0 && entry.record.kind === 'envelope',
                ),
              ).toBe(true)
            }
          } finally {
            await rm(directory, { recursive: true, force: true })
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
