import { notFound } from '../http/index.ts'
import type { IssueView } from '../issues/index.ts'

/** An issue that stands, with all that people's reports of it need. */
export type FoundIssue = Awaited<ReturnType<IssueView['records']>>[number] & { readonly organizationId: number }

export interface IssueFinder {
  readonly issues: Pick<IssueView, 'find' | 'records'>
}

/** By id or short id; @throws HttpError 404, also for issues of other organisations. */
export const findIssue = async (
  { issues }: IssueFinder,
  organizationId: number,
  reference: string,
): Promise<FoundIssue> => {
  const id = await issues.find(organizationId, reference)
  const [record] = id === null ? [] : await issues.records(organizationId, [id])
  if (record === undefined) throw notFound()
  return { ...record, organizationId }
}
