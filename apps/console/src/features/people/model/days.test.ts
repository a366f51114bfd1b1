import { expect, it } from 'vitest'
import { everyDay } from './days.ts'

const DAY = 86_400
const TODAY = 20_784 * DAY

it('draws thirty days until today at least, those without anything among them', () => {
  const days = everyDay(
    [
      [TODAY - 2 * DAY, 1, 0, 1],
      [TODAY, 3, 1, 4],
    ],
    (TODAY + 3600) * 1000,
  )
  expect(days).toHaveLength(30)
  expect(days.slice(-3)).toEqual([
    { at: (TODAY - 2 * DAY) * 1000, errors: 1, reports: 0, all: 1 },
    { at: (TODAY - DAY) * 1000, errors: 0, reports: 0, all: 0 },
    { at: TODAY * 1000, errors: 3, reports: 1, all: 4 },
  ])
  expect(everyDay([[TODAY - 80 * DAY, 1, 0, 1]], TODAY * 1000)).toHaveLength(81)
})
