import { ApiError } from '@firsthand/contract'
import { expect, it } from 'vitest'
import { sessionQuery } from './shared-queries.ts'

it('the session is not asked for again at once when the server says why it cannot answer', () => {
  const { retry } = sessionQuery
  if (typeof retry !== 'function') throw new Error('the session has no rule of its own for retries')
  expect(retry(0, new ApiError(503, 'The ledger was moved away.'))).toBe(false)
  expect(retry(0, new ApiError(404, 'Not found'))).toBe(false)
  expect(retry(0, new ApiError(502, 'Bad gateway'))).toBe(true)
  expect(retry(1, new TypeError('Failed to fetch'))).toBe(true)
  expect(retry(2, new TypeError('Failed to fetch'))).toBe(false)
})
