import { COUNTED_ISSUES, type ProjectSummary } from '@firsthand/contract'
import { createRoute } from '@tanstack/react-router'
import { type CommandContext, feature, pageOf } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { type Command, IssuesIcon, OkIcon, ProjectIcon } from '../../ui/index.ts'
import { issueScreen } from '../issue/manifest.ts'
import { ISSUES_MESSAGE, LIVE_INTERVAL_MS, VIEW_COUNTS_INTERVAL_MS } from './live/index.ts'
import { issueKeys } from './model/keys.ts'
import { fromUrl, readStreamUrl } from './model/stream-search.ts'
import { reviewCountQuery, streamPrefetch, unresolvedCountQuery } from './queries.ts'
import { REVIEW_SEARCH } from './review/review-search.ts'

const code = () => import('./screens.ts')

const streamScreen = screen(code, 'IssueStreamScreen')
const groupingSettings = screen(() => import('./settings/index.ts'), 'ProjectGrouping')

const reviewScreen = screen(() => import('./review/index.ts'), 'ReviewScreen')

const reviewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'review',
  loader: ({ context, params, ...request }) =>
    context.pages.load(request, reviewScreen, [streamPrefetch(params.org, REVIEW_SEARCH)]),
  component: reviewScreen.component,
})

const issuesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'issues',
  validateSearch: readStreamUrl,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps, ...request }) => {
    const search = fromUrl(deps)
    const loaded = context.pages.load(request, streamScreen, [streamPrefetch(params.org, search)])
    // Most of those who see the list open an issue of it.
    return loaded.then(() => context.pages.warm(issueScreen))
  },
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: streamScreen.component,
})

/** The stream: all issues of an organisation, searched and sorted. */
export const issues = feature({
  routes: [issuesRoute, reviewRoute],
  navigation: [
    {
      page: pageOf(issuesRoute),
      label: 'Issues',
      icon: IssuesIcon,
      place: 'top',
      shortcut: 'g i',
      command: { keywords: ['errors', 'stream'] },
      count: { query: unresolvedCountQuery, of: 'unresolved', upTo: COUNTED_ISSUES },
      isHome: true,
      prefetch: true,
    },
    {
      page: pageOf(reviewRoute),
      label: 'Review',
      icon: OkIcon,
      place: 'top',
      shortcut: 'g v',
      command: { label: 'Review what is new', keywords: ['triage', 'queue'] },
      count: { query: reviewCountQuery, of: 'to review', upTo: COUNTED_ISSUES },
      prefetch: false,
    },
  ],
  section: screen(() => import('./side-bar/index.ts'), 'ViewsSection'),
  projectCommands: issuesOfProject,
  projectSettings: [{ value: 'grouping', label: 'Grouping', screen: groupingSettings }],
  finder: { things: 'issues, saved searches and releases', load: code },
  live: [
    { message: ISSUES_MESSAGE, keys: (org) => [issueKeys.lists(org)], minIntervalMs: LIVE_INTERVAL_MS },
    { message: ISSUES_MESSAGE, keys: (org) => [issueKeys.viewCounts(org)], minIntervalMs: VIEW_COUNTS_INTERVAL_MS },
  ],
})

function issuesOfProject(project: ProjectSummary, { org, navigate }: CommandContext): readonly Command[] {
  return [
    {
      id: `issues-of-${project.slug}`,
      label: `Issues of ${project.name}`,
      group: 'Projects',
      icon: ProjectIcon,
      keywords: [project.slug],
      run: () =>
        void navigate({ to: '/organizations/$org/issues', params: { org }, search: { project: [project.id] } }),
    },
  ]
}
