import { createRoute } from '@tanstack/react-router'
import { feature, pageOf } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { SpeechIcon } from '../../ui/index.ts'
import { fromInboxUrl, readInboxUrl } from './model/inbox-search.ts'
import { feedbackKey, unreadCountQuery } from './unread-query.ts'

const queries = () => import('./queries.ts')

const code = () => import('./index.ts')

const feedbackScreen = screen(code, 'FeedbackScreen')
const feedbackSettings = screen(() => import('./settings/index.ts'), 'ProjectFeedback')

/** The inbox; the open report stands in its address. */
const feedbackRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'feedback',
  validateSearch: readInboxUrl,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps, ...request }) => {
    const search = fromInboxUrl(deps)
    return context.pages.load(request, feedbackScreen, async () => {
      const { inboxPrefetch, mailboxCountsQuery, reportQuery } = await queries()
      return [
        inboxPrefetch(params.org, search),
        mailboxCountsQuery(params.org, search.project),
        ...(search.report === '' ? [] : [reportQuery(params.org, search.report)]),
      ]
    })
  },
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: feedbackScreen.component,
})

/** What visitors say. */
export const feedback = feature({
  routes: [feedbackRoute],
  navigation: [
    {
      page: pageOf(feedbackRoute),
      label: 'Feedback',
      icon: SpeechIcon,
      place: 'top',
      shortcut: 'g f',
      command: { keywords: ['inbox', 'reports', 'visitors', 'spam', 'screenshots'] },
      count: { query: unreadCountQuery, of: 'unread' },
      prefetch: true,
    },
  ],
  projectSettings: [{ value: 'feedback', label: 'Feedback', screen: feedbackSettings }],
  finder: { things: 'reports', load: code },
  live: [{ message: 'feedback', keys: (org) => [feedbackKey(org)] }],
})
