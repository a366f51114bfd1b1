import type { LogLine } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'

import { FOLDED_CHARS, folded, oneLine, prettyJson, withoutColours } from './body.ts'
import { keyOf, mergeLines, newLines, placeBehind } from './lines.ts'
import { compactLogs, logsFromUrl, readLogsUrl } from './logs-search.ts'
import { chosenValues } from '../../search/model/index.ts'
import { toggleValue } from './terms.ts'
import { changeText } from './volume.ts'
import { standingText } from './standing.ts'

const lineAt = (at: number, projectId = '1'): LogLine => ({
  id: at.toString(16).padStart(32, '0'),
  place: at.toString(16).padStart(41, '0'),
  projectId,
  timestamp: new Date(at).toISOString(),
  level: 'info',
  body: `line ${at}`,
  isCut: false,
  pattern: 'line *',
  service: '',
  logger: '',
  traceId: '',
  spanId: '',
  attributes: [],
})

describe('lines', () => {
  it('T76: what comes late stands where it belongs, and what comes twice once', () => {
    const held = [9, 7, 5, 3].map((at) => lineAt(at))
    const came = [10, 9, 6, 3, 1].map((at) => lineAt(at))
    const merged = mergeLines(came, held)
    expect(merged.map(({ body }) => body)).toEqual([10, 9, 7, 6, 5, 3, 1].map((at) => `line ${at}`))
    expect(mergeLines(held, [])).toBe(held)
    expect(newLines(came, held).map(({ body }) => body)).toEqual(['line 10', 'line 6', 'line 1'])
    expect(mergeLines([], held)).toBe(held)
    // Lines of two projects may stand at the same place.
    expect(mergeLines([lineAt(4, '2')], [lineAt(4, '1')]).map(keyOf)).toHaveLength(2)
  })

  it('a list that begins at a line has it, and none that was written after it', () => {
    const at = 1_795_000_000_123
    const begin = placeBehind(`${at.toString(16).padStart(16, '0')}${'f'.repeat(16)}`)
    expect(begin).toHaveLength(41)
    expect(`${at.toString(16).padStart(12, '0')}${'f'.repeat(29)}` < begin).toBe(true)
    expect(`${(at + 1).toString(16).padStart(12, '0')}${'0'.repeat(29)}` < begin).toBe(false)
  })
})

describe('bodies', () => {
  it('T79: colours of terminals go, other control characters stay for the marks, JSON has its structure', () => {
    expect(withoutColours('\u001b[1;31mfailed\u001b[0m \u001b[2K')).toBe('failed \u001b[2K')
    expect(oneLine('one\n  two\nthree')).toBe('one ⏎ two ⏎ three')
    expect(prettyJson(' {"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
    for (const body of ['{broken', 'plain', '12', `{"a":"${'x'.repeat(300_000)}"}`]) expect(prettyJson(body)).toBeNull()
  })

  it('T79: a megabyte is folded', () => {
    expect(folded('short')).toBe('short')
    expect(folded('x'.repeat(1_000_000))).toHaveLength(FOLDED_CHARS)
    expect(folded(`${'y'.repeat(1500)}\n${'z'.repeat(5000)}`)).toBe('y'.repeat(1500))
  })
})

describe('searches', () => {
  it('values are added to and taken out of one term', () => {
    const one = toggleValue('slow', 'level', 'error')
    expect(one).toBe('slow level:error')
    const two = toggleValue(one, 'level', 'warn')
    expect(two).toBe('slow level:[error,warn]')
    expect(chosenValues(two, 'level')).toEqual(['error', 'warn'])
    expect(toggleValue(two, 'level', 'error')).toBe('slow level:warn')
    expect(toggleValue('!level:info level:warn', 'level', 'warn')).toBe('!level:info')
    const odd = toggleValue('', 'pattern', 'GET "*", [ok]')
    expect(chosenValues(odd, 'pattern')).toEqual(['GET "*", [ok]'])
  })

  it('addresses are read, whatever they are, and written short', () => {
    const line = 'a'.repeat(32)
    const url = readLogsUrl({ query: 'x', line, facet: ['cup', 7, ''], statsPeriod: '1h', project: '12' })
    expect(url).toEqual({ query: 'x', line, facet: ['cup'], project: ['12'] })
    expect(readLogsUrl({ line: 'A', query: {}, facet: null })).toEqual({})
    expect(compactLogs(logsFromUrl(url))).toEqual(url)
  })

  it('a number against the one before', () => {
    expect([changeText(14, 1), changeText(3, 2), changeText(1, 2), changeText(5, 0), changeText(2, 2)]).toEqual([
      '×14',
      '+50%',
      '−50%',
      null,
      null,
    ])
  })
})

it('the foot says how many lines there are and how the tail is, and nothing of what is not known', () => {
  const feed = { state: 'ready', lines: [1, 2], waiting: [], skipped: 0 } as const
  expect(standingText(feed, true, false)).toBe('2 lines here · live')
  expect(standingText({ ...feed, lines: [1] }, false, false)).toBe('1 line here')
  expect(standingText({ ...feed, waiting: [1, 2, 3], skipped: 1200 }, true, true)).toBe(
    '2 lines here · 1,200 came too fast to be shown · 3 wait',
  )
  for (const state of ['loading', 'failed'] as const)
    expect(standingText({ ...feed, state, lines: [] }, true, false)).toBe('')
})
