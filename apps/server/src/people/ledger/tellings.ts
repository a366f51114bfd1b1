import type { Telling } from '@firsthand/contract'
import { readProjectSettings } from '../../accounts/index.ts'
import type { TellingRequest } from '../../issues/index.ts'
import { Unanswerable } from '../../lib/unanswerable.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import { reportIdsAbout, storedIds } from './written-reports.ts'

/** Tellings, as people plan, change and take them back. */

/** One that waits to be sent. */
export interface PlannedTelling {
  readonly id: number
  readonly userId: number | null
  readonly waitsFor: 'nothing' | 'release' | 'next' | 'person'
  readonly release: string
  readonly texts: Readonly<Record<string, string>>
  readonly leftOut: readonly number[]
  readonly dueAt: number | null
}

const PLANNED_COLUMNS = ['id', 'user_id', 'waits_for', 'release', 'texts', 'left_out', 'due_at'] as const

export const readPlanned = async (
  db: Ledger['db'] | LedgerTransaction,
  issueId: number,
): Promise<PlannedTelling | null> => {
  const row = await db
    .selectFrom('tellings')
    .select(PLANNED_COLUMNS)
    .where('issue_id', '=', issueId)
    .where('state', '=', 'planned')
    .executeTakeFirst()
  return row === undefined
    ? null
    : {
        id: row.id,
        userId: row.user_id,
        waitsFor: row.waits_for,
        release: row.release,
        texts: JSON.parse(row.texts) as Record<string, string>,
        leftOut: JSON.parse(row.left_out) as number[],
        dueAt: row.due_at,
      }
}

/** When, and for what it waits until then. Null for never. */
type Moment = Pick<PlannedTelling, 'waitsFor' | 'release'> | null

const NOT_SAID_WHICH =
  'Nobody said in which release it is resolved, so people cannot be told when that is seen. Give "release", or resolve it in one.'

/** @param release in which the issue is resolved; '' for the next one, null where nobody said */
const momentOf = (
  { when, release: named }: Telling,
  release: string | null,
  { newest, wasSeen, tellsByItself }: { newest: string | null; wasSeen: boolean; tellsByItself: boolean },
): Moment => {
  const wanted = named ?? release
  const isAwaited = wanted === '' || (wanted !== null && !wasSeen)
  switch (when ?? (!tellsByItself ? 'never' : isAwaited ? 'release' : 'now')) {
    case 'never':
      return null
    case 'now':
      return { waitsFor: 'nothing', release: wanted ?? '' }
    case 'release':
      if (wanted === null) throw new Unanswerable(NOT_SAID_WHICH)
      return wanted === '' ? { waitsFor: 'next', release: newest ?? '' } : { waitsFor: 'release', release: wanted }
  }
}

export type Tellings = ReturnType<typeof createLedgerTellings>

export const createLedgerTellings = ({ ledger }: { readonly ledger: Ledger }) => ({
  planned: (issueId: number): Promise<PlannedTelling | null> => readPlanned(ledger.db, issueId),
  /** How many people were told of an issue, and when the last was. */
  told: async (issueIds: readonly number[]): Promise<{ readonly people: number; readonly lastAt: number | null }> => {
    const row = await ledger.db
      .selectFrom('told_people')
      .select(({ fn }) => [fn.count<number>('writer_hash').distinct().as('people'), fn.max('told_at').as('last')])
      .where('issue_id', 'in', [...issueIds])
      .executeTakeFirst()
    return { people: row?.people ?? 0, lastAt: row?.last ?? null }
  },
  plan: plan(ledger),
  change: change(ledger),
  /** False when nothing waits. */
  withdraw: (issueId: number, now: number): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const isWithdrawn = await end(transaction, issueId, 'withdrawn', now)
      if (isWithdrawn) await markTold(transaction, issueId, now)
      return isWithdrawn
    }),
})

export const end = async (
  transaction: LedgerTransaction,
  issueId: number,
  state: 'sent' | 'withdrawn' | 'dropped',
  now: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await transaction
    .updateTable('tellings')
    .set({ state, ended_at: now })
    .where('issue_id', '=', issueId)
    .where('state', '=', 'planned')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Of what was written about an issue until now, nobody is told by itself any more. */
export const markTold = async (transaction: LedgerTransaction, issueId: number, now: number): Promise<void> => {
  const issue = await transaction
    .selectFrom('issues')
    .select('organization_id')
    .where('id', '=', issueId)
    .executeTakeFirst()
  if (issue === undefined) return
  const ids = await storedIds(transaction, issueId)
  await transaction
    .updateTable('feedback')
    .set({ told_resolved_at: now })
    .where('id', 'in', reportIdsAbout(issue.organization_id, ids))
    .execute()
}

/** Releases of a project, as far as tellings ask for them. */
export const releasesOf = async (
  db: Ledger['db'] | LedgerTransaction,
  { organizationId, projectId, version }: { organizationId: number; projectId: number; version: string | null },
): Promise<{ readonly newest: string | null; readonly wasSeen: boolean }> => {
  const seen = db
    .selectFrom('release_projects')
    .innerJoin('releases', 'releases.id', 'release_projects.release_id')
    .select('releases.version')
    .where('release_projects.project_id', '=', projectId)
    .where('releases.organization_id', '=', organizationId)
  const newest = await seen
    .orderBy('release_projects.first_seen', 'desc')
    .orderBy('releases.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const named =
    version === null || version === ''
      ? undefined
      : await seen.where('releases.version', '=', version).limit(1).executeTakeFirst()
  return { newest: newest?.version ?? null, wasSeen: named !== undefined }
}

interface PlannedIssue {
  readonly id: number
  readonly organizationId: number
  readonly projectId: number
  readonly settings: string
}

const issuesToPlan = async (
  transaction: LedgerTransaction,
  organizationId: number,
  ids: readonly number[],
): Promise<readonly PlannedIssue[]> => {
  const rows = await transaction
    .selectFrom('issues')
    .innerJoin('projects', 'projects.id', 'issues.project_id')
    .select(['issues.id', 'issues.project_id', 'projects.settings'])
    .where('issues.organization_id', '=', organizationId)
    .where('issues.id', 'in', [0, ...ids])
    .where('issues.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .execute()
  return rows.map((row) => ({ id: row.id, organizationId, projectId: row.project_id, settings: row.settings }))
}

/** Makes the telling of an issue that is about to be resolved, or that is resolved already; there is one, the last. */
const write = async (
  transaction: LedgerTransaction,
  { id, organizationId, projectId }: PlannedIssue,
  moment: Moment,
  {
    telling: { except, texts },
    userId,
    now,
  }: { readonly telling: Telling; readonly userId: number | null; readonly now: number },
): Promise<void> => {
  await end(transaction, id, 'dropped', now)
  if (moment === null) await markTold(transaction, id, now)
  await transaction
    .insertInto('tellings')
    .values({
      organization_id: organizationId,
      project_id: projectId,
      issue_id: id,
      user_id: userId,
      // That somebody said "never" is kept: whoever writes later is not told either.
      state: moment === null ? 'withdrawn' : 'planned',
      waits_for: moment?.waitsFor ?? 'nothing',
      release: moment?.release ?? '',
      texts: JSON.stringify(texts ?? {}),
      left_out: JSON.stringify((except ?? []).map(Number)),
      told: 0,
      due_at: moment?.waitsFor === 'nothing' ? now + LIMITS.TELLING_DELAY_MS : null,
      created_at: now,
      ended_at: moment === null ? now : null,
    })
    .execute()
}

/** @returns how many were planned, those for never among them */
const plan =
  (ledger: Ledger) =>
  ({ organizationId, userId, now, issueIds, telling, release }: TellingRequest): Promise<number> =>
    ledger.transaction(async (transaction) => {
      const issues = await issuesToPlan(transaction, organizationId, issueIds)
      for (const issue of issues) {
        const moment = await readMoment(transaction, issue, telling, release)
        await write(transaction, issue, moment, { telling, userId, now })
      }
      return issues.length
    })

const readMoment = async (
  transaction: LedgerTransaction,
  { organizationId, projectId, settings }: PlannedIssue,
  telling: Telling,
  release: string | null,
): Promise<Moment> => {
  const version = telling.release ?? release
  const releases = await releasesOf(transaction, { organizationId, projectId, version })
  const tellsByItself = readProjectSettings(settings).feedback.reply.notifyResolved
  return momentOf(telling, release, { ...releases, tellsByItself })
}

/** What a change does not name stays. False when there is no such issue. */
const change =
  (ledger: Ledger) =>
  (
    actor: { readonly organizationId: number; readonly userId: number; readonly now: number },
    issueId: number,
    telling: Telling,
    release: string | null,
  ): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const [issue] = await issuesToPlan(transaction, actor.organizationId, [issueId])
      if (issue === undefined) return false
      const before = await readPlanned(transaction, issueId)
      const kept: Telling = {
        ...(before === null ? {} : { texts: { ...before.texts }, except: before.leftOut.map(String) }),
        ...telling,
      }
      const staysWhen = before !== null && telling.when === undefined && telling.release === undefined
      // Somebody says so now.
      const isSaid = staysWhen && before.waitsFor === 'person'
      const moment = isSaid
        ? { waitsFor: 'nothing' as const, release: before.release }
        : staysWhen
          ? before
          : await readMoment(transaction, issue, kept, release)
      await write(transaction, issue, moment, { telling: kept, userId: actor.userId, now: actor.now })
      return true
    })

/** Whether somebody said of this resolution that nobody is told of it. */
const wasTakenBack = async (transaction: LedgerTransaction, issueId: number, since: number): Promise<boolean> => {
  const row = await transaction
    .selectFrom('tellings')
    .select('id')
    .where('issue_id', '=', issueId)
    .where('state', '=', 'withdrawn')
    .where('ended_at', '>=', since)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Tells, by itself, those who wrote about an issue that somebody resolved without a word of it. */
export const planByItself = async (
  transaction: LedgerTransaction,
  {
    issueId,
    release,
    since,
    now,
  }: {
    readonly issueId: number
    readonly release: string | null
    readonly since: number
    readonly now: number
  },
): Promise<void> => {
  const row = await transaction
    .selectFrom('issues')
    .select('organization_id')
    .where('id', '=', issueId)
    .executeTakeFirst()
  const [issue] = row === undefined ? [] : await issuesToPlan(transaction, row.organization_id, [issueId])
  if (issue === undefined || (await readPlanned(transaction, issueId)) !== null) return
  if (await wasTakenBack(transaction, issueId, since)) {
    await markTold(transaction, issueId, now)
    return
  }
  const moment = await readMoment(transaction, issue, {}, release)
  await write(transaction, issue, moment, { telling: {}, userId: null, now })
}
