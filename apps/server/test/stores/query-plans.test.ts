import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccountStore } from '../../src/accounts/ledger/account-store.ts'
import { DEFAULT_PROJECT_SETTINGS } from '../../src/accounts/settings.ts'
import type { LedgerFeedback } from '../../src/feedback/feedback.store.ts'
import type { InboxSelection } from '../../src/feedback/inbox.store.ts'
import { createLedgerInbox } from '../../src/feedback/ledger/inbox.ts'
import { countReports, organizationOfReport, reportOf } from '../../src/feedback/ledger/reports-about.ts'
import { createReportsOfPerson } from '../../src/feedback/ledger/reports-of-person.ts'
import { createTracesOfReports } from '../../src/feedback/ledger/traces-of-reports.ts'
import { countWriters, rankWriters } from '../../src/feedback/ledger/writers.ts'
import { createLedgerThreads } from '../../src/feedback/ledger/threads.ts'
import { readUserReport } from '../../src/feedback/read-feedback.ts'
import type { IssueSelection } from '../../src/issues/issues.view.ts'
import { createLedgerIssueMarks } from '../../src/issues/ledger/issue-marks.ts'
import { createLedgerIssueView } from '../../src/issues/ledger/issue-view.ts'
import { createLedgerIssueWorkflow } from '../../src/issues/ledger/issue-workflow.ts'
import { organizationOfIssue } from '../../src/issues/ledger/organization-of-issue.ts'
import { BASE_TIME, hex, ledgerBatch, ledgerEvent } from '../../src/issues/test/sample-events.ts'
import { readSaid } from '../../src/people/ledger/said.ts'
import { createTellingSends } from '../../src/people/ledger/send-tellings.ts'
import { untoldIssues } from '../../src/people/ledger/untold.ts'
import { recipientsOf } from '../../src/people/ledger/written-reports.ts'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../../src/storage/conformance/engines.ts'
import type { Ledger } from '../../src/storage/index.ts'
import { createIssueStore } from './batch-stores.ts'

/**
 * How SQLite would answer the statements behind what is done most: asked of its planner, so that what would be slow with
 * a million rows is found with three.
 */

/** Tables that grow with what is sent. */
const BIG = [
  'issues',
  'issue_hashes',
  'issue_activity',
  'issue_marks',
  'event_index',
  'feedback',
  'feedback_tags',
  'feedback_activity',
  'feedback_messages',
]

/**
 * `one`: finds rows by a key, and never looks through all of an organisation or project. `page`: reads in the order of an
 * index, so that it may stop at the last row of the page. `whole`: has to look at all of an organisation.
 */
type Kind = 'one' | 'page' | 'whole'

const ofBig = (pattern: string): RegExp => new RegExp(pattern.replace('BIG', `(?:${BIG.join('|')})`))
const SCAN = ofBig(String.raw`^SCAN BIG\b`)
const ALL_OF_ONE = ofBig(String.raw`^SEARCH BIG\b.* \((?:organization_id|project_id)=\?(?: AND status=\?)?\)$`)
const SORTED = /^USE TEMP B-TREE FOR .*ORDER BY/

const isWrong = (kind: Kind, step: string): boolean =>
  SCAN.test(step) || (kind === 'one' && ALL_OF_ONE.test(step)) || (kind === 'page' && SORTED.test(step))

const NOW = BASE_TIME
const REPORT = 'ab'.repeat(16)
const ORGANIZATION = 1
const ISSUES: IssueSelection = {
  organizationId: ORGANIZATION,
  projectIds: [1, 2],
  allProjects: true,
  condition: { kind: 'is', what: 'unresolved' },
  userId: 1,
  seen: { from: NOW - 86_400_000 },
  ids: null,
}
const OF_PROJECT: IssueSelection = { ...ISSUES, projectIds: [1], allProjects: false }
const FIRST_PAGE = { beyond: null, backwards: false, limit: 25 } as const
const INBOX: InboxSelection = {
  organizationId: ORGANIZATION,
  projectIds: null,
  mailbox: 'open',
  words: [],
  tags: [],
  period: null,
}
const REACH = { canSendEmail: true, addressKey: new Uint8Array([1]) }
const ABOUT = { organizationId: ORGANIZATION, issueIds: [1, 2] }
const RESOLVED = { ...ABOUT, leftOut: [], settings: '{}' }
const WRITTEN = {
  organizationId: ORGANIZATION,
  issues: new Map([
    [1, [1]],
    [2, [2, 3]],
  ]),
}
const PERSON = {
  organizationId: ORGANIZATION,
  projectIds: [1, 2],
  keys: ['id:7', 'username:ada'],
  emails: ['ada@x.example', 'ärger@x.example'],
  period: { from: 0, to: NOW },
  limit: 10,
  characters: 100,
}
const ACTOR = { organizationId: ORGANIZATION, userId: null, now: NOW }

let opened: OpenedLedger
/** The same ledger; notes what is asked of it. */
let ledger: Ledger
const asked: RootOperationNode[] = []
let ids: readonly number[] = []

const reported = (eventId: string): LedgerFeedback => {
  const report = readUserReport(
    { event_id: eventId, comments: 'It does not work', name: 'Ada' },
    { eventId: REPORT, receivedAt: NOW, userAgent: null },
  )
  if (report === null) throw new Error('no report')
  const place = { organizationId: ORGANIZATION, projectId: 1, keyId: 1 }
  const { spam } = DEFAULT_PROJECT_SETTINGS.feedback
  return { ...place, receivedAt: NOW, addressHash: 'a', attachments: 0, threadToken: eventId, spam, report }
}

const batchOf = (number: number, eventId: string) =>
  ledgerBatch(
    number,
    ['one', 'two', 'three'].map((kind) => ledgerEvent({ seed: `${kind}-${number}`, kind, release: 'shop@1' })),
    { feedback: [reported(eventId)] },
  )

beforeAll(async () => {
  const sqlite = LEDGER_ENGINES.find(({ name }) => name.startsWith('SQLite'))
  if (sqlite === undefined) throw new Error('SQLite is none of the engines.')
  opened = await sqlite.open()
  await seedOrganization(opened.ledger)
  const record: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked.push(node)
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const db = opened.ledger.db.withPlugin(record)
  ledger = { ...opened.ledger, db, transaction: (work) => db.transaction().execute(work) }
  const { clock } = opened
  const { events } = await createIssueStore({ ledger: opened.ledger, clock }).apply(batchOf(1, 'c'.repeat(32)))
  await createIssueStore({ ledger: opened.ledger, clock }).settle('main', 1)
  const person = { email: 'ann@acme.example', name: 'Ann', passwordHash: '', now: NOW }
  await createAccountStore(opened.ledger).insertUser(person)
  ids = events.flatMap((verdict) => (verdict.kind === 'stored' ? [verdict.issueId] : []))
})
afterAll(() => opened.close())

const plansOf = async (
  work: () => Promise<unknown>,
): Promise<readonly { text: string; steps: readonly string[] }[]> => {
  asked.length = 0
  await work()
  const { db } = opened.ledger
  const plans = []
  for (const node of asked.splice(0)) {
    const { sql: text, parameters } = db.getExecutor().compileQuery(node, createQueryId())
    const plan = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${text}`, [...parameters])
    const { rows } = await db.executeQuery<{ detail: string }>(plan)
    plans.push({ text, steps: rows.map(({ detail }) => detail) })
  }
  return plans
}

const view = () => createLedgerIssueView({ ledger })
const workflow = () => createLedgerIssueWorkflow({ ledger })
const inbox = () => createLedgerInbox({ ledger })
const threads = () => createLedgerThreads({ ledger })
const list = (selection: Partial<InboxSelection>, sort: 'date' | 'reply' | 'spam' | 'same' = 'date') =>
  inbox().list({ ...INBOX, ...selection }, { sort, limit: 25, offset: 0 })

it.each<[string, Kind, () => Promise<unknown>]>([
  ['issues: newest sightings', 'page', () => view().page(ISSUES, { ...FIRST_PAGE, sort: 'date' })],
  ['issues: newest sightings of a project', 'page', () => view().page(OF_PROJECT, { ...FIRST_PAGE, sort: 'date' })],
  ['issues: newest', 'page', () => view().page({ ...ISSUES, seen: null }, { ...FIRST_PAGE, sort: 'new' })],
  ['issues: newest of those seen lately', 'whole', () => view().page(ISSUES, { ...FIRST_PAGE, sort: 'new' })],
  [
    'issues: a later page',
    'page',
    () => view().page(ISSUES, { ...FIRST_PAGE, sort: 'date', beyond: { value: NOW, id: 7 } }),
  ],
  ['issues: by priority', 'whole', () => view().page(ISSUES, { ...FIRST_PAGE, sort: 'priority' })],
  [
    'issues: of all statuses',
    'whole',
    () => view().page({ ...ISSUES, condition: null }, { ...FIRST_PAGE, sort: 'date' }),
  ],
  ['issues: those that telemetry found', 'one', () => view().count({ ...ISSUES, ids }, 1000)],
  ['issues: count', 'whole', () => view().count(ISSUES, 1000)],
  ['issues: ids for a change of all', 'whole', () => view().ids(ISSUES, 0, 500)],
  ['issue: row', 'one', () => view().records(ORGANIZATION, ids)],
  ['issue: by number', 'one', () => view().find(ORGANIZATION, String(ids[0]))],
  ['issue: by short id', 'one', () => view().find(ORGANIZATION, 'SHOP-1')],
  ['issue: by an older address', 'one', () => organizationOfIssue(ledger, ids[0] ?? 0)],
  ['issue: activity', 'page', () => view().activity(ids[0] ?? 0, { limit: 100, offset: 0 })],
  ['issue: hashes', 'one', () => view().hashes(ids[0] ?? 0, { limit: 25, offset: 0 })],
  ['issue: marks', 'one', () => createLedgerIssueMarks({ ledger }).of(1, ids)],
  ['issue: subscribers', 'one', () => createLedgerIssueMarks({ ledger }).subscribers(ids[0] ?? 0)],
  ['issue: its reports', 'one', () => countReports(ledger)(ids)],
  ['issues: merges', 'one', () => view().merges(ORGANIZATION, ids)],
  ['event: where it is', 'one', () => view().locateEvent(ORGANIZATION, [1, 2], hex('event:one-1', 32))],
  ['event: its report', 'one', () => reportOf(ledger)({ projectId: 1, eventId: 'c'.repeat(32) })],
  ['issue: note', 'one', () => workflow().addNote({ ...ACTOR, userId: 1, issueId: ids[0] ?? 0, text: 'x' })],
  ['inbox: newest', 'page', () => list({})],
  ['inbox: of a project', 'page', () => list({ projectIds: [1] })],
  ['inbox: unread', 'page', () => list({ mailbox: 'unread' })],
  ['inbox: of all mailboxes', 'whole', () => list({ mailbox: 'all' })],
  ['inbox: awaiting an answer', 'whole', () => list({}, 'reply')],
  ['inbox: most said', 'whole', () => list({}, 'same')],
  ['inbox: words', 'whole', () => list({ words: ['work'] })],
  ['inbox: counts', 'whole', () => inbox().counts(ORGANIZATION, null)],
  ['inbox: a tag', 'whole', () => list({ tags: [['a', 'b']] })],
  ['report: by id', 'one', () => inbox().find(ORGANIZATION, '1')],
  ['report: by the id of its event', 'one', () => inbox().find(ORGANIZATION, 'c'.repeat(32))],
  ['report: by an older address', 'one', () => organizationOfReport(ledger, { eventId: 'c'.repeat(32) })],
  ['report: activity', 'page', () => inbox().activity(ORGANIZATION, 1, { limit: 100 })],
  ['report: those that say the same', 'one', () => inbox().merged(ORGANIZATION, 1)],
  ['report: change', 'one', () => inbox().change(ACTOR, [1], { status: 'resolved' })],
  ['thread: messages', 'one', () => threads().messages(ORGANIZATION, 1)],
  ['thread: its page', 'one', () => threads().byToken('c'.repeat(32))],
  ['thread: mails that are due', 'one', () => threads().takeDueMails(NOW, NOW + 1, 10)],
  ['thread: the next mail', 'one', () => threads().nextMailAt()],
  ['thread: mails to one address', 'one', () => threads().countSent('ada@example.com', NOW)],
  ['thread: reports whose event came late', 'one', () => threads().linkLateEvents(NOW, 10)],
  ['thread: errors of the traces of reports', 'one', () => createTracesOfReports({ ledger }).find(NOW)],
  ['people: whose issue is resolved', 'one', () => untoldIssues(ledger)()],
  ['people: what waits to be sent', 'one', () => createTellingSends({ ledger, reach: REACH }).due(NOW)],
  ['people: who wrote about issues of a page', 'one', () => countWriters(ledger)(WRITTEN)],
  ['people: who wrote about any issue', 'whole', () => rankWriters(ledger)(ORGANIZATION)],
  ['people: what was said about an issue', 'one', () => readSaid(ledger)(ABOUT, { limit: 25, behind: null })],
  ['people: who is told of it', 'one', () => recipientsOf(ledger.db, { dialect: 'sqlite', reach: REACH }, RESOLVED)],
  ['person: reports', 'one', () => createReportsOfPerson(ledger).reports(PERSON)],
  ['person: messages', 'one', () => createReportsOfPerson(ledger).messages(PERSON)],
  ['session', 'one', () => createAccountStore(ledger).session('x', NOW)],
  ['digest: a batch', 'one', () => createIssueStore({ ledger, clock: opened.clock }).apply(batchOf(2, 'd'.repeat(32)))],
])('%s: reads no more of the ledger than it has to (%s)', async (_, kind, work) => {
  const plans = await plansOf(work)
  expect(plans.length).toBeGreaterThan(0)
  const wrong = plans.flatMap(({ text, steps }) =>
    steps.filter((step) => isWrong(kind, step)).map((step) => `${step}: ${text}`),
  )
  expect(wrong).toEqual([])
})
