import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { EventType, readEvents } from './events.ts'

const fixtures = join(import.meta.dirname, '../../../fixtures/envelopes')

/** The body of the recording in an envelope that a real SDK sent. */
const segmentOf = (envelope: Buffer): unknown => {
  const header = envelope.indexOf('{"type":"replay_recording"')
  const segment = envelope.indexOf('\n', header) + 1
  const body = envelope.subarray(envelope.indexOf('\n', segment) + 1)
  return JSON.parse((body[0] === 0x78 ? inflateSync(body) : body).toString())
}

describe('readEvents', () => {
  it('reads what each SDK sent, in milliseconds and in order', () => {
    const read: string[] = []
    for (const sdk of readdirSync(fixtures)) {
      for (const name of readdirSync(join(fixtures, sdk))) {
        if (!name.endsWith('replay_event.envelope')) continue
        const sent = segmentOf(readFileSync(join(fixtures, sdk, name)))
        const { events, refused } = readEvents(sent)
        expect(refused).toBe(0)
        expect(events).toHaveLength((sent as unknown[]).length)
        const times = events.map(({ timestamp }) => timestamp)
        expect(times).toEqual(times.toSorted((one, other) => one - other))
        expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(60_000)
        read.push(sdk)
      }
    }
    expect(new Set(read).size).toBe(5)
  })

  it('takes seconds for what they are, and keeps the order of equal times', () => {
    const data = {}
    const { events } = readEvents([
      { type: EventType.Load, timestamp: 1_795_212_282_963, data: 1 },
      { type: EventType.Custom, timestamp: 1_795_212_282.9604, data },
      { type: EventType.Load, timestamp: 1_795_212_282_963, data: 2 },
    ])
    expect(events).toEqual([
      { type: EventType.Custom, timestamp: 1_795_212_282_960, data },
      { type: EventType.Load, timestamp: 1_795_212_282_963, data: 1 },
      { type: EventType.Load, timestamp: 1_795_212_282_963, data: 2 },
    ])
  })

  it('keeps tag and payload of custom events', () => {
    const data = { tag: 'breadcrumb', payload: { category: 'ui.click' } }
    expect(readEvents([{ type: EventType.Custom, timestamp: 1_795_212_282_963, data }]).events[0]?.data).toBe(data)
  })

  it('drops what is no event and says how many', () => {
    const time = 1_795_212_282_963
    const entries = [
      null,
      [],
      'event',
      { type: EventType.Load, timestamp: time },
      { type: EventType.Load, timestamp: null },
      { type: EventType.Load, timestamp: -1 },
      { type: EventType.Load, timestamp: 1e300 },
      { type: '3', timestamp: time, data: {} },
      { type: 2.5, timestamp: time, data: {} },
      { type: EventType.FullSnapshot, timestamp: time, data: null },
      { type: EventType.Meta, timestamp: time, data: [] },
      { type: 7, timestamp: time, data: null },
    ]
    expect(readEvents(entries)).toMatchObject({ events: [{ type: EventType.Load }, { type: 7 }], refused: 10 })
    expect(readEvents({ 0: entries })).toEqual({ events: [], refused: 1 })
  })

  it('never fails, and gives only times of dates in order', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { events } = readEvents(value)
        events.forEach(({ timestamp }, index) => {
          expect(Number.isNaN(new Date(timestamp).getTime())).toBe(false)
          expect(timestamp).toBeGreaterThanOrEqual(events[index - 1]?.timestamp ?? 0)
        })
      }),
    )
  })
})
