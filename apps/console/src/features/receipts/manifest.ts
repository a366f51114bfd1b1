import { createRoute } from '@tanstack/react-router'
import { feature, pageOf } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { ReceiptIcon } from '../../ui/index.ts'
import { ISSUES_MESSAGE, LIVE_INTERVAL_MS } from '../issues/live/index.ts'
import { readReceiptsSearch } from './model/search.ts'
import { receiptsKey } from './query-keys.ts'

const receiptsScreen = screen(() => import('./index.ts'), 'ReceiptsScreen')

const receiptsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'receipts',
  validateSearch: readReceiptsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps, ...request }) =>
    context.pages.load(request, receiptsScreen, async () => {
      const { receiptsQuery } = await import('./queries.ts')
      return [receiptsQuery(params.org, deps)]
    }),
  component: receiptsScreen.component,
})

/** What became of everything that was sent. */
export const receipts = feature({
  routes: [receiptsRoute],
  navigation: [
    {
      page: pageOf(receiptsRoute),
      label: 'Receipts',
      icon: ReceiptIcon,
      place: 'foot',
      shortcut: 'g r',
      command: { keywords: ['outcomes', 'dropped', 'missing', 'rate limit', 'client reports'] },
      prefetch: true,
    },
  ],
  // Events that have arrived are receipts that have arrived.
  live: [{ message: ISSUES_MESSAGE, keys: (org) => [receiptsKey(org)], minIntervalMs: LIVE_INTERVAL_MS }],
})
