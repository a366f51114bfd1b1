import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import type { Pages } from '../shell/navigation/pages.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { RootFrame } from '../shell/root-frame.tsx'

/** What every route is given. */
export interface RouterContext {
  readonly queryClient: QueryClient
  readonly pages: Pages
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <RootFrame>
      <Outlet />
    </RootFrame>
  ),
  notFoundComponent: NotFoundPage,
})
