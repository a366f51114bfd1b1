import { createRoute, redirect } from '@tanstack/react-router'
import { sessionsQuery } from '../features/account/queries.ts'
import { keysQuery, projectQuery } from '../features/projects/queries.ts'
import { tokensQuery } from '../features/settings/queries.ts'
import { membersQuery, organizationQuery, projectsQuery, teamsQuery } from '../lib/shared-queries.ts'
import { screen } from '../shell/navigation/pages.ts'
import { organizationRoute } from './organization.tsx'

const settings = () => import('../features/settings/index.ts')

const settingsLayout = screen(settings, 'SettingsLayout')
const organizationScreen = screen(settings, 'OrganizationSettings')
const projectsScreen = screen(settings, 'ProjectsSettings')
const projectScreen = screen(settings, 'ProjectSettings')
const membersScreen = screen(settings, 'MembersSettings')
const teamsScreen = screen(settings, 'TeamsSettings')
const tokensScreen = screen(settings, 'TokensSettings')
const accountScreen = screen(() => import('../features/account/index.ts'), 'AccountScreen')

const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'settings',
  loader: ({ context, ...visit }) => context.pages.load(visit, settingsLayout),
  component: settingsLayout.component,
})

const settingsHomeRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/organizations/$org/settings/organization', params, replace: true })
  },
})

const organizationSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'organization',
  loader: ({ context, params, ...visit }) =>
    context.pages.load(visit, organizationScreen, [organizationQuery(params.org)]),
  component: organizationScreen.component,
})

const projectsSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'projects',
  loader: ({ context, params, ...visit }) => context.pages.load(visit, projectsScreen, [projectsQuery(params.org)]),
  component: projectsScreen.component,
})

/** The parts of a project's settings, in the order of their tabs. */
const PROJECT_TABS = ['general', 'keys', 'filters', 'scrubbing', 'grouping', 'feedback'] as const
export type ProjectTab = (typeof PROJECT_TABS)[number]

const projectSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'projects/$project',
  validateSearch: (search: Record<string, unknown>): { tab?: ProjectTab } => {
    const tab = PROJECT_TABS.find((candidate) => candidate === search.tab)
    return tab === undefined || tab === 'general' ? {} : { tab }
  },
  loader: ({ context, params, ...visit }) =>
    context.pages.load(visit, projectScreen, [
      projectQuery(params.org, params.project),
      keysQuery(params.org, params.project),
    ]),
  component: projectScreen.component,
})

const membersSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'members',
  loader: ({ context, params, ...visit }) => context.pages.load(visit, membersScreen, [membersQuery(params.org)]),
  component: membersScreen.component,
})

const teamsSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'teams',
  loader: ({ context, params, ...visit }) =>
    context.pages.load(visit, teamsScreen, [
      teamsQuery(params.org),
      membersQuery(params.org),
      projectsQuery(params.org),
    ]),
  component: teamsScreen.component,
})

const tokensSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'tokens',
  loader: ({ context, params, ...visit }) => context.pages.load(visit, tokensScreen, [tokensQuery(params.org)]),
  component: tokensScreen.component,
})

const accountRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'account',
  loader: ({ context, ...visit }) => context.pages.load(visit, accountScreen, [sessionsQuery]),
  component: accountScreen.component,
})

export const settingsRoutes = settingsRoute.addChildren([
  settingsHomeRoute,
  organizationSettingsRoute,
  projectsSettingsRoute,
  projectSettingsRoute,
  membersSettingsRoute,
  teamsSettingsRoute,
  tokensSettingsRoute,
  accountRoute,
])
