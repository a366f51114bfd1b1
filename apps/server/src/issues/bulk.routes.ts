import { applyIssueSet, freezeIssues, undoIssueSet } from '@firsthand/contract'
import { badRequest, bind, conflict, notFound, orBadRequest, type Route } from '../http/index.ts'
import { toDate } from '../lib/instant-text.ts'
import { peaksOf, publish, readChange, releaseOf, toRows, who } from './issues.routes.ts'
import { LIMITS } from './limits.ts'
import { userIdOf, type OrganizationRequest as Request } from './organization-request.routes.ts'
import type { StreamRequest } from './issue-stream.ts'
import type { IssueRecord } from './issues.view.ts'
import type { IssueServices } from './services.ts'
import { PLAN_TELLING, RANK_WRITERS } from './visitor-reports.ts'
import type { FrozenSet } from './workflow/bulk.store.ts'

/** Changes of everything that a search finds: it is frozen and shown, changed as it was shown, and taken back. */
export const createBulkRoutes = (services: IssueServices): Route[] => [
  freezeRoute(services),
  applyRoute(services),
  undoRoute(services),
]

/** @throws HttpError 404 for those of others, and for old ones */
const findSet = async ({ clock, sets }: IssueServices, request: Request, reference: string): Promise<FrozenSet> => {
  const set = /^\d{1,15}$/.test(reference)
    ? await sets.find(request.organization.id, userIdOf(request), Number(reference), clock.now())
    : null
  if (set === null) throw notFound('These issues are not kept any more. Choose them again.')
  return set
}

/**
 * The first of frozen issues, in the order of the list that they were chosen from. What the list has beyond them came
 * since; where it orders by events, it has only those that have some, and the newest ones fill up.
 */
const firstOf = async (
  { issues, stream }: IssueServices,
  ids: readonly number[],
  request: Omit<StreamRequest, 'cursor' | 'groupStatsPeriod' | 'lifetime'>,
): Promise<readonly IssueRecord[]> => {
  const frozen = new Set(ids)
  const page = orBadRequest(await stream.list({ ...request, cursor: undefined, groupStatsPeriod: '', lifetime: false }))
  const first = page.records.map(({ id }) => id).filter((id) => frozen.has(id))
  const shown = new Set([...first, ...ids.slice(-request.limit).toReversed()])
  return issues.records(request.organizationId, [...shown].slice(0, request.limit))
}

const freezeRoute = (services: IssueServices): Route => {
  const { ask, clock, sets, stream } = services
  return bind(freezeIssues, async ({ body, request }) => {
    const now = clock.now()
    const { sort = 'date', ...search } = body
    const ids: number[] = []
    const steps = orBadRequest(await stream.matching({ ...search, ...who(request), now }))
    for await (const step of steps) {
      ids.push(...step)
      if (ids.length > LIMITS.ISSUE_SET_ISSUES) {
        throw badRequest(
          `More than ${LIMITS.ISSUE_SET_ISSUES.toLocaleString('en')} issues match, too many to be changed at once. Narrow the search.`,
        )
      }
    }
    const id = await sets.freeze({ ...who(request), now, ids })
    const writers = await ask(RANK_WRITERS, request.organization.id)
    // Who may change issues but not read them is told how many they are.
    const mayRead = request.organization.scopes.has('event:read')
    const examples = mayRead
      ? await firstOf(services, ids, { ...search, ...who(request), now, sort, limit: LIMITS.ISSUE_SET_EXAMPLES })
      : []
    const counts = await stream.counts(examples, {
      organizationId: request.organization.id,
      environments: [],
      period: null,
      buckets: null,
    })
    return {
      body: {
        id: String(id),
        count: ids.length,
        reporterCount: ids.reduce((sum, issue) => sum + (writers.get(issue) ?? 0), 0),
        examples: await toRows(services, request, examples, {
          counts,
          lifetime: null,
          buckets: null,
          period: null,
          series: '',
        }),
        expires: toDate(now + LIMITS.ISSUE_SET_MS),
      },
      status: 201,
    }
  })
}

/** Made whole, the same may be asked for again: its answer got lost. @throws HttpError 409 when it was taken back, or is another one */
const refuseOther = async ({ sets }: IssueServices, set: FrozenSet, asked: string): Promise<void> => {
  if (set.undoneAt === null && set.wish?.asked === asked) return
  const changed = (await sets.countChanged(set.id)).toLocaleString('en')
  const all = set.count.toLocaleString('en')
  if (set.undoneAt !== null) {
    throw conflict(
      `${changed} of ${all} issues were changed, and that was undone. Choose them again for another change.`,
    )
  }
  if (set.appliedAt !== null) {
    throw conflict(`${changed} of ${all} issues were changed already. Choose them again for another change.`)
  }
  throw conflict(
    `${changed} of ${all} issues were changed to something else. Ask for that again to go on, or undo it and choose them again.`,
  )
}

const applyRoute = (services: IssueServices): Route => {
  const { ask, clock, issues, sets } = services
  return bind(applyIssueSet, async ({ body, params, request }) => {
    const { id, organizationId, userId } = await findSet(services, request, params.set)
    const change = await readChange(services, request, body)
    if (change.status === undefined && change.assignee === undefined && body.priority === undefined) {
      throw badRequest('Say what is to be changed: a status, an assignee or a priority.')
    }
    const asked = JSON.stringify(body)
    await sets.begin(id, { asked, status: change.status ?? null })
    let set = await findSet(services, request, params.set)
    await refuseOther(services, set, asked)
    const status = set.wish?.status ?? undefined
    const { tell } = body
    // Only issues about which somebody wrote: of the others there is nobody to be told.
    const written = tell === undefined ? null : await ask(RANK_WRITERS, organizationId)
    for (;;) {
      const after = set.reached
      const ids = await sets.members(id, after, LIMITS.ISSUES_PER_CHANGE)
      const last = ids.at(-1)
      if (last === undefined) break
      const records = await issues.records(organizationId, ids)
      const now = clock.now()
      if (tell !== undefined && written !== null) {
        // Before: what would be told by itself is not, whatever fails in between.
        const issueIds = records.map((record) => record.id).filter((issue) => written.has(issue))
        await ask(PLAN_TELLING, { organizationId, userId, now, issueIds, telling: tell, release: releaseOf(status) })
      }
      await sets.change(
        id,
        { after, last },
        {
          organizationId,
          userId,
          now,
          ids: records.map((record) => record.id),
          ...(status === undefined ? {} : { status }),
          ...(change.assignee === undefined ? {} : { assignee: change.assignee }),
          ...(body.priority === undefined ? {} : { priority: body.priority }),
          ...(status?.kind === 'archivedForever' ? { dailyPeaks: await peaksOf(services, request, records) } : {}),
        },
      )
      publish(services, request, records)
      // Where it stands is in the ledger: the same request may be under way twice, or be undone meanwhile.
      set = await findSet(services, request, params.set)
      if (set.undoneAt !== null) await refuseOther(services, set, asked)
    }
    if (set.appliedAt === null) await sets.finish(id, clock.now())
    const changed = await sets.countChanged(id)
    return {
      body: { changed, gone: set.count - changed, undoUntil: toDate(set.createdAt + LIMITS.ISSUE_SET_MS) },
    }
  })
}

const undoRoute = (services: IssueServices): Route => {
  const { clock, issues, sets } = services
  return bind(undoIssueSet, async ({ params, request }) => {
    const set = await findSet(services, request, params.set)
    if (set.wish === null && set.appliedAt === null) throw badRequest('Nothing was changed yet that could be undone.')
    const actor = { ...who(request), now: clock.now() }
    // First: a change that is still under way goes no further than what is restored here.
    await sets.noteUndone(set.id, actor.now)
    let restored = 0
    let left = 0
    let after = 0
    for (;;) {
      const step = await sets.restore(set.id, actor, after, LIMITS.ISSUES_PER_CHANGE)
      restored += step.restored.length
      left += step.left
      publish(services, request, await issues.records(set.organizationId, step.restored))
      if (step.last === null) break
      after = step.last
    }
    return { body: { restored, left } }
  })
}
