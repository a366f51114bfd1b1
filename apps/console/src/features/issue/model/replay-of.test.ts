import { expect, it } from 'vitest'
import type { EventView } from './event-view.ts'
import { replayOf } from './replay-of.ts'

const ID = '7f3c19e0b2d84f8aa1c0de7f3c19e0b2'
const context = (id: string | null): EventView['contexts'] => [
  { name: 'replay', title: 'Replay', fields: [['replay_id', id]] },
]
const of = (parts: Partial<Parameters<typeof replayOf>[0]>) => replayOf({ contexts: [], tags: [], ...parts })

it('an event names its replay in a context, or in a tag of older SDKs', () => {
  expect(of({ contexts: context(ID) })).toBe(ID)
  expect(of({ contexts: context('7F3C19E0-B2D8-4F8A-A1C0-DE7F3C19E0B2') })).toBe(ID)
  expect(of({ tags: [['replayId', ID]] })).toBe(ID)
  expect(of({ tags: [['replay_id', ID]], contexts: context(null) })).toBe(ID)
  expect(of({ tags: [['replayId', 'the newest']] })).toBeNull()
  expect(of({})).toBeNull()
})
