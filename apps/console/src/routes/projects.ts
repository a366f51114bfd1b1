import { createRoute } from '@tanstack/react-router'
import { keysQuery, projectQuery } from '../features/projects/queries.ts'
import { screen } from '../shell/navigation/pages.ts'
import { organizationRoute } from './organization.tsx'

const newProjectScreen = screen(() => import('../features/projects/index.ts'), 'NewProjectScreen')
const gettingStartedScreen = screen(() => import('../features/projects/index.ts'), 'GettingStartedScreen')

export const newProjectRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'projects/new',
  loader: ({ context, ...visit }) => context.pages.load(visit, newProjectScreen),
  component: newProjectScreen.component,
})

export const gettingStartedRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'projects/$project/getting-started',
  loader: ({ context, params, ...visit }) =>
    context.pages.load(visit, gettingStartedScreen, [
      projectQuery(params.org, params.project),
      keysQuery(params.org, params.project),
    ]),
  component: gettingStartedScreen.component,
})
