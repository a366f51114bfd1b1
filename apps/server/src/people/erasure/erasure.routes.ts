import {
  createErasure,
  deleteErasure,
  listErasures,
  previewErasure,
  type Erasure as ErasureJson,
  type ErasurePreview,
} from '@firsthand/contract'
import type { ProjectReference } from '../../accounts/index.ts'
import { bind, conflict, notFound, type Route } from '../../http/index.ts'
import type { IssueView } from '../../issues/index.ts'
import type { Clock } from '../../lib/clock.ts'
import { toDate } from '../../lib/instant-text.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import { isTooMuch, namesOfKind, unlessTooLarge } from '../../search/index.ts'
import type { ErasedPerson, PersonalData } from '../../storage/index.ts'
import type { Erasure, Erasures } from '../ledger/erasures.ts'
import { LIMITS } from '../limits.ts'
import { isAnonymous } from '../person/person.ts'
import { readPerson, type PersonSources } from '../person/sources.ts'
import { personJson } from '../said/said.routes.ts'
import { chosenNames, listedNames } from './names.ts'

export interface ErasureParts {
  readonly erasures: Pick<Erasures, 'add' | 'list' | 'withdraw'>
  readonly personal: () => readonly PersonalData[]
  readonly sources: PersonSources
  readonly issues: Pick<IssueView, 'people'>
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly clock: Clock
  /** Told of the organisation in which somebody asked for one, or took it back. */
  readonly changed: (organizationId: number) => void
}

/** All that is kept of a person, counted, and asked to be erased. */
export const createErasureRoutes = (parts: ErasureParts): Route[] => [
  previewRoute(parts),

  bind(listErasures, async ({ request }) => ({
    body: await erasuresJson(parts, await parts.erasures.list(request.organization.id)),
  })),

  bind(createErasure, async ({ body, request }) => {
    const organizationId = request.organization.id
    const { keys } = chosenNames(body.names)
    const userId = request.caller.user.id
    const erasure = await parts.erasures.add({ organizationId, userId, now: parts.clock.now() }, keys)
    if (erasure === 'known') {
      throw conflict('These names wait to be deleted already. Take that back first, to ask for it anew.')
    }
    if (erasure === null) {
      throw conflict(
        `${LIMITS.ERASURES_WAITING} deletions of people wait already. Ask again when some of them are done.`,
      )
    }
    parts.changed(organizationId)
    const [json] = await erasuresJson(parts, [erasure])
    if (json === undefined) throw notFound()
    return { body: json, status: 201 }
  }),

  bind(deleteErasure, async ({ params, request }) => {
    const id = /^\d{1,15}$/.test(params.erasure) ? Number(params.erasure) : null
    const before = id === null ? null : await parts.erasures.withdraw(request.organization.id, id, parts.clock.now())
    if (before === null) throw notFound()
    if (before !== 'planned') {
      throw conflict(
        before === 'withdrawn'
          ? 'This deletion was taken back already.'
          : 'This deletion has begun, and what is deleted does not come back.',
      )
    }
    parts.changed(request.organization.id)
    return { body: null }
  }),
]

const previewRoute = (parts: ErasureParts): Route =>
  bind(previewErasure, async ({ query, request }) => {
    const organizationId = request.organization.id
    const now = parts.clock.now()
    const period = { from: 0, to: now }
    const { names, isWhole, beside } = await unlessTooLarge(
      query.name === undefined
        ? joinedNames(parts, { organizationId, period }, query.user)
        : Promise.resolve({ names: query.name, isWhole: true, beside: [] }),
      period,
    )
    const person = { organizationId, ...chosenNames(names), receivedUntil: now }
    const counts = await Promise.all(parts.personal().map((data) => countOf(data, person)))
    return { body: { names: [...names], isWhole, beside: [...beside], counts } }
  })

/** Null where there is too much of everybody's to be looked through while somebody waits. It is erased all the same. */
const countOf = async (
  { what, count }: PersonalData,
  person: ErasedPerson,
): Promise<ErasurePreview['counts'][number]> => {
  try {
    return { what, count: await count(person, LIMITS.ERASURE_READ_SECONDS) }
  } catch (error) {
    if (!isTooMuch(error) && !isSlow(error)) throw error
    return { what, count: null }
  }
}

/** The ledger ended the statement of a caller, because it took longer than one may wait. */
const isSlow = (error: unknown): boolean => error instanceof StatementRefusal && error.reason === 'slow'

const joinedNames = async (
  { projects, sources }: ErasureParts,
  scope: { readonly organizationId: number; readonly period: { readonly from: number; readonly to: number } },
  user: string,
): Promise<Joined> => {
  const seconds = LIMITS.ERASURE_READ_SECONDS
  const projectIds = (await projects(scope.organizationId)).map(({ id }) => id)
  const { names, isWhole, errors } = await readPerson(sources, { ...scope, projectIds }, user, seconds)
  const called = [...new Set([...errors.names, ...namesOfKind(names.keys, 'username')])]
  const asked = { ...scope, projectIds, ...names }
  const most = LIMITS.PERSON_NAMES
  const keys = isAnonymous(user) ? [] : await sources.errors.calledBy(asked, { names: called, most, seconds })
  const listed = listedNames(names)
  return { names: listed, isWhole, beside: keys.filter((key) => !isAnonymous(key) && !listed.includes(key)) }
}

interface Joined {
  readonly names: readonly string[]
  readonly isWhole: boolean
  /** Of whoever was called the same. */
  readonly beside: readonly string[]
}

const erasuresJson = async ({ issues }: ErasureParts, erasures: readonly Erasure[]): Promise<ErasureJson[]> => {
  const users = await issues.people([...new Set(erasures.flatMap(({ userId }) => userId ?? []))])
  return erasures.map((erasure) => {
    const user = erasure.userId === null ? undefined : users.get(erasure.userId)
    return {
      id: String(erasure.id),
      state: erasure.state,
      names: [...erasure.names],
      user: user === undefined ? null : personJson(user),
      dateAsked: toDate(erasure.askedAt),
      dateDue: toDate(erasure.dueAt),
      dateEnded: erasure.endedAt === null ? null : toDate(erasure.endedAt),
      failure: failureJson(erasure.failure),
      counts: erasure.counts.map(({ what, erased, left }) => ({ what, count: erased - left })),
    }
  })
}

const failureJson = (failure: Erasure['failure']): ErasureJson['failure'] =>
  failure === null ? null : { attempts: failure.attempts, error: failure.error, dateRetry: toDate(failure.retryAt) }
