import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Unanswerable } from '../lib/unanswerable.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { createServices, FROM, insertSpans, tableOf, type Ask } from './test/sample-spans.ts'
import type { TableQuery } from './table.ts'

/** What nobody writes who wants to know something. */
const WORDS = [
  '',
  "'",
  '"',
  '\\',
  '`',
  '\0',
  '\ud800',
  "' OR 1=1 --",
  "'; DROP TABLE spans; --",
  '{a0:String}',
  'a0',
  '1) UNION ALL SELECT 1 --',
  'tags[',
  'tags[,number]',
  'tags[a]]',
  '__proto__',
  '1e309',
  '-1',
  'NaN',
  '9'.repeat(40),
  'timestamp:>9999999999999',
  'span.duration:>1e9w',
  'id:*',
  'has:',
  'span.op:[a,b',
  '((((',
  'OR OR',
  'count():>1 OR a:b',
  'project:*',
  'p95(',
  'p95(a,b,c,d,e)',
  'count_if(`count_if(`a:b`)`)',
  'count_if(,,)',
  'equation|count()/0-1',
  '😀',
  'a'.repeat(400),
  '0001-01-01T00:00:00',
  '9999-12-31T00:00:00',
  '+275760-09-12T00:00:00Z',
] as const

const forged = (values: readonly unknown[]): string =>
  `${Buffer.from(JSON.stringify(values)).toString('base64url')}:1:0`

const PLACES: readonly (readonly [string, (word: string) => Partial<TableQuery>])[] = [
  ['a field', (word) => ({ field: [word] })],
  ['a field beside a function', (word) => ({ field: [word, 'count()'], sort: ['-count()'] })],
  ['a tag', (word) => ({ field: [`tags[${word}]`, `tags[${word},number]`, `tags[${word},boolean]`] })],
  ['an argument', (word) => ({ field: [`p95(${word})`] })],
  ['an argument among others', (word) => ({ field: [`count_if(span.op,equals,${word})`] })],
  ['a key of a condition', (word) => ({ field: [`avg_if(span.duration,${word},equals,1)`] })],
  ['a search in a function', (word) => ({ field: [`count_if(\`${word}\`)`] })],
  ['a search', (word) => ({ field: ['span.op'], query: word })],
  ['a value of a search', (word) => ({ field: ['count()'], query: `span.op:${word}` })],
  ['a value of an attribute', (word) => ({ field: ['count()'], query: `"${word}":>${word}` })],
  ['a condition on groups', (word) => ({ field: ['span.op', 'count()'], query: `count():>${word}` })],
  ['an order', (word) => ({ field: ['span.op'], sort: [word] })],
  ['a cursor', (word) => ({ field: ['span.op'], cursor: word })],
  ['a cursor of ours', (word) => ({ field: ['span.op'], cursor: forged([1, word, word, word]) })],
  ['a cursor of groups', (word) => ({ cursor: word })],
  ['a number in a cursor', (word) => ({ field: ['span.op'], cursor: forged([Number(word), 0, '1', '1']) })],
  ['an id in a cursor', (word) => ({ field: ['span.op'], cursor: forged([1, 0, '1', word]) })],
  ['an environment', (word) => ({ field: ['span.op'], environment: [word] })],
  ['a beginning', (word) => ({ field: ['span.op'], statsPeriod: undefined, start: word })],
  ['an end', (word) => ({ field: ['span.op'], statsPeriod: undefined, end: word })],
]

describe.each(TELEMETRY_ENGINES)('hostile questions on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let ask: Ask
  beforeAll(async () => {
    opened = await open()
    ask = tableOf(createServices(opened))
    await insertSpans(opened, [
      { name: 'a', strings: { a: 'b', size: '5' } },
      { name: 'foreign', organization: 2, op: 'secret' },
    ])
  })
  afterAll(() => opened.close())

  it.each(PLACES)('T113, T114 anything as %s is answered or refused, and shows nothing of others', async (_, place) => {
    const failures: string[] = []
    await Promise.all(
      WORDS.map(async (word) => {
        try {
          const { rows } = await ask(place(word))
          if (JSON.stringify(rows).includes('secret')) failures.push(`${JSON.stringify(word)} shows a secret`)
        } catch (error) {
          if (error instanceof Unanswerable) return
          failures.push(`${JSON.stringify(word)}: ${(error as Error).message.slice(0, 300)}`)
        }
      }),
    )
    expect(failures).toEqual([])
    expect(
      (await ask({ field: ['count()'], start: new Date(FROM).toISOString(), statsPeriod: undefined })).rows,
    ).toEqual([{ 'count()': 1 }])
  })
})
