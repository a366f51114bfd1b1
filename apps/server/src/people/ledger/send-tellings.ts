import { addMessage, noteActivity, withoutLinks } from '../../feedback/index.ts'
import { readStatusDetails } from '../../issues/index.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import { writerHash, type Recipient } from '../telling/recipients.ts'
import { fillTold, textFor } from '../telling/told-text.ts'
import { end, markTold, readPlanned, releasesOf, type PlannedTelling } from './tellings.ts'
import { recipientsOf, storedIds, type Reach } from './written-reports.ts'

/** Sends what is planned. Each step is one transaction, so that nobody is told twice, whatever ends the process. */
export const createTellingSends = ({ ledger, reach }: { readonly ledger: Ledger; readonly reach: Reach }) => ({
  /** Those whose release was seen are due, at the earliest when anything else would be. */
  noteReleases: noteReleases(ledger),
  /** Issues with a telling that is due, the first `TELLINGS_PER_STEP`. */
  due: async (now: number): Promise<readonly number[]> => {
    const rows = await ledger.db
      .selectFrom('tellings')
      .select('issue_id')
      .where('state', '=', 'planned')
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(LIMITS.TELLINGS_PER_STEP)
      .execute()
    return rows.map((row) => row.issue_id)
  },
  /** When the next one is; null when none has a moment. */
  nextAt: async (): Promise<number | null> => {
    const row = await ledger.db
      .selectFrom('tellings')
      .select('due_at')
      .where('state', '=', 'planned')
      .where('due_at', 'is not', null)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst()
    return row?.due_at ?? null
  },
  /** Tellings of issues that are not resolved any more, or were resolved anew. */
  dropUnresolved: dropUnresolved(ledger),
  send: send(ledger, reach),
})

const noteReleases = (ledger: Ledger) => async (): Promise<void> => {
  for (const { id, created_at, release } of [...(await seenByNow(ledger)), ...(await followed(ledger))]) {
    await ledger.db
      .updateTable('tellings')
      .set({ due_at: created_at + LIMITS.TELLING_DELAY_MS, waits_for: 'nothing', release })
      .where('id', '=', id)
      .where('state', '=', 'planned')
      .execute()
  }
}

interface SeenTelling {
  readonly id: number
  readonly created_at: number
  /** The one that was seen. */
  readonly release: string
}

/** Those that wait for a release of their project that was seen. */
const seenByNow = ({ db }: Ledger): Promise<readonly SeenTelling[]> =>
  db
    .selectFrom('tellings')
    .innerJoin('releases', (join) =>
      join
        .onRef('releases.organization_id', '=', 'tellings.organization_id')
        .onRef('releases.version', '=', 'tellings.release'),
    )
    .innerJoin('release_projects', (join) =>
      join
        .onRef('release_projects.release_id', '=', 'releases.id')
        .onRef('release_projects.project_id', '=', 'tellings.project_id'),
    )
    .select(['tellings.id', 'tellings.created_at', 'tellings.release'])
    .where('tellings.state', '=', 'planned')
    .where('tellings.due_at', 'is', null)
    .where('tellings.waits_for', '=', 'release')
    .limit(LIMITS.TELLINGS_PER_LOOK)
    .execute()

/** Those that wait for whichever release comes next, of projects that have another by now. */
const followed = async ({ db }: Ledger): Promise<readonly SeenTelling[]> => {
  const waiting = await db
    .selectFrom('tellings')
    .select(['id', 'organization_id', 'project_id', 'release', 'created_at'])
    .where('state', '=', 'planned')
    .where('due_at', 'is', null)
    .where('waits_for', '=', 'next')
    .limit(LIMITS.TELLINGS_PER_LOOK)
    .execute()
  const found: SeenTelling[] = []
  for (const [projectId, own] of Map.groupBy(waiting, (row) => row.project_id)) {
    const [first] = own
    if (first === undefined) continue
    const { newest } = await releasesOf(db, { organizationId: first.organization_id, projectId, version: null })
    if (newest === null) continue
    for (const { id, created_at, release } of own) {
      if (release !== newest) found.push({ id, created_at, release: newest })
    }
  }
  return found
}

const dropUnresolved =
  (ledger: Ledger) =>
  async (now: number): Promise<void> => {
    const rows = await ledger.db
      .selectFrom('tellings')
      .innerJoin('issues', 'issues.id', 'tellings.issue_id')
      .select(['tellings.issue_id', 'tellings.created_at', 'issues.status', 'issues.status_details'])
      .select(['issues.deleted_at', 'issues.merged_into_id'])
      .where('tellings.state', '=', 'planned')
      .execute()
    for (const row of rows) {
      if (stands(row, row.created_at)) continue
      await ledger.transaction((transaction) => end(transaction, row.issue_id, 'dropped', now))
    }
  }

/** Whether the issue is still resolved as it was when the telling was planned; planning comes a moment before resolving. */
const stands = (
  issue: {
    readonly status: string
    readonly status_details: string
    readonly deleted_at: number | null
    readonly merged_into_id: number | null
  },
  plannedAt: number,
): boolean =>
  issue.status === 'resolved' &&
  issue.deleted_at === null &&
  issue.merged_into_id === null &&
  (readStatusDetails(issue.status_details).since ?? 0) <= plannedAt

/** @returns how many it told, and whether there are more; null when nothing is planned any more */
const send =
  (ledger: Ledger, reach: Reach) =>
  (issueId: number, now: number): Promise<{ readonly organizationId: number; readonly more: boolean } | null> =>
    ledger.transaction(async (transaction) => {
      const planned = await readPlanned(transaction, issueId)
      if (planned === null || planned.dueAt === null || planned.dueAt > now) return null
      const row = await transaction
        .selectFrom('issues')
        .innerJoin('projects', 'projects.id', 'issues.project_id')
        .innerJoin('tellings', 'tellings.issue_id', 'issues.id')
        .select(['issues.status', 'issues.status_details', 'issues.deleted_at', 'issues.merged_into_id'])
        .select([
          'issues.organization_id',
          'issues.project_id',
          'projects.settings',
          'tellings.created_at',
          'tellings.told',
        ])
        .where('issues.id', '=', issueId)
        .where('tellings.id', '=', planned.id)
        .$if(ledger.dialect === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst()
      if (row === undefined) return null
      const organizationId = row.organization_id
      if (!stands(row, row.created_at)) {
        await end(transaction, issueId, 'dropped', now)
        return { organizationId, more: false }
      }
      const issue = {
        organizationId,
        issueIds: await storedIds(transaction, issueId),
        leftOut: planned.leftOut,
        settings: row.settings,
      }
      const { people } = await recipientsOf(transaction, { dialect: ledger.dialect, reach }, issue)
      const addresses = people.filter(({ by }) => by === 'email').length
      if (planned.userId === null && row.told === 0 && addresses > LIMITS.TELLING_UNASKED_ADDRESSES) {
        await transaction
          .updateTable('tellings')
          .set({ due_at: null, waits_for: 'person' })
          .where('id', '=', planned.id)
          .execute()
        return { organizationId, more: false }
      }
      const part = people.slice(0, LIMITS.TOLD_PER_TRANSACTION)
      for (const person of part) await tell(transaction, { issueId, planned, person, now })
      const told = row.told + part.length
      await transaction.updateTable('tellings').set({ told }).where('id', '=', planned.id).execute()
      if (people.length > part.length) return { organizationId, more: true }
      await end(transaction, issueId, 'sent', now)
      await markTold(transaction, issueId, now)
      if (told > 0) {
        await transaction
          .insertInto('issue_activity')
          .values({
            issue_id: issueId,
            project_id: row.project_id,
            user_id: planned.userId,
            type: 'people_told',
            data: JSON.stringify({ people: told, ...(planned.release === '' ? {} : { version: planned.release }) }),
            created_at: now,
          })
          .execute()
      }
      return { organizationId, more: false }
    })

const tell = async (
  transaction: LedgerTransaction,
  {
    issueId,
    planned,
    person,
    now,
  }: { readonly issueId: number; readonly planned: PlannedTelling; readonly person: Recipient; readonly now: number },
): Promise<void> => {
  const { text } = textFor(person.language, planned.texts, planned.release !== '')
  // Anybody can send an address that is not theirs: what they wrote is not to lead its owner anywhere.
  const said = fillTold(text, {
    name: planned.userId === null ? '' : withoutLinks(person.name),
    quote: withoutLinks(person.quote),
    release: withoutLinks(planned.release),
  })
  const delivery = person.by === 'email' ? ('queued' as const) : ('page' as const)
  await addMessage(transaction, {
    feedbackId: person.reportId,
    author: 'system',
    userId: planned.userId,
    text: said,
    delivery,
    now,
  })
  await transaction.updateTable('feedback').set({ last_activity_at: now }).where('id', '=', person.reportId).execute()
  await noteActivity(transaction, { feedbackId: person.reportId, userId: planned.userId, type: 'notified', now })
  await transaction
    .insertInto('told_people')
    .values({ issue_id: issueId, writer_hash: writerHash(person.writer), told_at: now })
    .onConflict((conflict) => conflict.columns(['issue_id', 'writer_hash']).doUpdateSet({ told_at: now }))
    .execute()
}
