import { expect, it } from 'vitest'
import { composeDigest } from './digest-message.ts'
import { messageOf } from './people.fixture.ts'

it('a digest says of each thing who did it, or why one is told, and its subject is short', () => {
  const said = (headline: string, reason: string) => ({ ...messageOf(headline), reason })
  const digest = composeDigest(
    [
      { cause: 'issue:1', message: said('Assigned to you, SHOP-1: TypeError', 'Ann assigned it to you.') },
      { cause: 'issue:2', message: said('New note in SHOP-2: PriceError', 'You follow this issue.') },
      { cause: 'issue:2', message: said('Resolved, SHOP-2: PriceError', 'Ben resolved it. You follow this issue.') },
    ],
    'digest:1',
  )
  expect(digest.headline).toBe('3 things happened: Assigned to you, SHOP-1: TypeError')
  const [list] = digest.blocks
  expect(list?.kind === 'list' ? list.items.map(({ text }) => text) : []).toEqual([
    'Assigned to you, SHOP-1: TypeError – Ann assigned it to you.',
    'Resolved, SHOP-2: PriceError (and 1 more) – Ben resolved it. You follow this issue.',
  ])
})
