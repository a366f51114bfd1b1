import { REPORT_ID_OFFSET } from '@firsthand/contract'
import { formatShortId, parseShortId } from '../issues/index.ts'
import type { FeedbackRow } from './inbox.store.ts'

/**
 * What a report is called where Sentry's clients read it as an issue: `SHOP-U2F`. Digits of an issue's short id have no
 * U, so that nobody can mean the one and reach the other.
 */
export const reportShortId = ({ id, project }: Pick<FeedbackRow, 'id' | 'project'>): string =>
  formatShortId(project.slug, id).replace(/-(?=[^-]*$)/, '-U')

/** Its id there. */
export const reportIssueId = ({ id }: Pick<FeedbackRow, 'id'>): string => String(REPORT_ID_OFFSET + id)

const ISSUE_ID = /^\d{13,15}$/
const SHORT_ID = /^(.+-)U([0-9A-Z]{1,8})$/i
const EVENT_ID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

/** A report's id, with its project where a short id names one, or the id of its event. */
export type ReportReference =
  | { readonly eventId: string }
  | { readonly id: number; readonly projectSlug: string | null }

/** What a reference to an issue says, when it can only mean a report; else null. */
export const readReportReference = (text: string): ReportReference | null => {
  const id = ISSUE_ID.test(text) ? Number(text) - REPORT_ID_OFFSET : 0
  if (id > 0) return { id, projectSlug: null }
  if (EVENT_ID.test(text)) return { eventId: text.replaceAll('-', '').toLowerCase() }
  const [, project = '', digits = ''] = SHORT_ID.exec(text) ?? []
  const read = digits === '' ? null : parseShortId(project + digits)
  return read === null ? null : { id: read.number, projectSlug: read.projectSlug }
}
