import { createRoute } from '@tanstack/react-router'
import { type CommandContext, feature } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { type Command, PlusIcon } from '../../ui/index.ts'

const newProjectScreen = screen(() => import('./screens.ts'), 'NewProjectScreen')
const gettingStartedScreen = screen(() => import('./screens.ts'), 'GettingStartedScreen')

/** What pages of one project ask for first. */
export const projectQueries =
  ({ org, project }: { readonly org: string; readonly project: string }) =>
  async () => {
    const { keysQuery, projectQuery } = await import('./queries.ts')
    return [projectQuery(org, project), keysQuery(org, project)]
  }

const newProjectRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'projects/new',
  loader: ({ context, ...request }) => context.pages.load(request, newProjectScreen),
  component: newProjectScreen.component,
})

const gettingStartedRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'projects/$project/getting-started',
  loader: ({ context, params, ...request }) =>
    context.pages.load(request, gettingStartedScreen, projectQueries(params)),
  component: gettingStartedScreen.component,
})

/** The list of projects in the side bar; creating one, and its first event. */
export const projects = feature({
  routes: [newProjectRoute, gettingStartedRoute],
  section: screen(() => import('./side-bar/index.ts'), 'ProjectsSection'),
  commands: projectsCommands,
})

function projectsCommands({ org, navigate, access }: CommandContext): readonly Command[] {
  if (!access.includes('project:write')) return []
  return [
    {
      id: 'new-project',
      label: 'New project',
      group: 'Do',
      icon: PlusIcon,
      keywords: ['create', 'platform'],
      run: () => void navigate({ to: '/organizations/$org/projects/new', params: { org } }),
    },
  ]
}
