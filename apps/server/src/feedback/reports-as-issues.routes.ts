import { listIssues, listProjectIssues, REPORT_ID_OFFSET } from '@firsthand/contract'
import type { QueryOutput } from '@firsthand/contract'
import { badRequest, bindFor, readPage, toPage } from '../http/index.ts'
import type { Route } from '../http/index.ts'
import { readPeriod, type TimeRange } from '../search/index.ts'
import { projectsOf, readAssignee, readWords, type InboxParts, type InboxRequest } from './inbox-request.routes.ts'
import type { AssigneeId, InboxSelection } from './inbox.store.ts'
import { LIMITS } from './limits.ts'
import { reportAsIssue } from './reports-as-issues.ts'
import { asksForReports, readReportSearch, type ReportSearch } from './search-reports.ts'

const DEFAULT_LIMIT = 25

type Query = QueryOutput<typeof listIssues>

export interface ReportIssueParts extends Pick<InboxParts, 'inbox' | 'clock' | 'resolveProjects' | 'findAssignee'> {
  /** Somebody by e-mail, or a team by slug; null when the organisation has none such. */
  readonly findPerson: (
    organizationId: number,
    reference: { kind: 'email'; email: string } | { kind: 'team'; reference: string },
  ) => Promise<AssigneeId | null>
}

/** The issue stream, where it is asked for what visitors say: the inbox in the shape of issues. */
export const createReportIssueRoutes = (parts: ReportIssueParts): Route[] => {
  const takes = ({ query }: { readonly query?: string | undefined }): boolean => asksForReports(query ?? '')
  const list = async (query: Query, request: InboxRequest & { readonly publicUrl: string }) => {
    const page = readPage({ cursor: query.cursor, limit: query.limit ?? DEFAULT_LIMIT })
    // All other orders of issues come to that of arrival: a report has one priority, and does not come more often of late.
    const sort = query.sort === 'freq' ? 'same' : 'date'
    const asked = { ...page, sort, messageChars: LIMITS.FEEDBACK_ROW_CHARS + 1 } as const
    const found = await parts.inbox.list(await selectionOf(parts, query, request), asked)
    const { rows, page: links } = toPage(found.rows, page)
    const context = {
      publicUrl: request.publicUrl,
      organizationSlug: request.organization.slug,
      lifetime: query.collapse?.includes('lifetime') !== true,
    }
    return { body: rows.map((row) => reportAsIssue(row, context)), hits: found.hits, page: links }
  }
  return [
    bindFor(listIssues, takes, ({ query, request }) => list(query, request)),
    bindFor(listProjectIssues, takes, ({ params, query, request }) =>
      list({ ...query, project: [params.project] }, request),
    ),
  ]
}

/** @throws HttpError 400 where reports do not have what is asked for */
const selectionOf = async (parts: ReportIssueParts, query: Query, request: InboxRequest): Promise<InboxSelection> => {
  const { organization } = request
  const now = parts.clock.now()
  const search = readReportSearch(query.query ?? '', now)
  if (!search.ok) throw badRequest(search.error)
  const period = readPeriod(query, now)
  if (!period.ok) throw badRequest(period.error)
  const { arrived, assigned, mailbox, tags, words } = search.value
  const environments = environmentsOf(query, search.value)
  return {
    organizationId: organization.id,
    projectIds: await commonProjects(parts, organization.id, query, search.value),
    ...(query.group === undefined ? {} : { ids: query.group.map((id) => Number(id) - REPORT_ID_OFFSET) }),
    mailbox,
    words: readWords(words),
    tags,
    ...(assigned === undefined ? {} : { assignee: await assigneeOf(parts, request, assigned, 'query') }),
    ...(environments === null ? {} : { environments }),
    period: overlap(period.value === null ? arrived : [period.value, ...arrived]),
  }
}

/** Those that the address names and each condition of the search names as well; null is all. */
const commonProjects = async (
  parts: ReportIssueParts,
  organizationId: number,
  { project = [] }: Query,
  { projects }: ReportSearch,
): Promise<readonly number[] | null> => {
  const named = project.filter((reference) => reference !== '')
  let common: readonly number[] | null = null
  for (const references of named.length === 0 ? projects : [named, ...projects]) {
    const ids = await projectsOf(parts, organizationId, references)
    common = common === null || ids === null ? (common ?? ids) : common.filter((id) => ids.includes(id))
  }
  return common
}

const environmentsOf = ({ environment = [] }: Query, { environments }: ReportSearch): readonly string[] | null => {
  const named = environment.filter((name) => name !== '')
  if (named.length === 0) return environments ?? null
  return environments === undefined ? named : named.filter((name) => environments.includes(name))
}

/** Whom a search or a change names: as the inbox does, by e-mail, or a team by slug. @throws HttpError 400 */
export const assigneeOf = async (
  { findAssignee, findPerson }: ReportIssueParts,
  { caller, organization }: InboxRequest,
  text: string | null,
  field: string,
): Promise<AssigneeId | null> => {
  if (text === null || text === '') return null
  const person = (): Promise<AssigneeId | null> => {
    const [, team] = /^(?:#|team:)(.+)$/.exec(text) ?? []
    if (team !== undefined) return findPerson(organization.id, { kind: 'team', reference: team })
    if (text.includes('@')) return findPerson(organization.id, { kind: 'email', email: text })
    const known = readAssignee(text, caller.user.id)
    return known === null ? Promise.resolve(null) : findAssignee(organization.id, known)
  }
  const found = await person()
  if (found !== null) return found
  const detail = `"${text}" is neither a member nor a team of this organisation.`
  throw badRequest(detail, { [field]: detail })
}

const overlap = (ranges: readonly TimeRange[]): { readonly from: number; readonly to: number } | null =>
  ranges.length === 0
    ? null
    : {
        from: Math.max(...ranges.map(({ from }) => from ?? 0)),
        to: Math.min(...ranges.map(({ to }) => to ?? Number.MAX_SAFE_INTEGER)),
      }
