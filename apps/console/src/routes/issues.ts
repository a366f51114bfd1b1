import { createRoute } from '@tanstack/react-router'
import { readIssueUrl } from '../features/issue/model/page-search.ts'
import { issueEventQuery, issueQuery, issueStatsQuery, issueTagsQuery } from '../features/issue/queries.ts'
import { fromUrl, readStreamUrl } from '../features/issues/model/stream-search.ts'
import { streamPrefetch, tabCountsQuery } from '../features/issues/queries.ts'
import { screen } from '../shell/navigation/pages.ts'
import { organizationRoute } from './organization.tsx'

/** A new search must never exchange the screen for an outline: the search bar would lose the focus. */
const PENDING_AFTER_MS = 2000

const streamScreen = screen(() => import('../features/issues/index.ts'), 'IssueStreamScreen')
const issueScreen = screen(() => import('../features/issue/index.ts'), 'IssueScreen')

export const issuesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'issues',
  validateSearch: readStreamUrl,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps, ...visit }) => {
    const search = fromUrl(deps)
    const loaded = context.pages.load(visit, streamScreen, [
      streamPrefetch(params.org, search),
      tabCountsQuery(params.org, search),
    ])
    // Most of those who see the list open an issue of it.
    return loaded.then(() => context.pages.warm(issueScreen))
  },
  pendingMs: PENDING_AFTER_MS,
  component: streamScreen.component,
})

export const issueRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'issues/$issue',
  validateSearch: readIssueUrl,
  loaderDeps: ({ search }) => ({
    statsPeriod: search.statsPeriod,
    environment: search.environment,
    event: search.event,
  }),
  loader: ({ context, params, deps, ...visit }) => {
    const { statsPeriod, environment } = fromUrl({
      ...(deps.statsPeriod === undefined ? {} : { statsPeriod: deps.statsPeriod }),
      ...(deps.environment === undefined ? {} : { environment: deps.environment }),
    })
    const scope = { org: params.org, issue: params.issue, statsPeriod, environment }
    return context.pages.load(visit, issueScreen, [
      issueQuery(scope),
      issueEventQuery(scope, deps.event ?? 'latest'),
      issueStatsQuery(scope),
      issueTagsQuery(scope),
    ])
  },
  pendingMs: PENDING_AFTER_MS,
  component: issueScreen.component,
})

/** The stream and the issue page. */
export const issueRoutes = [issuesRoute, issueRoute] as const
