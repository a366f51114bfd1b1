import { expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import { newsOf } from './replay-news.ts'

it('R58 names each replay of which something was stored, and none when they are too many', () => {
  const [first, other] = [{ replayId: 'a'.repeat(32) }, { replayId: 'b'.repeat(32) }]
  expect(newsOf([first, null, other, first])).toEqual({ replayIds: [first.replayId, other.replayId] })
  const many = Array.from({ length: LIMITS.REPLAYS_NAMED_LIVE + 1 }, (_, number) => ({ replayId: String(number) }))
  expect(newsOf(many.slice(1)).replayIds).toHaveLength(LIMITS.REPLAYS_NAMED_LIVE)
  expect(newsOf(many)).toEqual({ replayIds: null })
})
