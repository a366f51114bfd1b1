import { expect, it } from 'vitest'
import { placeOfProfile } from './profile-place.ts'
import { STARTED, testTrace } from './testing.ts'
import { readTrace } from './trace.ts'

it('T60, T63: a profile stands where its spans do, also when the clock of its service is put right', () => {
  const model = readTrace(
    testTrace(
      [
        {
          id: 'a'.repeat(16),
          name: 'page',
          from: 0,
          to: 1000,
          children: [{ id: 'b'.repeat(16), name: 'GET /late', from: 5100, to: 5400, shift: -5000, project: 1 }],
        },
      ],
      {
        projects: [
          { id: '1', slug: 'web' },
          { id: '2', slug: 'api' },
        ],
      },
    ),
  )
  const started = Date.parse(STARTED) * 1000
  const place = (projectId: string, spanId: string, at: number) =>
    placeOfProfile(model, { projectId, spanId, start: started + at, end: started + at + 100_000 })
  expect(place('2', 'b'.repeat(16), 5_150_000)).toBe(150_000)
  expect(place('2', '', 5_150_000)).toBe(150_000)
  expect(place('1', '', 200_000)).toBe(200_000)
  // None of its spans is here.
  expect(place('3', '', 300_000)).toBe(300_000)
})
