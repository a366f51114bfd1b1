import { expect, it } from 'vitest'
import { codeParts, firstSentence } from './sentences.ts'

it.each([
  ['The disk is full. Make room.', 'The disk is full.'],
  ['Part of /srv/a.b/c.bin cannot be read: x. Check it.', 'Part of /srv/a.b/c.bin cannot be read: x.'],
  ['Run `firsthand doctor. now` first. Then look.', 'Run `firsthand doctor. now` first.'],
  ['No stop at all', 'No stop at all'],
  ['', ''],
])('the first sentence of %j', (text, first) => expect(firstSentence(text)).toBe(first))

it('tells code from text', () => {
  expect(codeParts('Its status and `firsthand doctor` say more.')).toEqual([
    'Its status and ',
    'firsthand doctor',
    ' say more.',
  ])
  expect(codeParts('A lone ` stays.')).toEqual(['A lone ` stays.'])
})
