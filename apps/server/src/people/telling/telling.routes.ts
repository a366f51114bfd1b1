import { deleteIssueTelling, getIssueTelling, updateIssueTelling, type IssueTelling } from '@firsthand/contract'
import { readProjectSettings } from '../../accounts/index.ts'
import { bind, conflict, notFound, type Route } from '../../http/index.ts'
import type { IssueView } from '../../issues/index.ts'
import type { Clock } from '../../lib/clock.ts'
import { toDate } from '../../lib/instant-text.ts'
import { findIssue, type FoundIssue, type IssueFinder } from '../find-issue.ts'
import type { Tellings } from '../ledger/tellings.ts'
import { LIMITS } from '../limits.ts'
import { personJson } from '../said/said.routes.ts'
import type { Chosen } from './recipients.ts'
import { textFor } from './told-text.ts'

export interface TellingParts extends IssueFinder {
  readonly issues: Pick<IssueView, 'find' | 'records' | 'people' | 'newestReleases'>
  readonly tellings: Pick<Tellings, 'planned' | 'told' | 'change' | 'withdraw'>
  readonly recipients: (issue: FoundIssue, leftOut: readonly number[]) => Promise<Chosen>
  readonly clock: Clock
  /** Told of the issues whose tellings people changed. */
  readonly changed: (issue: FoundIssue) => void
}

/** Who is told that an issue is resolved: looked at, changed, taken back. */
export const createTellingRoutes = (parts: TellingParts): Route[] => [
  bind(getIssueTelling, async ({ params, query, request }) => ({
    body: await tellingJson(
      parts,
      await findIssue(parts, request.organization.id, params.issue),
      query.namesRelease === true,
    ),
  })),

  bind(updateIssueTelling, async ({ params, body, request }) => {
    const issue = await findIssue(parts, request.organization.id, params.issue)
    if (issue.status !== 'resolved') {
      throw conflict(
        'The issue is not resolved, so there is nothing to tell. Give "tell" together with the status "resolved".',
      )
    }
    const actor = { organizationId: issue.organizationId, userId: request.caller.user.id, now: parts.clock.now() }
    if (!(await parts.tellings.change(actor, issue.id, body, releaseOf(issue)))) throw notFound()
    parts.changed(issue)
    const told = await tellingJson(parts, issue)
    // Who may change an issue but not read it is not shown who wrote about it.
    return { body: request.organization.scopes.has('event:read') ? told : withoutPeople(told) }
  }),

  bind(deleteIssueTelling, async ({ params, request }) => {
    const issue = await findIssue(parts, request.organization.id, params.issue)
    if (!(await parts.tellings.withdraw(issue.id, parts.clock.now()))) {
      throw conflict('Nothing waits to be sent: it was sent already, taken back, or nobody was to be told.')
    }
    parts.changed(issue)
    return { body: null }
  }),
]

const withoutPeople = (telling: IssueTelling): IssueTelling => ({ ...telling, people: [], notTold: [], texts: [] })

/** In which release an issue is resolved; '' for the next one, null where nobody said. */
const releaseOf = ({ statusDetails }: FoundIssue): string | null =>
  statusDetails.inNextRelease === true ? '' : (statusDetails.inRelease ?? null)

const WHEN = { nothing: 'now', release: 'release', next: 'release', person: 'person' } as const

const tellingJson = async (parts: TellingParts, issue: FoundIssue, namesRelease = false): Promise<IssueTelling> => {
  const planned = await parts.tellings.planned(issue.id)
  const [{ people, notTold }, told, newest, users] = await Promise.all([
    parts.recipients(issue, planned?.leftOut ?? []),
    parts.tellings.told(issue.storedIds),
    parts.issues.newestReleases(issue.organizationId, [issue.project.id]),
    planned === null || planned.userId === null ? new Map<number, never>() : parts.issues.people([planned.userId]),
  ])
  const user = planned === null || planned.userId === null ? undefined : users.get(planned.userId)
  const hasRelease = namesRelease || (planned !== null && planned.release !== '')
  const readers = Map.groupBy(people, ({ language }) => language)
  const languages = [...new Set([...readers.keys(), ...Object.keys(planned?.texts ?? {}), 'en'])]
  const { notifyResolved } = readProjectSettings(issue.project.settings).feedback.reply
  return {
    people: people.slice(0, LIMITS.TELLING_PEOPLE_SHOWN).map(({ reportId, name, email, quote, by, language }) => ({
      id: String(reportId),
      name,
      email,
      quote,
      by,
      language,
    })),
    total: people.length,
    notTold: notTold
      .slice(0, LIMITS.TELLING_PEOPLE_SHOWN)
      .map(({ reportId, name, email, why }) => ({ id: String(reportId), name, email, why })),
    notToldTotal: notTold.length,
    texts: languages
      .map((language) => ({
        language,
        ...textFor(language, planned?.texts ?? {}, hasRelease),
        people: readers.get(language)?.length ?? 0,
      }))
      .toSorted((one, other) => other.people - one.people || (one.language < other.language ? -1 : 1)),
    when: notifyResolved ? 'now' : 'never',
    newestRelease: newest.get(issue.project.id) ?? null,
    planned:
      planned === null
        ? null
        : {
            when: WHEN[planned.waitsFor],
            release: planned.waitsFor === 'next' ? '' : planned.release === '' ? null : planned.release,
            dueAt: planned.dueAt === null ? null : toDate(planned.dueAt),
            user: user === undefined ? null : personJson(user),
          },
    told: told.people,
    lastTold: told.lastAt === null ? null : toDate(told.lastAt),
  }
}
