import { EventType, type RecordedEvent } from '@firsthand/recording'
import { describe, expect, it, vi } from 'vitest'
import { LIMITS } from '../limits.ts'
import { readRequestAt } from './read-request.ts'

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

const read = (events: readonly RecordedEvent[], place = 0) => readRequestAt(events, { at: AT, place })

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

describe('requests out of a recording', () => {
  it('R118 are read one at a time, and of the others nothing is written', () => {
    const written = vi.spyOn(JSON, 'stringify')
    const found = read(requests(1000, { body: nested(1000) }), 998)
    const chars = written.mock.results.reduce((sum, { value }) => sum + String(value).length, 0)
    written.mockRestore()
    expect(found?.url).toBe('https://shop.example/998')
    expect(chars).toBe(2 * 2000)
    expect(read(requests(3, {}), 3)).toBeNull()
  })

  it('R118 have a value over several lines unless it is nested deeply or larger than what is shown', () => {
    const bodyOf = (body: unknown): string => read(requests(1, { body }))?.request?.body ?? ''
    expect(bodyOf({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}')
    expect(bodyOf(nested(LIMITS.REPLAY_REQUEST_BODY_LEVELS))).toContain('\n')
    expect(bodyOf(nested(LIMITS.REPLAY_REQUEST_BODY_LEVELS + 1))).not.toContain('\n')
    const large = Array.from({ length: LIMITS.REPLAY_REQUEST_BODY_CHARS }, () => 1)
    expect(bodyOf(large)).not.toContain('\n')
    expect(bodyOf(large)).toHaveLength(LIMITS.REPLAY_REQUEST_BODY_CHARS)
  })
})
