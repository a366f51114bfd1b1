import { createRoute } from '@tanstack/react-router'
import { receiptsQuery } from '../features/receipts/queries.ts'
import { readReceiptsSearch } from '../features/receipts/model/search.ts'
import { screen } from '../shell/navigation/pages.ts'
import { organizationRoute } from './organization.tsx'

const receiptsScreen = screen(() => import('../features/receipts/index.ts'), 'ReceiptsScreen')

export const receiptsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'receipts',
  validateSearch: readReceiptsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps, ...visit }) =>
    context.pages.load(visit, receiptsScreen, [receiptsQuery(params.org, deps)]),
  component: receiptsScreen.component,
})
