import { sql, type RawBuilder } from 'kysely'
import { readProjectSettings } from '../../accounts/index.ts'
import { addressHash, localeIn, unsubscribedAmong } from '../../feedback/index.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import { chooseRecipients, type Chosen, type WrittenReport } from '../telling/recipients.ts'

type Executor = Ledger['db'] | LedgerTransaction

/** Ids of an issue, and of those that were merged into it. */
export const storedIds = async (db: Executor, issueId: number): Promise<readonly number[]> => {
  const rows = await db.selectFrom('issues').select('id').where('merged_into_id', '=', issueId).execute()
  return [issueId, ...rows.map((row) => row.id)]
}

/** Ids of reports about these issues: of their own, and those that stand under a report that is about one of them. */
export const reportIdsAbout = (organizationId: number, issueIds: readonly number[]): RawBuilder<number> => {
  const ids = sql.join([...issueIds])
  return sql<number>`(
    SELECT own.id FROM feedback own WHERE own.organization_id = ${organizationId} AND own.issue_id IN (${ids})
    UNION
    SELECT child.id FROM feedback parent INNER JOIN feedback child ON child.merged_into_id = parent.id
    WHERE parent.organization_id = ${organizationId} AND parent.issue_id IN (${ids}) AND child.issue_id IS NULL
  )`
}

/** Reports of an issue, the newest first. */
export const writtenReports = async (
  db: Executor,
  dialect: Ledger['dialect'],
  organizationId: number,
  issueIds: readonly number[],
): Promise<readonly WrittenReport[]> => {
  const answered = sql<number>`coalesce((
    SELECT max(m.created_at) FROM feedback_messages m WHERE m.feedback_id = feedback.id AND m.author = 'reporter'
  ), 0)`
  const rows = await db
    .selectFrom('feedback')
    .select(['feedback.id', 'feedback.writer', 'feedback.name', 'feedback.email', 'feedback.thread_token'])
    .select(['feedback.status', 'feedback.created_at'])
    .select(localeIn({ dialect }).as('locale'))
    .select(sql<string>`substr(feedback.message, 1, ${LIMITS.TELLING_QUOTE_CHARS})`.as('quote'))
    .select(answered.as('answered_at'))
    .where('feedback.id', 'in', reportIdsAbout(organizationId, issueIds))
    .orderBy('feedback.id', 'desc')
    .limit(LIMITS.TELLING_REPORTS)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    writer: row.writer === '' ? `report:${row.id}` : row.writer,
    name: row.name,
    email: row.email,
    token: row.thread_token,
    status: row.status,
    quote: row.quote.toWellFormed(),
    locale: row.locale,
    createdAt: row.created_at,
    wroteAt: Math.max(row.created_at, row.answered_at),
  }))
}

/** What is known of the server that decides who is reached. */
export interface Reach {
  readonly canSendEmail: boolean
  /** By which addresses are hashed. */
  readonly addressKey: Uint8Array
}

/** Who is told of an issue now, and who is not. */
export const recipientsOf = async (
  db: Executor,
  { dialect, reach }: { readonly dialect: Ledger['dialect']; readonly reach: Reach },
  issue: {
    readonly organizationId: number
    readonly issueIds: readonly number[]
    readonly leftOut: readonly number[]
    /** JSON of `ProjectSettings`, of its project. */
    readonly settings: string
  },
): Promise<Chosen> => {
  const { organizationId, issueIds, leftOut, settings } = issue
  const reports = await writtenReports(db, dialect, organizationId, issueIds)
  const told = await db
    .selectFrom('told_people')
    .select(['writer_hash', 'told_at'])
    .where('issue_id', 'in', [...issueIds])
    .execute()
  const toldAt = new Map<string, number>()
  for (const row of told) toldAt.set(row.writer_hash, Math.max(row.told_at, toldAt.get(row.writer_hash) ?? 0))
  const hashOf = (email: string): string => addressHash(reach.addressKey, organizationId, email)
  const addresses = new Set(reports.flatMap(({ email }) => (email === '' ? [] : [hashOf(email)])))
  const unsubscribed = await unsubscribedAmong(db, organizationId, [...addresses])
  return chooseRecipients(reports, {
    reply: readProjectSettings(settings).feedback.reply,
    canSendEmail: reach.canSendEmail,
    toldAt,
    isUnsubscribed: (email) => unsubscribed.has(hashOf(email)),
    leftOut: new Set(leftOut),
  })
}
