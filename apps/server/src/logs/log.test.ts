import { describe, expect, it } from 'vitest'
import { LOG_LEVELS, severityOf } from './log.ts'
import { formatLogId, formatPlace, parseLogId, parsePlace, placeAt } from './place.ts'
import { patternOf } from './read/pattern.ts'
import { LIMITS } from './limits.ts'

describe('severity', () => {
  it.each(LOG_LEVELS.map((level, band) => [level, band * 4 + 1] as const))(
    'T11: level and severity_number agree in the band of %s',
    (level, first) => {
      for (const number of [first, first + 1, first + 2, first + 3]) {
        expect(severityOf(level, number)).toEqual({ level, severity: number })
        expect(severityOf(undefined, number)).toEqual({ level, severity: number })
      }
      expect(severityOf(level, undefined)).toEqual({ level, severity: first })
      // They disagree: the word decides.
      expect(severityOf(level, (first + 8) % 24)).toEqual({ level, severity: first })
    },
  )

  it.each([
    ['WARNING', 'warn'],
    ['critical', 'fatal'],
    ['ERROR2', 'error'],
    ['notice', 'info'],
    ['what', 'info'],
    [17, 'info'],
  ])('the word %s is %s', (word, level) => {
    expect(severityOf(word, 0).level).toBe(level)
  })
})

describe('patterns', () => {
  it.each([
    ['GET /api/products/12?page=3', 'GET /api/products/*?page=*'],
    ['order=10231 placed by 4a5b@example.com', 'order=* placed by *'],
    ['\u001b[31mfailed\u001b[0m after 12ms\nat x', 'failed after *'],
    ['  ', ''],
  ])('%j is like %j', (body, pattern) => {
    expect(patternOf(body)).toBe(pattern)
  })

  it('T114: a megabyte of anything is looked at no further than its pattern goes', () => {
    for (const body of ['a'.repeat(1e6), '1'.repeat(1e6), '\u001b['.repeat(5e5), ' '.repeat(1e6)]) {
      expect(patternOf(body).length).toBeLessThanOrEqual(LIMITS.LOG_PATTERN_CHARS)
    }
  })
})

describe('places', () => {
  const place = { at: 1_795_000_000_123, nanos: 999_999, sequence: 4_294_967_295, id: 'f'.repeat(16) }

  it('are read as they were written, and nothing else is', () => {
    expect(parsePlace(formatPlace(place))).toEqual(place)
    expect(parseLogId(formatLogId(place))).toEqual({ at: place.at, id: place.id })
    for (const text of ['', 'x', `${formatPlace(place)}0`, formatPlace(place).toUpperCase()])
      expect(parsePlace(text)).toBeNull()
    for (const text of ['', 'g'.repeat(32), 'f'.repeat(32)]) expect(parseLogId(text)).toBeNull()
  })

  it('have the order of time as texts', () => {
    const places = [
      placeAt(place.at),
      { ...place, nanos: 1, sequence: 0 },
      { ...place, nanos: 1, sequence: 1 },
      { ...place, nanos: 2, sequence: 0, id: '0'.repeat(16) },
      placeAt(place.at + 1),
    ].map(formatPlace)
    expect(places.toSorted()).toEqual(places)
  })
})
