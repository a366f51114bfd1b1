import { readScope, type AskedScope, type ScopeQuery } from '../accounts/index.ts'
import type { Ask } from '../lib/questions.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { parseSearch, textOf, type RowFilter, type SearchError, type SearchNode } from '../search/index.ts'
import {
  isSearchKey,
  splitIssueSearch,
  toEventFilter,
  type EventFilterContext,
  type IssueCondition,
} from './search/index.ts'
import type { EventScope } from './events.view.ts'
import type { IssueSelection } from './issues.view.ts'
import type { IssueView } from './ledger/issue-view.ts'
import { ISSUES_WITH_TICKETS } from './tickets-of-issues.ts'

/** Which projects, environments, time and events a request is about. */
export interface ScopeRequest extends ScopeQuery {
  readonly organizationId: number
  readonly query?: string | undefined
  /** Only issues with these ids. */
  readonly group?: readonly string[] | undefined
  /** Who `me` is. */
  readonly userId: number | null
  readonly now: number
}

const describe = ({ message, position }: SearchError): string => `${message} (at character ${position + 1})`

/** A search for events, compiled. Null when it matches everything. */
export const readEventFilter = async (
  issues: IssueView,
  request: ScopeRequest,
  scope: AskedScope,
  root: SearchNode | null,
): Promise<Result<RowFilter | null, string>> => {
  if (root === null) return ok(null)
  const unknown = unknownProjects(root, scope)
  if (unknown !== null) return err(unknown)
  const context = await readEventContext(issues, request.organizationId, scope.projects, [root])
  const filter = toEventFilter(root, { ...context, now: request.now })
  return filter.ok ? filter : err(describe(filter.error))
}

/** What the ledger knows of the names in searches for events. */
export const readEventContext = async (
  issues: Pick<IssueView, 'newestSeenReleases' | 'records' | 'shortIds'>,
  organizationId: number,
  projects: readonly { readonly id: number; readonly slug: string }[],
  roots: readonly SearchNode[],
): Promise<Omit<EventFilterContext, 'now'>> => {
  const issueIds = new Map<string, readonly number[]>()
  const shortIds = roots.flatMap((root) => valuesOf(root, 'issue'))
  if (shortIds.length > 0) {
    const found = await issues.shortIds(organizationId, shortIds)
    const records = await issues.records(organizationId, [...found.values()])
    for (const [shortId, id] of found) issueIds.set(shortId, records.find((one) => one.id === id)?.storedIds ?? [id])
  }
  const isLatest = roots.some((root) => valuesOf(root, 'release').includes('latest'))
  const projectIds = projects.map(({ id }) => id)
  return {
    latestReleases: isLatest ? await newestReleases(issues, organizationId, projectIds) : [],
    issueIds,
    projectIds: new Map(projects.map(({ id, slug }) => [slug, id])),
  }
}

/** In the words of Sentry; null when all projects that are named are among those that are searched. */
const unknownProjects = (root: SearchNode, { projects }: AskedScope): string | null => {
  const known = new Set(projects.map(({ slug }) => slug))
  const named = ['project', 'project.name'].flatMap((key) => valuesOf(root, key))
  const unknown = named.filter((slug) => !known.has(slug))
  return unknown.length === 0
    ? null
    : `Invalid query. Project(s) ${unknown.join(', ')} do not exist or are not actively selected.`
}

const newestReleases = async (
  issues: Pick<IssueView, 'newestSeenReleases'>,
  organizationId: number,
  projectIds: readonly number[],
): Promise<string[]> => [...(await issues.newestSeenReleases(organizationId, projectIds)).values()]

const RELEASE_OF_ISSUES = ['firstRelease', 'first_release', 'first-release', 'regressedIn', 'resolvedIn']

const valuesOf = (node: SearchNode, key: string): string[] => {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.children.flatMap((child) => valuesOf(child, key))
    case 'field':
      return node.key.name === key && !node.key.tag ? node.values.map(textOf) : []
    case 'text':
    case 'has':
      return []
  }
}

/** The events that a request is about, for lists, tables and series of events. */
export const readEventScope = async (
  issues: IssueView,
  request: ScopeRequest,
): Promise<Result<{ readonly scope: AskedScope; readonly events: EventScope }, string>> => {
  const scope = await readScope(issues, request.organizationId, request, request.now)
  if (!scope.ok) return scope
  const parsed = parseSearch(request.query ?? '', isSearchKey)
  if (!parsed.ok) return err(describe(parsed.error))
  const filter = await readEventFilter(issues, request, scope.value, parsed.value.root)
  if (!filter.ok) return filter
  return ok({
    scope: scope.value,
    events: {
      organizationId: request.organizationId,
      projectIds: scope.value.projectIds,
      issueIds: null,
      period: scope.value.period,
      environments: scope.value.environments,
      filter: filter.value,
    },
  })
}

const asksForTickets = (condition: IssueCondition | null): boolean =>
  /"kind":"is","what":"(?:un)?linked"/.test(JSON.stringify(condition))

/** The issues that a request is about: what the ledger answers, and what telemetry has to be asked first. */
export interface IssueScope {
  readonly scope: AskedScope
  /** Its `ids` are what the request names: see `matching`. */
  readonly selection: IssueSelection
  /** Null when every issue qualifies without a look at its events. */
  readonly matching: EventScope | null
}

export const readIssueScope = async (
  { issues, ask }: { readonly issues: IssueView; readonly ask: Ask },
  request: ScopeRequest,
): Promise<Result<IssueScope, string>> => {
  const scope = await readScope(issues, request.organizationId, request, request.now)
  if (!scope.ok) return scope
  const parsed = parseSearch(request.query ?? '', isSearchKey)
  if (!parsed.ok) return err(describe(parsed.error))
  const { root } = parsed.value
  const unknown = root === null ? null : unknownProjects(root, scope.value)
  if (unknown !== null) return err(unknown)
  const asksForLatest = root !== null && RELEASE_OF_ISSUES.some((key) => valuesOf(root, key).includes('latest'))
  const latest = asksForLatest ? await newestReleases(issues, request.organizationId, scope.value.projectIds) : []
  const split = splitIssueSearch(parsed.value, request.now, latest)
  if (!split.ok) return err(describe(split.error))
  const filter = await readEventFilter(issues, request, scope.value, split.value.event)
  if (!filter.ok) return filter
  const { projectIds, allProjects, period, environments } = scope.value
  const condition = split.value.issue
  return ok({
    scope: scope.value,
    selection: {
      organizationId: request.organizationId,
      projectIds,
      allProjects,
      condition,
      ...(asksForTickets(condition) && { linkedIds: await ask(ISSUES_WITH_TICKETS, request.organizationId) }),
      userId: request.userId,
      seen: period,
      ids: request.group === undefined ? null : request.group.map(Number),
    },
    matching:
      filter.value === null && environments.length === 0
        ? null
        : {
            organizationId: request.organizationId,
            projectIds,
            issueIds: null,
            period,
            environments,
            filter: filter.value,
          },
  })
}
