import { ApiError } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'

import { bulkFailureOf, bulkHeading } from './bulk-failure.ts'

const answer = (status: number) => bulkFailureOf(new ApiError(status, 'No.'))

describe('a change of many issues that failed', () => {
  it.each([401, 408, 429, 500, 503])(
    'goes on when it is tried again after a %i, and can be left unfinished',
    (status) => {
      expect(answer(status)).toEqual({
        title: 'The change was interrupted',
        mayGoOn: true,
        left: 'The change was left unfinished',
      })
    },
  )

  it('goes on when the server could not be reached', () => {
    expect(bulkFailureOf(new TypeError('Failed to fetch'))).toMatchObject({ mayGoOn: true })
  })

  it.each([400, 403, 404, 409])(
    'offers neither to go on nor to undo after a %i, which would be refused too',
    (status) => {
      expect(answer(status)).toEqual({ title: 'The change was refused', mayGoOn: false, left: null })
    },
  )

  it('is announced as something to come only as long as trying it may do it', () => {
    const title = (status: number) => bulkHeading('143 issues', 'archived forever', answer(status)).title
    expect(bulkHeading('143 issues', 'archived forever', null).title).toBe('143 issues will be archived forever')
    expect(title(409)).toBe('Refused: 143 issues to be archived forever')
    expect(title(503)).toBe('143 issues will be archived forever')
    expect(title(403)).toBe('Refused: 143 issues to be archived forever')
  })
})
