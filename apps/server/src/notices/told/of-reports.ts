import type { StoredFact } from '../../facts/index.ts'
import { peopleOfReport } from '../../feedback/index.ts'
import { LIMITS } from '../limits.ts'
import { cut } from '../message-text.ts'
import type { Notice } from '../notice.ts'
import { reportMessage } from './messages.ts'
import type { Surroundings } from './notices-of-facts.ts'
import type { Told } from './of-issues.ts'
import { peopleOfProject } from './people-of.ts'

const QUOTED_CHARS = 120

const NOBODY: Told = { notices: [], subscribed: [] }

/** Whom what visitors say concerns. Null for facts about something else. */
export const noticesOfReport = async (fact: StoredFact, around: Surroundings): Promise<Told | null> => {
  if (fact.kind === 'report_received') return received(fact, around)
  return fact.kind === 'reporter_replied' ? replied(fact, around) : null
}

const received = async (fact: StoredFact<'report_received'>, around: Surroundings): Promise<Told> => {
  const { organizationId, projectId, reportId, issueId } = fact
  if (reportId === null || projectId === null) return NOBODY
  const { message, name, url } = fact.data.report
  const by = name ?? 'A visitor'
  const userIds = new Set([
    ...(await peopleOfProject(around.transaction, organizationId, projectId)),
    ...(await around.askedFor('feedback', projectId)),
  ])
  const told = reportMessage(around.place, {
    id: reportId,
    by,
    text: message,
    url,
    headline: `${by}: “${cut(message.replaceAll(/\s+/g, ' '), QUOTED_CHARS)}”`,
    reason: `Somebody wrote about ${around.place.projectName || around.place.projectSlug}.`,
  })
  return {
    notices: [
      {
        ...base(fact),
        kind: 'feedback',
        userIds: [...userIds],
        message: told,
        // What is said about an issue stands in the line of the issue.
        cause: issueId === null ? `report:${reportId}` : `issue:${issueId}`,
      },
    ],
    subscribed: [],
  }
}

const replied = async (fact: StoredFact<'reporter_replied'>, around: Surroundings): Promise<Told> => {
  const { reportId } = fact
  if (reportId === null) return NOBODY
  const { text, name } = fact.data
  const by = name ?? 'Somebody'
  const answered = await peopleOfReport(around.transaction, reportId)
  const told = reportMessage(around.place, {
    id: reportId,
    by,
    text,
    url: null,
    headline: `${by} answered your reply: “${cut(text.replaceAll(/\s+/g, ' '), QUOTED_CHARS)}”`,
    reason: 'You answered this report, or it is assigned to you.',
  })
  return {
    notices: [{ ...base(fact), kind: 'reply', userIds: answered, message: told, cause: `report:${reportId}` }],
    subscribed: [],
  }
}

const base = (fact: StoredFact): Omit<Notice, 'kind' | 'userIds' | 'message' | 'cause'> => ({
  organizationId: fact.organizationId,
  issueId: fact.issueId,
  reportId: fact.reportId,
  actorId: fact.actorId,
  key: cut(`fact:${fact.id}`, LIMITS.NOTICE_KEY_CHARS),
  isHigh: false,
})
