import { createRoute } from '@tanstack/react-router'
import { fromInboxUrl, readInboxUrl } from '../features/feedback/model/inbox-search.ts'
import { inboxPrefetch, mailboxCountsQuery, reportQuery } from '../features/feedback/queries.ts'
import { screen } from '../shell/navigation/pages.ts'
import { organizationRoute } from './organization.tsx'

/** A new search must never exchange the screen for an outline: the field would lose the focus. */
const PENDING_AFTER_MS = 2000

const feedbackScreen = screen(() => import('../features/feedback/index.ts'), 'FeedbackScreen')

/** The inbox; the open report stands in its address. */
export const feedbackRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'feedback',
  validateSearch: readInboxUrl,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps, ...visit }) => {
    const search = fromInboxUrl(deps)
    return context.pages.load(visit, feedbackScreen, [
      inboxPrefetch(params.org, search),
      mailboxCountsQuery(params.org, search.project),
      ...(search.report === '' ? [] : [reportQuery(params.org, search.report)]),
    ])
  },
  pendingMs: PENDING_AFTER_MS,
  component: feedbackScreen.component,
})
