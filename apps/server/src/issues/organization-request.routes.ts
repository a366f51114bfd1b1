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

/** Between finding an issue and reading it, it may be merged into another one: then it is found there. */
const LOOKS = 3

/** An issue by id or short id; @throws HttpError 404, also for issues of other organisations. */
export const findIssue = async (
  { issues }: { readonly issues: Pick<IssueServices['issues'], 'find' | 'records'> },
  request: { readonly organization: Pick<CallerOrganization, 'id'> },
  reference: string,
): Promise<IssueRecord> => {
  const { id: organizationId } = request.organization
  for (let look = 0; look < LOOKS; look += 1) {
    const id = await issues.find(organizationId, reference)
    if (id === null) break
    const [record] = await issues.records(organizationId, [id])
    if (record !== undefined) return record
  }
  throw notFound()
}
