import { describe, expect, it } from 'vitest'
import { findIssue } from './organization-request.routes.ts'
import type { IssueRecord } from './issues.view.ts'

const request = { organization: { id: 1 } }

/** Issues 1 and 2, the first of which is merged into the other after so many looks for it. */
const mergedAfter = (looks: number) => {
  let found = 0
  return {
    find: async () => (++found > looks ? 2 : 1),
    records: async (_: number, ids: readonly number[]) =>
      ids.flatMap((id) => (id === 2 || found < looks ? [{ id } as IssueRecord] : [])),
  }
}

describe('an issue that an address names', () => {
  it('is found where it went when it is merged into another between two looks', async () => {
    expect((await findIssue({ issues: mergedAfter(1) }, request, '1')).id).toBe(2)
  })

  it('is not there when nothing of it is, however often it is looked for', async () => {
    const gone = { find: async () => 1, records: async () => [] }
    await expect(findIssue({ issues: gone }, request, '1')).rejects.toMatchObject({ status: 404 })
    const unknown = { find: async () => null, records: async () => [] }
    await expect(findIssue({ issues: unknown }, request, '9')).rejects.toMatchObject({ status: 404 })
  })
})
