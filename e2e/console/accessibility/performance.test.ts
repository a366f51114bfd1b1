import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closePages } from '../../lib/shared.ts'
import { type Exhibition, examine, prepareExhibition } from './exhibition.ts'
import { OF_PERFORMANCE } from './screens.ts'

describe('the screens of performance for everybody', () => {
  let exhibition: Exhibition
  beforeAll(async () => {
    exhibition = await prepareExhibition('accessibility-performance')
  })
  afterAll(() => closePages(exhibition.browser))

  it.each(OF_PERFORMANCE.map((screen) => [screen.path('…'), screen] as const))(
    'axe finds nothing on %s at both sizes and in both themes, and nothing scrolls sideways at 320 px',
    async (_, screen) => {
      const { page, complaints } = await exhibition.open(screen)
      expect(await examine(page)).toEqual([])
      expect(complaints.list).toEqual([])
    },
  )
})
