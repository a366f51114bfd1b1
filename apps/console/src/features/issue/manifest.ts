import { REPORT_ID_OFFSET } from '@firsthand/contract'
import { createRoute, redirect } from '@tanstack/react-router'
import { feature } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { ISSUES_MESSAGE, LIVE_INTERVAL_MS, readLiveFact } from '../issues/live/index.ts'
import { fromUrl, issueKeys, timeOf } from '../issues/model/index.ts'
import { readIssueUrl } from './model/page-search.ts'
import { issueEventQuery, issueQuery, issueStatsQuery, issueTagsQuery } from './queries.ts'

export const issueScreen = screen(() => import('./index.ts'), 'IssueScreen')

const issueRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'issues/$issue',
  validateSearch: readIssueUrl,
  beforeLoad: ({ params: { org, issue } }) => {
    // Reports of visitors have addresses among issues, which Sentry's clients print, and answer to the ids of their events.
    const number = Number(issue) - REPORT_ID_OFFSET
    const report = number > 0 ? String(number) : /^[0-9a-f]{32}$/.test(issue) ? issue : null
    if (report === null) return
    throw redirect({ to: '/organizations/$org/feedback', params: { org }, search: { report }, replace: true })
  },
  loaderDeps: ({ search }) => {
    const { environment, ...stream } = fromUrl(search)
    return { time: timeOf(stream), environment, event: search.event }
  },
  loader: ({ context, params, deps: { event, ...deps }, ...request }) => {
    const scope = { org: params.org, issue: params.issue, ...deps }
    return context.pages.load(request, issueScreen, [
      issueQuery(scope),
      issueEventQuery(scope, event ?? 'latest'),
      issueStatsQuery(scope),
      issueTagsQuery(scope),
    ])
  },
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: issueScreen.component,
})

/** The page of one issue. */
export const issue = feature({
  routes: [issueRoute],
  live: [
    {
      message: ISSUES_MESSAGE,
      keys: (org, facts) => {
        const changed = new Set(facts.flatMap((fact) => readLiveFact(fact)?.issueIds ?? []))
        return [...changed].map((id) => issueKeys.page(org, id))
      },
      minIntervalMs: LIVE_INTERVAL_MS,
    },
  ],
})
