import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../search/index.ts'
import type { RowFilter, SearchNode } from '../../search/index.ts'
import { splitIssueSearch, toEventFilter } from './index.ts'
import type { IssueSearch } from './index.ts'

const NOW = Date.UTC(2026, 10, 20, 12)

const parse = (text: string): SearchNode | null => {
  const result = parseSearch(text)
  if (!result.ok) throw new Error(`${result.error.message} at ${result.error.position}`)
  return result.value.root
}

const filter = (text: string, context: Partial<Parameters<typeof toEventFilter>[1]> = {}): RowFilter => {
  const result = toEventFilter(parse(text), { now: NOW, ...context })
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const split = (text: string): IssueSearch => {
  const result = splitIssueSearch({ root: parse(text) }, NOW)
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const TAG_PAIRS = "arrayMap((k, v) -> concat(k, '=', v), mapKeys(events.tags), mapValues(events.tags))"

describe('a search for issues or events', () => {
  it('answers any text, and compiles what it understood', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom(
        'a:',
        '!',
        '(',
        ')',
        '[',
        ']',
        '"',
        '*',
        '\\',
        ' OR ',
        ' AND ',
        'is:',
        '>',
        'has:',
        'tags[',
        ' ',
        ',',
        'age:-1h',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const result = parseSearch(pieces.join(''))
        if (!result.ok) {
          expect(result.error.message).not.toBe('')
          return
        }
        const compiled = toEventFilter(result.value.root, { now: NOW })
        splitIssueSearch(result.value, NOW)
        if (!compiled.ok) return
        const names = [...compiled.value.sql.matchAll(/\{(p\d+):/g)].map((match) => match[1])
        expect(new Set(names)).toEqual(new Set(Object.keys(compiled.value.params)))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('toEventFilter', () => {
  it('binds every value and never writes it into the SQL', () => {
    const value = `x' OR 1=1 --{p9:String}`
    const { sql, params } = filter(
      `"${value}" release:"${value}" tags[${value.replaceAll(/[\s\]]/g, '')}]:"${value}" error.type:["${value}"]`,
    )
    expect(sql).not.toContain("x'")
    expect(Object.values(params)).toContain(value)
  })

  it.each([
    ['release:1.0', '(events.release = {p0:String})', { p0: '1.0' }],
    ['!release:1.0', 'NOT (events.release = {p0:String})', { p0: '1.0' }],
    ['release:web@*', '(events.release LIKE {p0:String})', { p0: 'web@%' }],
    ['release:*', "(events.release != '')", {}],
    ['release:50%_\\', '(events.release = {p0:String})', { p0: '50%_\\' }],
    ['release:50%_*', '(events.release LIKE {p0:String})', { p0: '50\\%\\_%' }],
    ['message:Boom', '((events.search_text LIKE {p0:String}))', { p0: '%boom%' }],
    ['error.type:TypeError', '(has(events.error_types, {p0:String}))', { p0: 'TypeError' }],
    ['stack.function:add*', '(arrayExists(x -> x LIKE {p0:String}, events.stack_functions))', { p0: 'add%' }],
    ['error.handled:false', '(NOT (NOT events.unhandled))', {}],
    ['browser.name:Chrome', `(has(${TAG_PAIRS}, {p0:String}))`, { p0: 'browser.name=Chrome' }],
    ['tags[level]:x', `(has(${TAG_PAIRS}, {p0:String}))`, { p0: 'level=x' }],
    ['tags[level]:x*', '(events.tags[{p0:String}] LIKE {p1:String})', { p0: 'level', p1: 'x%' }],
    ['tags[level]:""', '(events.tags[{p0:String}] = {p1:String})', { p0: 'level', p1: '' }],
    ['has:user.email', "(events.user_email != '')", {}],
    ['!has:foo', "NOT (events.tags[{p0:String}] != '')", { p0: 'foo' }],
    ['release:latest', '(events.release IN {p0:Array(String)})', { p0: ['2.0'] }],
    ['project:web', '(events.project_id IN {p0:Array(UInt64)})', { p0: [7] }],
    [
      'device.screen_dpi:>300',
      "(ifNull(JSONExtract(events.payload, 'contexts', 'device', 'screen_dpi', 'Nullable(Float64)') > {p0:Float64}, 0))",
      { p0: 300 },
    ],
    [
      'device.arch:arm*',
      "(JSONExtractString(events.payload, 'contexts', 'device', 'arch') LIKE {p0:String})",
      { p0: 'arm%' },
    ],
    ...['geo.', 'user.geo.'].map((key): [string, string, object] => [
      `${key}country_code:DE`,
      "(JSONExtractString(events.payload, 'user', 'geo', 'country_code') = {p0:String})",
      { p0: 'DE' },
    ]),
    ['has:geo.city', "(JSONExtractString(events.payload, 'user', 'geo', 'city') != '')", {}],
    ['transaction:\uF00DContains\uF00Dcart', '(events.transaction LIKE {p0:String})', { p0: '%cart%' }],
    ['issue.id:>5', '(events.issue_id > {p0:Float64})', { p0: 5 }],
    ['release:[]', '(0)', {}],
    ['issue:web-4k', '(events.issue_id IN {p0:Array(UInt64)})', { p0: [99, 100] }],
    [
      'timestamp:>=2026-11-20',
      '((events.timestamp >= fromUnixTimestamp64Milli(toInt64({p0:Float64}))))',
      { p0: Date.UTC(2026, 10, 20) },
    ],
  ])('%s', (text, sql, params) => {
    const context = {
      latestReleases: ['2.0'],
      projectIds: new Map([['web', 7]]),
      issueIds: new Map([['WEB-4K', [99, 100]]]),
    }
    expect(filter(text, context)).toEqual({ sql, params })
  })

  it.each([
    'release:>1',
    'timestamp:yesterday',
    'timestamp:2026-02-31',
    'error.handled:maybe',
    'id:latest',
    'issue.id:x',
    'is:unresolved',
    'release.version:>new',
  ])('refuses %s', (text) => {
    expect(toEventFilter(parse(text), { now: NOW }).ok).toBe(false)
  })

  it.each([
    ['level:banana', 'Use one of: fatal, error, warning, info, debug.'],
    ['event.type:banana', 'Use one of: error, default'],
    ['trace:banana', 'It has 32 hexadecimal characters.'],
    ['trace.span:banana', 'It has 16 hexadecimal characters.'],
    ['replay.id:banana', 'is no id of a replay'],
    ['stack.in_app:lol', 'is true or false'],
    ['stack.lineno:lol', 'is not a number'],
    ['device.screen_dpi:lol', 'is not a number'],
    ['device.charging:lol', 'is true or false'],
    ['count_unique(user):>0', 'looks at one event at a time'],
    ['count():5', 'looks at one event at a time'],
    ['has:assigned', 'is asked of issues'],
    ['issue:banana', 'is no short id of an issue. Write issue:PROJECT-4K'],
    ['age:-24h', 'Write timestamp:-24h. If it is a tag, write tags[age].'],
    ['release.stage:adopted', 'is not known here'],
    ['plan:>5', 'tags[plan,number]:>5'],
  ])('says of %s what would be right', (text, sentence) => {
    const message = expect.stringContaining(sentence) as string
    expect(toEventFilter(parse(text), { now: NOW })).toEqual({ ok: false, error: { message, position: 0 } })
  })

  it('looks for frames where they are: in the event, or in the stacks of the searched projects', () => {
    const { sql, params } = filter('stack.lineno:>100', { projectIds: new Map([['web', 7]]) })
    const condition =
      "arrayExists(frame -> ifNull(JSONExtract(frame, 'lineno', 'Nullable(Float64)') > {p0:Float64}, 0), frames)"
    expect(sql.split(condition)).toHaveLength(3)
    expect(sql).toContain('stacks.project_id IN {p1:Array(UInt64)}')
    expect(params).toEqual({ p0: 100, p1: [7] })
  })
})

describe('splitIssueSearch', () => {
  it('divides a search by the store that answers it', () => {
    const { issue, event } = split('is:unresolved assigned:[me, none] level:error timeout')
    expect(issue).toEqual({
      kind: 'and',
      children: [
        { kind: 'is', what: 'unresolved' },
        {
          kind: 'or',
          children: [
            { kind: 'assigned', to: { kind: 'me' } },
            { kind: 'assigned', to: { kind: 'none' } },
          ],
        },
      ],
    })
    expect(shape(event)).toBe('(level:error & timeout)')
  })

  it.each([
    ['age:-24h', { from: NOW - 86_400_000 }],
    ['age:+24h', { to: NOW - 86_400_000 }],
    ['age:>24h', { to: NOW - 86_400_000 }],
    ['age:<24h', { from: NOW - 86_400_000 }],
    ['firstSeen:-7d', { from: NOW - 7 * 86_400_000 }],
    ['firstSeen:>2026-01-01', { from: Date.UTC(2026, 0, 1) }],
    ['firstSeen:<=2026-01-01', { to: Date.UTC(2026, 0, 2) }],
    ['firstSeen:2026-01-01', { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2) }],
    ['firstSeen:>=2026-01-01T10:00:00+01:00', { from: Date.UTC(2026, 0, 1, 9) }],
  ])('%s', (text, range) => {
    expect(split(text).issue).toMatchObject({ kind: 'time', range })
  })

  it('keeps OR on one side, and says so when it is mixed', () => {
    expect(split('is:new OR is:regressed').event).toBeNull()
    expect(split('(level:error OR level:fatal) is:unresolved').issue).toEqual({ kind: 'is', what: 'unresolved' })
    expect(split('(is:new AND level:error)')).toMatchObject({ issue: { kind: 'is' }, event: { kind: 'field' } })
    expect(split('status:unresolved')).toMatchObject({ issue: { kind: 'is', what: 'unresolved' }, event: null })
    expect(split('status:500')).toMatchObject({ issue: null, event: { kind: 'field' } })
    expect(split('!issue.category:feedback').issue).toMatchObject({ kind: 'not' })
    expect(split('issue.id:>=5').issue).toEqual({ kind: 'id', operator: '>=', value: 5 })
    expect(split('is:muted').issue).toEqual({ kind: 'is', what: 'archived' })
    expect(split('issue.category:err*').issue).toMatchObject({ kind: 'text', column: 'category' })
    // Whatever is down is an outage, as Sentry has it; what does not answer is kept as one.
    expect(split('issue.category:outage').issue).toEqual({
      kind: 'or',
      children: [
        { kind: 'text', column: 'category', value: ['outage'] },
        { kind: 'text', column: 'category', value: ['cron'] },
      ],
    })
    expect(split('issue.category:uptime').issue).toEqual({ kind: 'text', column: 'category', value: ['outage'] })
    expect(split('issue.category:cron').issue).toEqual({ kind: 'text', column: 'category', value: ['cron'] })
    expect(split('is:unlinked').issue).toEqual({ kind: 'is', what: 'unlinked' })
    expect(split('!is:linked').issue).toMatchObject({ kind: 'not' })
    expect(split('assigned:[]').issue).toEqual({ kind: 'or', children: [] })
    expect(split('issue.priority:High').issue).toMatchObject({ kind: 'text', value: ['high'] })
    const mixed = splitIssueSearch({ root: parse('is:new OR level:error') }, NOW)
    expect(mixed).toMatchObject({ ok: false, error: { position: 0 } })
  })

  it.each([
    ['is:strange', 0],
    ['a timesSeen:many', 2],
    ['firstSeen:soon', 0],
    ['issue.category:feedback', 0],
    ['lastSeen:>2026-02-31', 0],
    ['issue.id:x', 0],
    ['issue.id:[1, x]', 0],
    ['issue.id:>x', 0],
    ['issue.priority:banana', 0],
    ['is:>new', 0],
    ['issue.category:banana', 0],
    ['!issue.category:[error, banana]', 0],
    ['a issue:banana', 2],
  ])('refuses %s', (text, position) => {
    expect(splitIssueSearch({ root: parse(text) }, NOW)).toMatchObject({ ok: false, error: { position } })
  })
})

function shape(node: SearchNode | null): string {
  if (node === null) return ''
  switch (node.kind) {
    case 'and':
      return `(${node.children.map(shape).join(' & ')})`
    case 'or':
      return `(${node.children.map(shape).join(' | ')})`
    case 'text':
      return node.value.join('*')
    case 'has':
      return `has:${node.key.name}`
    case 'field':
      return `${node.key.name}:${node.values.map((value) => value.join('*')).join(',')}`
  }
}
