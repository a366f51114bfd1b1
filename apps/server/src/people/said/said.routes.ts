import { listIssueReports, type IssueReport } from '@firsthand/contract'
import { DEFAULT_PROJECT_SETTINGS, type ProjectLookup } from '../../accounts/index.ts'
import { attachmentJson, dateOf, isPicture, messageJson, START_OF_REPLAY, wayToReporter } from '../../feedback/index.ts'
import { bind, readMomentPage, toMomentPage, type Route } from '../../http/index.ts'
import type { AttachmentView } from '../../kept-items/index.ts'
import type { MomentPage } from '../../lib/moment-page.ts'
import type { Ask } from '../../lib/questions.ts'
import { findIssue, type FoundIssue, type IssueFinder } from '../find-issue.ts'
import type { SaidReport } from '../ledger/said.ts'

export interface SaidParts extends IssueFinder {
  readonly said: (
    about: { readonly organizationId: number; readonly issueIds: readonly number[] },
    page: MomentPage,
  ) => Promise<{ readonly rows: readonly SaidReport[]; readonly hits: number }>
  readonly attachments: Pick<AttachmentView, 'list'>
  readonly settings: Pick<ProjectLookup, 'byProjectId'>
  readonly canSendEmail: boolean
  readonly ask: Ask
}

/** Files of a report among which its first picture is looked for. */
const FIRST_FILES = { limit: 20, offset: 0 }

/** What people said about an issue. */
export const createSaidRoutes = (parts: SaidParts): Route[] => [
  bind(listIssueReports, async ({ params, query, request }) => {
    const issue = await findIssue(parts, request.organization.id, params.issue)
    const asked = readMomentPage(query)
    const found = await parts.said({ organizationId: issue.organizationId, issueIds: issue.storedIds }, asked)
    const { rows, page } = toMomentPage(found.rows, asked, ({ created_at: at, id }) => ({ at, id }))
    const organization = request.organization.slug
    return {
      body: await Promise.all(rows.map((row) => reportJson(parts, { organization, issue }, row))),
      hits: found.hits,
      page,
    }
  }),
]

const reportJson = async (
  parts: SaidParts,
  { organization, issue }: { readonly organization: string; readonly issue: FoundIssue },
  row: SaidReport,
): Promise<IssueReport> => {
  const place = { organizationId: issue.organizationId, projectId: row.project_id }
  const replayId = row.replay_id
  const [files, replayStart, settings] = await Promise.all([
    row.attachments === 0 ? [] : parts.attachments.list({ ...place, eventId: row.event_id }, FIRST_FILES),
    replayId === null ? null : parts.ask(START_OF_REPLAY, { ...place, replayId }),
    parts.settings.byProjectId(row.project_id),
  ])
  const { reply } = (settings?.settings ?? DEFAULT_PROJECT_SETTINGS).feedback
  const way = wayToReporter({ email: row.email, token: row.thread_token }, reply, parts.canSendEmail)
  const picture = files.find(isPicture)
  const writtenAt = row.written_at === 0 ? row.created_at : row.written_at
  const by = row.linked_by ?? 'person'
  return {
    id: String(row.id),
    eventId: row.event_id,
    name: row.name,
    email: row.email,
    message: row.message.toWellFormed(),
    language: row.locale,
    url: row.url,
    release: row.release,
    status: row.status,
    dateCreated: dateOf(row.created_at),
    linkedBy: { by, user: by !== 'person' || row.linkedBy === null ? null : personJson(row.linkedBy) },
    under: row.merged_into_id === null ? null : String(row.merged_into_id),
    user: personKeyOf(row),
    picture:
      picture === undefined
        ? null
        : attachmentJson(organization, { eventId: row.event_id, project: { slug: issue.project.slug } }, picture),
    replay:
      replayId === null
        ? null
        : { replayId, offsetMs: replayStart === null ? null : Math.max(0, writtenAt - replayStart) },
    thread: row.thread.map(messageJson),
    replyCount: row.replies,
    awaitsReply: row.awaits_reply === 1,
    reply: { canReply: way.by !== 'none', by: way.by, reason: way.reason },
  }
}

export const personJson = ({
  id,
  name,
  email,
}: {
  readonly id: number
  readonly name: string
  readonly email: string
}) => ({
  id: String(id),
  name,
  email,
  username: email,
})

/** Whom the page knew, else whoever has the address that was given. */
const personKeyOf = ({ user_key, email }: Pick<SaidReport, 'user_key' | 'email'>): string | null =>
  user_key !== '' ? user_key : email === '' ? null : `email:${email}`
