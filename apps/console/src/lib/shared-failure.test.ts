import { ApiError } from '@firsthand/contract'
import { expect, it } from 'vitest'
import { sharedFailure } from './shared-failure.ts'

const busy = new ApiError(503, 'The telemetry does not answer.')

it('what all parts of a page failed of is said once, and asked again for all', () => {
  const again: string[] = []
  const part = (name: string, error: Error | null, data?: unknown) => ({ data, error, refetch: () => again.push(name) })
  sharedFailure([part('chart', busy), part('table', new ApiError(503, 'The telemetry does not answer.'))])?.retry?.()
  expect(again).toEqual(['chart', 'table'])
  expect(sharedFailure([part('chart', busy), part('table', null)])).toBeNull()
  expect(sharedFailure([part('chart', null), part('table', busy)])).toBeNull()
  expect(sharedFailure([part('chart', busy), part('table', busy, [])])).toBeNull()
  expect(sharedFailure([part('chart', busy), part('table', new ApiError(503, 'Another reason.'))])).toBeNull()
  expect(sharedFailure([])).toBeNull()
})

it('what was refused is not asked again', () => {
  const refused = { data: undefined, error: new ApiError(400, '"abc" is not a number.'), refetch: () => undefined }
  expect(sharedFailure([refused, refused])).toEqual({ error: refused.error, retry: undefined })
})
