import { badRequest, notFound } from '../http/index.ts'
import type { Caller, CallerOrganization } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { LIMITS } from './limits.ts'
import { readPeriod } from '../search/index.ts'
import type { AssigneeId, FeedbackActor, FeedbackRecord, InboxSelection } from './inbox.store.ts'
import type { Inbox } from './ledger/inbox.ts'

/** What the routes of the inbox read from a request. */

export interface InboxRequest {
  readonly caller: Caller
  readonly organization: CallerOrganization
}

export interface InboxParts {
  readonly inbox: Inbox
  readonly clock: Clock
  /** Null when one of them is not in the organisation. */
  readonly resolveProjects: (organizationId: number, references: readonly string[]) => Promise<readonly number[] | null>
  /** Somebody, or a team, of the organisation; null when there is none. */
  readonly findAssignee: (organizationId: number, reference: AssigneeId) => Promise<AssigneeId | null>
  /** Told whenever people change reports; for live updates. */
  readonly changed: (organizationId: number) => void
}

export interface SelectionQuery {
  readonly mailbox?: InboxSelection['mailbox'] | undefined
  readonly query?: string | undefined
  readonly assigned?: string | undefined
  readonly tag?: readonly string[] | undefined
  readonly project?: readonly string[] | undefined
  readonly statsPeriod?: string | undefined
  readonly start?: string | undefined
  readonly end?: string | undefined
}

export const actorOf = ({ caller, organization }: InboxRequest, clock: Clock): FeedbackActor => ({
  organizationId: organization.id,
  userId: caller.user.id,
  now: clock.now(),
})

export const projectsOf = async (
  { resolveProjects }: Pick<InboxParts, 'resolveProjects'>,
  organizationId: number,
  references: readonly string[] | undefined,
): Promise<readonly number[] | null> => {
  if (references === undefined || references.includes('-1')) return null
  const projectIds = await resolveProjects(organizationId, references)
  if (projectIds === null) throw notFound('There is no such project in this organisation.')
  return projectIds
}

/** `user:1`, `team:2`, `me`, `none`, a user id. @throws HttpError 400 */
export const readAssignee = (text: string, own: number): AssigneeId | null => {
  if (text === 'none' || text === '') return null
  if (text === 'me') return { type: 'user', id: own }
  const [, type, id] = /^(?:(user|team):)?(\d{1,15})$/.exec(text) ?? []
  if (id === undefined) {
    const detail = `"${text}" is nobody: write user:<id>, team:<id>, me or none.`
    throw badRequest(detail, { assigned: detail })
  }
  return { type: type === 'team' ? 'team' : 'user', id: Number(id) }
}

/** Every word costs a look at every report. @throws HttpError 400 */
export const readWords = (given: readonly string[]): readonly string[] => {
  const words = [...new Set(given.map((word) => word.toLowerCase()).filter((word) => word !== ''))]
  if (words.length > LIMITS.FEEDBACK_QUERY_WORDS) {
    const detail = `A search of the inbox has at most ${LIMITS.FEEDBACK_QUERY_WORDS} different words; this one has ${words.length}. Leave out the commonest.`
    throw badRequest(detail, { query: detail })
  }
  if (words.some((word) => word.length > LIMITS.FEEDBACK_QUERY_WORD_CHARS)) {
    const detail = `A word of a search has at most ${LIMITS.FEEDBACK_QUERY_WORD_CHARS} characters. Search for a part of it.`
    throw badRequest(detail, { query: detail })
  }
  return words
}

/** @throws HttpError 400 */
export const readSelection = async (
  parts: InboxParts,
  { caller, organization }: InboxRequest,
  query: SelectionQuery,
): Promise<InboxSelection> => {
  const period = readPeriod(query, parts.clock.now())
  if (!period.ok) throw badRequest(period.error)
  return {
    organizationId: organization.id,
    projectIds: await projectsOf(parts, organization.id, query.project),
    mailbox: query.mailbox ?? 'open',
    words: readWords((query.query ?? '').split(/\s+/)),
    tags: (query.tag ?? []).map((tag): [string, string] => {
      const at = tag.indexOf(':')
      if (at < 1) throw badRequest('A tag is written key:value.', { tag: 'A tag is written key:value.' })
      return [tag.slice(0, at), tag.slice(at + 1)]
    }),
    ...(query.assigned === undefined ? {} : { assignee: readAssignee(query.assigned, caller.user.id) }),
    period: period.value,
  }
}

/** By id or event id. @throws HttpError 404, also for reports of other organisations */
export const findReport = async (
  { inbox }: Pick<InboxParts, 'inbox'>,
  { organization }: InboxRequest,
  reference: string,
): Promise<FeedbackRecord> => {
  const record = await inbox.find(organization.id, reference)
  if (record === null) throw notFound()
  return record
}

export const mayRead = ({ organization }: InboxRequest): boolean => organization.scopes.has('event:read')

const NO_DETAILS: FeedbackRecord['details'] = {
  user: null,
  fields: [],
  userAgent: '',
  locale: '',
  sdk: null,
  breadcrumbs: [],
}

/** A report for who has changed it: without `event:read` only which one it is, and how it stands now. */
export const asShown = (request: InboxRequest, record: FeedbackRecord): FeedbackRecord =>
  mayRead(request)
    ? record
    : {
        ...record,
        message: '',
        name: '',
        email: '',
        url: '',
        browser: '',
        os: '',
        environment: '',
        release: '',
        tags: [],
        traceId: null,
        replayId: null,
        associatedEventId: null,
        issue: null,
        attachments: 0,
        notes: 0,
        merged: 0,
        replies: 0,
        threadToken: null,
        details: NO_DETAILS,
      }
