import { cut, plainLine } from '../../channels/index.ts'
import type { FeedbackRecord } from '../../feedback/index.ts'
import { instantText } from '../../lib/instant-text.ts'
import { LIMITS } from '../limits.ts'
import type { Draft } from '../writing/draft.ts'
import { isPersonal, present, withoutQuery } from './rows.ts'

/** A title has so much of what somebody wrote. */
const TITLE_CHARS = 100

const titleOfMessage = (message: string): string => cut(plainLine(message.split('\n')[0] ?? ''), TITLE_CHARS)

/** What a ticket of a report says. Whoever wrote it has a name there, and no address. */
export const draftOfReport = (report: FeedbackRecord, url: string): Draft => {
  const rows = present([
    ['Page', withoutQuery(report.url)],
    ['Release', report.release],
    ['Environment', report.environment],
    ['Browser', report.browser],
    ['System', report.os],
    ['Issue', report.issue?.shortId],
    ['Written', instantText(report.writtenAt === 0 ? report.createdAt : report.writtenAt)],
    ['Others who said the same', report.merged === 0 ? null : String(report.merged)],
  ])
  const tags = report.tags
    .filter(({ key }) => !isPersonal(key))
    .slice(0, LIMITS.TICKET_TAGS)
    .map(({ key, value }) => ({ name: key, value }))
  return {
    title: titleOfMessage(report.message) || 'A report without words',
    blocks: [
      { kind: 'quote', text: report.message, by: report.name === '' ? 'somebody who uses it' : report.name },
      { kind: 'facts', rows },
      ...(tags.length === 0 ? [] : [{ kind: 'facts', rows: tags } as const]),
    ],
    link: { label: 'The report in Firsthand', url },
  }
}
