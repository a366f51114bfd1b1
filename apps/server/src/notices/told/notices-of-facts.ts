import { dropThreads } from '../../channels/index.ts'
import type { StoredFact } from '../../facts/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { notify } from '../ledger/notify.ts'
import { forgetReports } from '../ledger/deleted-reports.ts'
import { followDeletion, followMerge, followRestoration } from '../ledger/moved-issues.ts'
import { wakeByRelease } from '../ledger/wake.ts'
import type { Notice } from '../notice.ts'
import { subscribe } from '../subscribe.ts'
import { noticesOfIssue } from './of-issues.ts'
import { noticesOfReport } from './of-reports.ts'
import type { Place } from './messages.ts'
import { namesOf, subscribersOf, whoAskedFor } from './people-of.ts'

/** What is read once for a batch of facts. */
export interface Surroundings {
  readonly transaction: LedgerTransaction
  readonly now: number
  readonly place: Place
  readonly name: (userId: number | null) => string | null
  readonly subscribers: Awaited<ReturnType<typeof subscribersOf>>
  /** Members who asked to hear of every issue, or report. */
  readonly askedFor: (kind: 'new' | 'feedback', projectId: number | null) => Promise<readonly number[]>
}

/** Tells the people whom facts concern, in the transaction that takes the facts. */
export const tellOfFacts = async (
  transaction: LedgerTransaction,
  facts: readonly StoredFact[],
  now: number,
): Promise<void> => {
  const places = await placesOf(transaction, facts)
  const names = await namesOf(
    transaction,
    facts.map(({ actorId }) => actorId),
  )
  const asked = createAsked(transaction)
  const followed = facts.map(({ issueId }) => issueId).filter((id): id is number => id !== null)
  let subscribers = await subscribersOf(transaction, followed)
  const notices: Notice[] = []
  for (const fact of facts) {
    if (fact.kind === 'release_first_seen') {
      const { organizationId, projectId } = fact
      await wakeByRelease(transaction, { organizationId, projectId, version: fact.data.version })
      continue
    }
    if (movesLines(fact)) {
      // What was said before is in the lines that move.
      await notify(transaction, notices.splice(0), now)
      await followMove(transaction, fact, now)
      subscribers = await subscribersOf(transaction, followed)
      continue
    }
    const place = places.get(fact.projectId ?? 0)
    if (place === undefined) continue
    const surroundings: Surroundings = {
      transaction,
      now,
      place,
      name: (userId) => (userId === null ? null : (names.get(userId) ?? 'Somebody')),
      subscribers,
      askedFor: (kind, projectId) => asked(fact.organizationId, kind, projectId),
    }
    const told = (await noticesOfIssue(fact, surroundings)) ?? (await noticesOfReport(fact, surroundings))
    notices.push(...(told?.notices ?? []))
    // Whoever is drawn into an issue hears how it goes on.
    for (const one of told?.subscribed ?? []) {
      if (await subscribe(transaction, { ...one, now })) {
        subscribers.set(one.issueId, [...(subscribers.get(one.issueId) ?? []), one])
      }
    }
  }
  await notify(transaction, notices, now)
}

type Move = StoredFact<'issue_merged' | 'issue_deleted' | 'issue_restored' | 'reports_deleted'>

/** Whether the lines of an issue become others by it, or lines go. */
export const movesLines = (fact: StoredFact): fact is Move =>
  fact.kind === 'issue_merged' ||
  fact.kind === 'issue_deleted' ||
  fact.kind === 'issue_restored' ||
  fact.kind === 'reports_deleted'

/** The issue of lines and followers is another one, or none; or their reports are gone. */
const followMove = async (transaction: LedgerTransaction, fact: Move, now: number): Promise<void> => {
  const { issueId, organizationId } = fact
  if (fact.kind === 'reports_deleted') {
    const { reportIds } = fact.data
    await forgetReports(transaction, reportIds)
    return dropThreads(
      transaction,
      organizationId,
      reportIds.map((id) => `report:${id}`),
    )
  }
  if (issueId === null) return
  if (fact.kind === 'issue_deleted') return followDeletion(transaction, organizationId, issueId, now)
  if (fact.kind === 'issue_restored') return followRestoration(transaction, organizationId, issueId)
  const { issue, parent, parentId } = fact.data
  const events = { events: issue.timesSeen, parentEvents: parent.timesSeen }
  await followMerge(transaction, organizationId, { issueId, parentId, ...events })
}

const placesOf = async (
  transaction: LedgerTransaction,
  facts: readonly StoredFact[],
): Promise<ReadonlyMap<number, Place>> => {
  const places = new Map<number, Place>()
  const ids = new Set(facts.map(({ projectId }) => projectId).filter((id): id is number => id !== null))
  for (const part of chunks([...ids], ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('projects')
      .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
      .select(['projects.id', 'projects.slug', 'projects.name', 'organizations.slug as organization'])
      .where('projects.id', 'in', part)
      .where('projects.deleted_at', 'is', null)
      .execute()
    for (const { id, slug, name, organization } of rows)
      places.set(id, { organizationSlug: organization, projectSlug: slug, projectName: name })
  }
  return places
}

const createAsked = (transaction: LedgerTransaction) => {
  const known = new Map<string, ReturnType<typeof whoAskedFor>>()
  return async (organizationId: number, kind: 'new' | 'feedback', projectId: number | null) => {
    const key = `${organizationId}:${kind}`
    const reading = known.get(key) ?? whoAskedFor(transaction, organizationId, kind)
    known.set(key, reading)
    return (await reading)(projectId)
  }
}
