import { EventType, type RecordedEvent } from '@firsthand/recording'
import { describe, expect, it, vi } from 'vitest'
import { LIMITS } from '../limits.ts'
import { charsOf, readRequestsAt } from './read-request.ts'

const AT = 1_795_212_282_963

const requests = (count: number, side: Record<string, unknown>): RecordedEvent[] =>
  Array.from({ length: count }, (_, number) => ({
    type: EventType.Custom,
    timestamp: AT,
    data: {
      tag: 'performanceSpan',
      payload: {
        op: 'resource.fetch',
        description: `https://shop.example/${number}`,
        data: { method: 'POST', statusCode: 200, request: side, response: side },
      },
    },
  }))

const read = (events: readonly RecordedEvent[], chars: number = LIMITS.REPLAY_REQUESTS_CHARS) =>
  readRequestsAt(events, { at: AT, chars })

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

describe('requests out of a recording', () => {
  it('R118 are as many as are asked for together, and of those no more is written', () => {
    const written = vi.spyOn(JSON, 'stringify')
    const found = read(requests(1000, { body: nested(1000) }))
    const chars = written.mock.results.reduce((sum, { value }) => sum + String(value).length, 0)
    written.mockRestore()
    expect(found.map(({ url }) => url)).toEqual(
      Array.from({ length: LIMITS.REPLAY_REQUESTS_AT_ONCE }, (_, number) => `https://shop.example/${number}`),
    )
    expect(chars).toBe(2 * 2000 * LIMITS.REPLAY_REQUESTS_AT_ONCE)
  })

  it('R118 have a value over several lines unless it is nested deeply or larger than what is shown', () => {
    const bodyOf = (body: unknown): string => read(requests(1, { body }))[0]?.request?.body ?? ''
    expect(bodyOf({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}')
    expect(bodyOf(nested(LIMITS.REPLAY_REQUEST_BODY_LEVELS))).toContain('\n')
    expect(bodyOf(nested(LIMITS.REPLAY_REQUEST_BODY_LEVELS + 1))).not.toContain('\n')
    const large = Array.from({ length: LIMITS.REPLAY_REQUEST_BODY_CHARS }, () => 1)
    expect(bodyOf(large)).not.toContain('\n')
    expect(bodyOf(large)).toHaveLength(LIMITS.REPLAY_REQUEST_BODY_CHARS)
  })

  it('R118 have no more characters of headers and bodies than may be answered, and say what is left out', () => {
    const side = { headers: { accept: 'x'.repeat(94), other: 'y'.repeat(95) }, body: 'z'.repeat(500) }
    const found = read(requests(2, side), 1000)
    expect(charsOf(found)).toBe(1000)
    expect(found[0]?.request).toMatchObject({ headersLeftOut: 0, bodyLeftOut: 0 })
    expect(found[0]?.response).toMatchObject({ headersLeftOut: 0, bodyLeftOut: 400 })
    expect(found[1]?.response).toMatchObject({ headersLeftOut: 2, body: '', bodyLeftOut: 500 })
  })
})
