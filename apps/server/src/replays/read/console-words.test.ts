import { expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { consoleWords } from './console-words.ts'

const said = (message: string, ...values: readonly unknown[]): string =>
  consoleWords({ message }, { logger: 'console', arguments: values })

it('objects that a page wrote to its console are read as JSON, not as [object Object]', () => {
  const declined = { error: 'Payment failed', codes: [1, null, true], in: {} }
  expect(said('checkout failed [object Object]', 'checkout failed', declined)).toBe(
    'checkout failed {"error":"Payment failed","codes":[1,null,true],"in":{}}',
  )
  const error = { name: 'TypeError', message: 'no total', stack: 'TypeError: no total\n  at pay' }
  expect(said('TypeError: no total', error)).toBe('TypeError: no total')
  // The recorder joined them as the browser does.
  expect(said('total 3 %s', 'total', 3)).toBe('total 3 %s')
  expect(consoleWords({ message: 'alone' }, {})).toBe('alone')
})

it('what a page wrote is read no further than it is kept, however deep and large', () => {
  let deep: unknown = 1
  for (let level = 0; level < 200_000; level += 1) deep = { a: deep }
  expect(said('', deep)).toBe(`${'{"a":'.repeat(8)}{…}${'}'.repeat(8)}`)
  const large = said('', 'x'.repeat(1_000_000), { y: 'z'.repeat(1_000_000) })
  expect(large).toBe('x'.repeat(LIMITS.REPLAY_MARK_TEXT_CHARS))
  expect(
    said(
      '',
      Array.from({ length: 1_000_000 }, () => 1),
    ),
  ).toHaveLength(LIMITS.REPLAY_MARK_TEXT_CHARS)
})
