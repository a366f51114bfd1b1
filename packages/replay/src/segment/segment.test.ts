import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CUSTOM, FULL_SNAPSHOT, INCREMENTAL, META } from '../events.ts'
import { createBuffer, fitting, type Held } from './buffer.ts'
import { packDeflated, packPlain } from './pack.ts'
import { verdictOf } from './verdict.ts'

const at = (timestamp: number, type = INCREMENTAL) => ({ type, timestamp, data: {} })
const times = (held: readonly Held[]): number[] => held.map((one) => one.at)

describe('what waits to be sent', () => {
  it('is taken in order, once, also when there is much of it', () => {
    const buffer = createBuffer()
    const all = Array.from({ length: 1000 }, (_, index) => index)
    for (const one of all) buffer.add(at(one, one % 100 === 0 ? META : INCREMENTAL))
    expect(buffer.since).toBe(0)
    expect(buffer.size).toBe(all.map((one) => JSON.stringify(at(one)).length).reduce((sum, one) => sum + one))
    expect(times(buffer.take())).toEqual(all)
    expect([buffer.isEmpty, buffer.size, buffer.since]).toEqual([true, 0, undefined])
  })

  it('R82 The buffer holds a minute at most, and always a picture of the page', () => {
    let now = 0
    const buffer = createBuffer(() => now)
    buffer.roll(true)
    for (const picture of [0, 30_000, 60_000, 90_000]) {
      buffer.add(at(picture, META))
      buffer.add(at(picture, FULL_SNAPSHOT))
      for (let later = 1000; later < 30_000; later += 1000) buffer.add(at(picture + later))
    }
    now = 119_999
    const held = buffer.take()
    expect(held[0]).toMatchObject({ at: 60_000, type: META })
    expect(held.at(-1)?.at).toBe(119_000)
    // A page where nothing happened for long has an old picture and a new one: the old one is too old.
    buffer.add(at(0, META))
    buffer.add(at(200_000, META))
    now = 200_000
    expect(times(buffer.take())).toEqual([200_000])
    // Its only picture is never too old.
    buffer.add(at(0, META))
    now = 500_000
    expect(times(buffer.take())).toEqual([0])
  })

  it('what could not be sent stands before what came since', () => {
    const buffer = createBuffer(() => 10)
    for (const one of [1, 2, 3]) buffer.add(at(one, one === 2 ? META : INCREMENTAL))
    const held = buffer.take()
    buffer.add(at(4))
    buffer.add(at(5, META))
    buffer.giveBack(held)
    expect(buffer.since).toBe(1)
    expect(buffer.size).toBe(5 * JSON.stringify(at(1)).length)
    buffer.roll(true)
    buffer.add(at(6, META))
    expect(times(buffer.take())).toEqual([5, 6])
  })

  it('R90 Of a page that goes away what people did goes first, then changes up to the first that does not fit', () => {
    const held = (time: number, type: number, size: number): Held => ({ at: time, type, json: 'x'.repeat(size - 1) })
    const all = [
      held(1, INCREMENTAL, 10),
      held(2, FULL_SNAPSHOT, 100),
      held(3, CUSTOM, 20),
      held(4, INCREMENTAL, 10),
      held(5, CUSTOM, 20),
    ]
    const { fits, rest } = fitting(all, 60)
    expect([times(fits), times(rest)]).toEqual([
      [1, 3, 5],
      [2, 4],
    ])
    expect(times(fitting(all, 1000).fits)).toEqual([1, 2, 3, 4, 5])
    expect(times(fitting(all, 5).fits)).toEqual([])
    // Letters of several bytes count as what they are.
    expect(fitting([{ at: 1, type: CUSTOM, json: 'ééé' }], 6).fits).toEqual([])
  })

  it('a segment is a line with its number, and a zlib stream or plain JSON', async () => {
    const held = Array.from({ length: 5000 }, (_, index): Held => {
      const event = { ...at(index), data: { text: `tea 🍵 ${index}` } }
      return { at: index, type: INCREMENTAL, json: JSON.stringify(event) }
    })
    const json = `[${held.map((one) => one.json).join(',')}]`
    const plain = Buffer.from(packPlain(7, held)).toString()
    expect(plain).toBe(`{"segment_id":7}\n${json}`)
    const packed = Buffer.from(await packDeflated(8, held))
    const end = packed.indexOf(0x0a)
    expect(packed.subarray(0, end).toString()).toBe('{"segment_id":8}')
    expect(packed[end + 1]).toBe(0x78)
    expect(inflateSync(packed.subarray(end + 1)).toString()).toBe(json)
  })

  it.each([
    ['an answer', {}, 'sent', 0],
    ['200', { statusCode: 200 }, 'sent', 0],
    ['200 with a limit', { statusCode: 200, headers: { 'x-sentry-rate-limits': '30:replay:key' } }, 'sent', 30_000],
    ['429 without a word', { statusCode: 429 }, 'later', 60_000],
    ['429 for a while', { statusCode: 429, headers: { 'retry-after': '7' } }, 'later', 7000],
    [
      '429 for replays',
      { statusCode: 429, headers: { 'x-sentry-rate-limits': '5:error:key, 9:replay;log:key' } },
      'later',
      9000,
    ],
    [
      '429 for everything',
      { statusCode: 429, headers: { 'x-sentry-rate-limits': '11::organization' } },
      'later',
      11_000,
    ],
    ['nobody there', { statusCode: 0 }, 'again', 0],
    ['broken', { statusCode: 503 }, 'again', 0],
    ['too large', { statusCode: 413 }, 'lost', 0],
    ['forbidden', { statusCode: 403 }, 'refused', 0],
  ] as const)('%s', (_, response, kind, waitMs) => {
    expect(verdictOf(response)).toEqual({ kind, waitMs })
  })
})
