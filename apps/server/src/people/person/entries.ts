import type { PersonEntry } from '@firsthand/contract'
import type { ProjectReference } from '../../accounts/index.ts'
import type { MessageOfPerson, ReportOfPerson, ToldToPerson } from '../../feedback/index.ts'
import { standingIssues, type ErrorOfPerson, type IssueView } from '../../issues/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import type { LineOfPerson } from '../../logs/index.ts'
import type { ReplayOfPerson } from '../../replays/index.ts'
import type { AskedPerson } from '../../search/index.ts'
import type { TransactionOfPerson } from '../../traces/index.ts'
import { LIMITS } from '../limits.ts'
import type { PersonSources } from './sources.ts'
import type { TimedEntry } from './timeline.ts'

interface AskedEntries extends AskedPerson {
  /** Of each kind, the newest. */
  readonly limit: number
  readonly kinds: readonly PersonEntry['kind'][]
}

interface EntryParts {
  readonly sources: PersonSources
  readonly issues: Pick<IssueView, 'merges' | 'records'>
}

const orNull = (text: string | null): string | null => (text === '' ? null : text)

const short = (text: string): string => text.slice(0, LIMITS.PERSON_TEXT_CHARS).toWellFormed()

/** What is known of a person in a time, as the contract calls it; in no order. */
export const readEntries = async (
  { sources, issues }: EntryParts,
  projects: readonly ProjectReference[],
  { kinds, ...asked }: AskedEntries,
): Promise<readonly TimedEntry[]> => {
  const page = { ...asked, seconds: LIMITS.PERSON_READ_SECONDS }
  const said = { ...asked, characters: LIMITS.PERSON_TEXT_CHARS }
  const wants = (kind: PersonEntry['kind']): boolean => kinds.includes(kind)
  const [errors, transactions, lines, replays, reports, messages, told] = await Promise.all([
    wants('error') ? sources.errors.list(page) : [],
    wants('transaction') ? sources.transactions.list(page) : [],
    wants('log') ? sources.lines.list(page, LIMITS.PERSON_TEXT_CHARS) : [],
    wants('replay') ? sources.replays.list(page, LIMITS.PERSON_REPLAY_URLS) : [],
    wants('report') ? sources.reports.reports(said) : [],
    wants('message') ? sources.reports.messages(said) : [],
    wants('told') ? sources.reports.told(said) : [],
  ])
  const standing = await standingIssues(issues, asked.organizationId, [
    ...errors.map(({ storedIssueId }) => storedIssueId),
    ...reports.flatMap(({ issue_id: id }) => id ?? []),
  ])
  const issueOf: IssueOf = (storedId) => {
    const record = storedId === null ? undefined : standing.get(storedId)
    if (record === undefined) return null
    const { id, shortId, title, status, level } = record
    return { id: String(id), shortId, title, status, level }
  }
  const named = new Map(projects.map(({ id, name, slug }) => [id, { id: String(id), name, slug }]))
  /** Whatever is of a project that is not asked for stays out. */
  const timed = <Row>(
    rows: readonly Row[],
    placeOf: (row: Row) => { readonly at: number; readonly projectId: number },
    make: (row: Row, common: Common) => PersonEntry,
  ): readonly TimedEntry[] =>
    rows.flatMap((row) => {
      const { at, projectId } = placeOf(row)
      const project = named.get(projectId)
      return project === undefined ? [] : [{ at, entry: make(row, { at: toDate(at), project }) }]
    })
  const received = (row: { readonly created_at: number; readonly project_id: number }) => ({
    at: row.created_at,
    projectId: row.project_id,
  })

  return [
    ...timed(
      errors,
      (row) => row,
      (row, common) => errorEntry(row, common, issueOf),
    ),
    ...timed(transactions, (row) => row, transactionEntry),
    ...timed(lines, (row) => row, logEntry),
    ...timed(replays, (row) => row, replayEntry),
    ...timed(reports, received, (row, common) => reportEntry(row, common, issueOf)),
    ...timed(messages, received, messageEntry),
    ...timed(told, received, toldEntry),
  ]
}

type Common = Pick<PersonEntry, 'at' | 'project'>
type IssueOf = (storedId: number | null) => Extract<PersonEntry, { kind: 'error' }>['issue']

const errorEntry = (row: ErrorOfPerson, common: Common, issueOf: IssueOf): PersonEntry => ({
  kind: 'error',
  ...common,
  id: row.eventId,
  title: short(row.title),
  level: row.level,
  issue: issueOf(row.storedIssueId),
  release: row.release,
  transaction: row.transaction,
  traceId: orNull(row.traceId),
  replayId: orNull(row.replayId),
})

const transactionEntry = (row: TransactionOfPerson, common: Common): PersonEntry => ({
  kind: 'transaction',
  ...common,
  id: row.spanId,
  traceId: row.traceId,
  name: short(row.name),
  op: row.op,
  durationMs: row.duration,
  status: row.status,
  httpStatus: row.httpStatus === 0 ? null : row.httpStatus,
  release: row.release,
})

const logEntry = (row: LineOfPerson, common: Common): PersonEntry => ({
  kind: 'log',
  ...common,
  id: row.id,
  level: row.level,
  body: short(row.body),
  traceId: orNull(row.traceId),
})

const replayEntry = (row: ReplayOfPerson, common: Common): PersonEntry => ({
  kind: 'replay',
  ...common,
  id: row.replayId,
  until: toDate(row.until),
  urls: [...row.urls],
  clicks: row.clicks,
  deadClicks: row.deadClicks,
  rageClicks: row.rageClicks,
  errors: row.errors,
  browser: row.browser,
  os: row.os,
  release: row.release,
})

const reportEntry = (row: ReportOfPerson, common: Common, issueOf: IssueOf): PersonEntry => ({
  kind: 'report',
  ...common,
  id: String(row.id),
  message: short(row.message),
  status: row.status,
  url: row.url,
  release: row.release,
  awaitsReply: row.awaits_reply === 1,
  pictures: row.attachments,
  issue: issueOf(row.issue_id),
  replayId: orNull(row.replay_id),
})

const messageEntry = (row: MessageOfPerson, common: Common): PersonEntry => ({
  kind: 'message',
  ...common,
  id: String(row.id),
  text: short(row.text),
  report: String(row.report_id),
})

const toldEntry = (row: ToldToPerson, common: Common): PersonEntry => ({
  kind: 'told',
  ...common,
  id: String(row.id),
  text: short(row.text),
  report: String(row.report_id),
  user: personJson(row),
  state: row.delivery ?? 'page',
  sentAt: row.sent_at === null ? null : toDate(row.sent_at),
  error: row.error === null ? null : short(row.error),
})

/** Null also for somebody whose account is gone. */
const personJson = ({ user_id: id, user_name: name, user_email: email }: ToldToPerson) =>
  id === null || name === null || email === null ? null : { id: String(id), name, email, username: email }
