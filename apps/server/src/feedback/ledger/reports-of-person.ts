import { sql, type SqlBool } from 'kysely'
import type { AskedPerson, PersonCount } from '../../search/index.ts'
import { containing } from '../../storage/ledger/containing.ts'
import type { LedgerDialect } from '../../storage/ledger/dialect.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { ownReports } from './own-reports.ts'

/** What one person said, and what was said to them. */
export type ReportOfPerson = Awaited<ReturnType<ReturnType<typeof createReportsOfPerson>['reports']>>[number]
export type MessageOfPerson = Awaited<ReturnType<ReturnType<typeof createReportsOfPerson>['messages']>>[number]
export type ToldToPerson = Awaited<ReturnType<ReturnType<typeof createReportsOfPerson>['told']>>[number]

interface Asked extends AskedPerson {
  readonly limit: number
  /** Of each text. */
  readonly characters: number
}

const ownIds = (dialect: LedgerDialect, asked: AskedPerson) =>
  ownReports(dialect, asked, sql`f.project_id IN (${sql.join([0, ...asked.projectIds])})`)

const inTime = (column: string, { period }: AskedPerson) =>
  sql<SqlBool>`${sql.ref(column)} >= ${Math.floor(period.from)} AND ${sql.ref(column)} <= ${Math.ceil(period.to)}`

const createTold = ({ db, dialect }: Ledger) => ({
  /** What the team, or a repair, told them, and whether it reached them; newest first. */
  told: (asked: Asked) =>
    db
      .selectFrom('feedback_messages')
      .innerJoin('feedback', 'feedback.id', 'feedback_messages.feedback_id')
      .leftJoin('users', 'users.id', 'feedback_messages.user_id')
      .select(['feedback_messages.id', 'feedback_messages.created_at', 'feedback_messages.delivery'])
      .select(['feedback_messages.error', 'feedback_messages.sent_at', 'feedback_messages.user_id'])
      .select(['users.name as user_name', 'users.email as user_email'])
      .select(['feedback.project_id', 'feedback.id as report_id'])
      .select(sql<string>`substr(feedback_messages.text, 1, ${asked.characters})`.as('text'))
      .where('feedback_messages.feedback_id', 'in', ownIds(dialect, asked))
      .where('feedback_messages.author', '!=', 'reporter')
      .where(inTime('feedback_messages.created_at', asked))
      .orderBy('feedback_messages.created_at', 'desc')
      .orderBy('feedback_messages.id')
      .limit(asked.limit)
      .execute(),

  countTold: async (asked: AskedPerson): Promise<number> => {
    const { count } = await db
      .selectFrom('feedback_messages')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('feedback_messages.feedback_id', 'in', ownIds(dialect, asked))
      .where('feedback_messages.author', '!=', 'reporter')
      .where(inTime('feedback_messages.created_at', asked))
      .executeTakeFirstOrThrow()
    return count
  },
})

export const createReportsOfPerson = (ledger: Ledger) => ({ ...createTold(ledger), ...createWritten(ledger) })

const createWritten = ({ db, dialect }: Ledger) => ({
  /** Newest first. */
  reports: (asked: Asked) =>
    db
      .selectFrom('feedback')
      .leftJoin('issues as own', 'own.id', 'feedback.issue_id')
      .select(['feedback.id', 'feedback.project_id', 'feedback.status', 'feedback.url', 'feedback.release'])
      .select(['feedback.awaits_reply', 'feedback.attachments', 'feedback.replay_id', 'feedback.created_at'])
      .select(sql<number | null>`coalesce(own.merged_into_id, own.id)`.as('issue_id'))
      .select(sql<string>`substr(feedback.message, 1, ${asked.characters})`.as('message'))
      .where('feedback.id', 'in', ownIds(dialect, asked))
      .where(inTime('feedback.created_at', asked))
      .orderBy('feedback.created_at', 'desc')
      .orderBy('feedback.id')
      .limit(asked.limit)
      .execute(),

  /** Newest first. */
  messages: (asked: Asked) =>
    db
      .selectFrom('feedback_messages')
      .innerJoin('feedback', 'feedback.id', 'feedback_messages.feedback_id')
      .select(['feedback_messages.id', 'feedback_messages.created_at'])
      .select(['feedback.project_id', 'feedback.id as report_id'])
      .select(sql<string>`substr(feedback_messages.text, 1, ${asked.characters})`.as('text'))
      .where('feedback_messages.feedback_id', 'in', ownIds(dialect, asked))
      .where('feedback_messages.author', '=', 'reporter')
      .where(inTime('feedback_messages.created_at', asked))
      .orderBy('feedback_messages.created_at', 'desc')
      .orderBy('feedback_messages.id')
      .limit(asked.limit)
      .execute(),

  sum: async (
    asked: AskedPerson,
  ): Promise<
    PersonCount & {
      readonly name: string
      readonly email: string
      readonly keys: readonly string[]
      readonly emails: readonly string[]
      readonly projectIds: readonly number[]
      readonly moments: readonly number[]
    }
  > => {
    const rows = await db
      .selectFrom('feedback')
      .select(['name', 'email', 'user_key', 'project_id', 'created_at'])
      .where('feedback.id', 'in', ownIds(dialect, asked))
      .where(inTime('feedback.created_at', asked))
      .orderBy('feedback.created_at', 'desc')
      .orderBy('feedback.id')
      .limit(SUMMED)
      .execute()
    const known = (texts: readonly string[]): readonly string[] => [...new Set(texts.filter((text) => text !== ''))]
    return {
      count: rows.length,
      firstAt: rows.at(-1)?.created_at ?? null,
      lastAt: rows[0]?.created_at ?? null,
      name: rows.find((row) => row.name !== '')?.name ?? '',
      email: rows.find((row) => row.email !== '')?.email ?? '',
      keys: known(rows.map((row) => row.user_key)),
      emails: known(rows.map((row) => row.email.toLowerCase())),
      projectIds: [...new Set(rows.map((row) => row.project_id))],
      moments: rows.map((row) => row.created_at),
    }
  },

  /** Whoever has the text in their name or address; those who wrote last. */
  find: async (asked: {
    readonly organizationId: number
    readonly projectIds: readonly number[]
    readonly text: string
    readonly from: number
    readonly limit: number
  }): Promise<
    readonly { readonly user: string; readonly name: string; readonly email: string; readonly lastAt: number }[]
  > => {
    const rows = await db
      .selectFrom('feedback')
      .select(['user_key', 'name', 'email', 'created_at'])
      .where('organization_id', '=', asked.organizationId)
      .where('project_id', 'in', [0, ...asked.projectIds])
      .where('created_at', '>=', asked.from)
      .where('status', '!=', 'spam')
      .where(sql<SqlBool>`(user_key != '' OR email != '')`)
      .where(({ or }) => or([containing(dialect, 'email', asked.text), containing(dialect, 'name', asked.text)]))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(asked.limit)
      .execute()
    return rows.map((row) => ({
      user: row.user_key === '' || row.user_key.startsWith('ip:') ? `email:${row.email}` : row.user_key,
      name: row.name,
      email: row.email,
      lastAt: row.created_at,
    }))
  },
})

/** Reports of one person that are summed up: who writes more is no person. */
const SUMMED = 5000
