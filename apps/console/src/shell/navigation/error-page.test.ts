import { ApiError } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { errorPageText } from './error-page.tsx'

describe("specification: the console's error page", () => {
  it('Application error: a client-side exception has occurred', () => {
    expect(errorPageText(new TypeError('x is undefined'), 'errors.example.com')).toEqual({
      heading:
        'Application error: a client-side exception has occurred while loading errors.example.com (see the browser console for more information).',
    })
  })

  it('or the server-side wording, with `Digest: …` when present', () => {
    expect(errorPageText(new ApiError(500, 'Internal error', { digest: '81bc02e0' }), 'errors.example.com')).toEqual({
      heading:
        'Application error: a server-side exception has occurred while loading errors.example.com (see the server logs for more information).',
      digest: '81bc02e0',
    })
  })

  it('a failure of the server without a digest has no digest line', () => {
    expect(errorPageText(new ApiError(503, 'Too busy'), 'localhost')).not.toHaveProperty('digest')
  })

  it('a refusal (4xx) that a screen did not expect is a client-side exception', () => {
    expect(errorPageText(new ApiError(404, 'Not found'), 'localhost').heading).toContain('client-side')
  })
})
