import { notFound, type Caller, type CallerOrganization } from '../http/index.ts'
import type { IssueRecord } from './issues.view.ts'
import type { IssueServices } from './services.ts'

/** What the routes of this slice use of a request. */
export interface OrganizationRequest {
  readonly caller: Caller
  readonly organization: CallerOrganization
  readonly publicUrl: string
}

export const askerOf = ({ caller, organization }: Omit<OrganizationRequest, 'publicUrl'>) => ({
  organizationId: organization.id,
  userId: caller.user.id,
})

export const userIdOf = (request: OrganizationRequest): number => request.caller.user.id

/** An issue by id or short id; @throws HttpError 404, also for issues of other organisations. */
export const findIssue = async (
  { issues }: Pick<IssueServices, 'issues'>,
  request: OrganizationRequest,
  reference: string,
): Promise<IssueRecord> => {
  const id = await issues.find(request.organization.id, reference)
  const [record] = id === null ? [] : await issues.records(request.organization.id, [id])
  if (record === undefined) throw notFound()
  return record
}
