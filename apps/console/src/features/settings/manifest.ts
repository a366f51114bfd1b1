import type { ProjectSummary } from '@firsthand/contract'
import { createRoute, redirect } from '@tanstack/react-router'
import { projectQueries } from '../projects/manifest.ts'
import { type Command, KeyIcon, SettingsIcon, UsersIcon } from '../../ui/index.ts'
import { readProjectTab } from './model/tab-search.ts'
import { projectsQuery } from '../../lib/shared-queries.ts'
import { type CommandContext, feature, pageOf } from '../../shell/feature.ts'
import { screen, together } from '../../shell/navigation/pages.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'

const code = () => import('./screens.ts')
const queries = () => import('../../lib/organization-queries.ts')

const settingsLayout = screen(code, 'SettingsLayout')
const organizationScreen = screen(code, 'OrganizationSettings')
const projectsScreen = screen(code, 'ProjectsSettings')
const projectScreen = screen(code, 'ProjectSettings')
const membersScreen = screen(code, 'MembersSettings')
const teamsScreen = screen(code, 'TeamsSettings')
const tokensScreen = screen(code, 'TokensSettings')

export const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'settings',
  loader: ({ context, ...request }) => context.pages.load(request, settingsLayout),
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
  loader: ({ context, params, ...request }) =>
    context.pages.load(request, organizationScreen, async () => [(await queries()).organizationQuery(params.org)]),
  component: organizationScreen.component,
})

const projectsSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'projects',
  loader: ({ context, params, ...request }) => context.pages.load(request, projectsScreen, [projectsQuery(params.org)]),
  component: projectsScreen.component,
})

const projectSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'projects/$project',
  validateSearch: readProjectTab,
  loader: ({ context, params, ...request }) => {
    const tabs = context.features.flatMap(({ projectSettings = [] }) => projectSettings.map((tab) => tab.screen))
    return context.pages.load(request, together(projectScreen, tabs), projectQueries(params))
  },
  component: projectScreen.component,
})

const membersSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'members',
  loader: ({ context, params, ...request }) =>
    context.pages.load(request, membersScreen, async () => [(await queries()).membersQuery(params.org)]),
  component: membersScreen.component,
})

const teamsSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'teams',
  loader: ({ context, params, ...request }) =>
    context.pages.load(request, teamsScreen, async () => {
      const { membersQuery, teamsQuery } = await queries()
      return [teamsQuery(params.org), membersQuery(params.org), projectsQuery(params.org)]
    }),
  component: teamsScreen.component,
})

const tokensSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'tokens',
  loader: ({ context, params, ...request }) =>
    context.pages.load(request, tokensScreen, async () => [(await import('./queries.ts')).tokensQuery(params.org)]),
  component: tokensScreen.component,
})

/** The settings of the organisation and of its projects. */
export const settings = feature({
  routes: [
    settingsRoute,
    settingsHomeRoute,
    organizationSettingsRoute,
    projectsSettingsRoute,
    projectSettingsRoute,
    membersSettingsRoute,
    teamsSettingsRoute,
    tokensSettingsRoute,
  ],
  navigation: [
    {
      page: pageOf(settingsRoute),
      label: 'Settings',
      icon: SettingsIcon,
      place: 'foot',
      shortcut: 'g s',
      command: { keywords: ['organisation', 'retention', 'name'] },
      prefetch: false,
    },
  ],
  menus: {
    organization: [
      { page: pageOf(organizationSettingsRoute), label: 'Organisation settings', icon: SettingsIcon },
      { page: pageOf(membersSettingsRoute), label: 'Members', icon: UsersIcon },
    ],
  },
  commands: settingsCommands,
  finder: { things: 'people', load: code },
  projectCommands: settingsOfProject,
})

function settingsCommands({ org, navigate }: CommandContext): readonly Command[] {
  const params = { org }
  return [
    {
      id: 'go-projects',
      label: 'Project settings',
      group: 'Go to',
      icon: SettingsIcon,
      keywords: ['dsn', 'keys', 'filters', 'scrubbing', 'grouping'],
      run: () => void navigate({ to: '/organizations/$org/settings/projects', params }),
    },
    {
      id: 'go-members',
      label: 'Members and invitations',
      group: 'Go to',
      icon: UsersIcon,
      keywords: ['invite', 'roles', 'people'],
      run: () => void navigate({ to: '/organizations/$org/settings/members', params }),
    },
    {
      id: 'go-teams',
      label: 'Teams',
      group: 'Go to',
      icon: UsersIcon,
      run: () => void navigate({ to: '/organizations/$org/settings/teams', params }),
    },
    {
      id: 'go-tokens',
      label: 'API tokens',
      group: 'Go to',
      icon: KeyIcon,
      run: () => void navigate({ to: '/organizations/$org/settings/tokens', params }),
    },
  ]
}

function settingsOfProject(project: ProjectSummary, { org, navigate }: CommandContext): readonly Command[] {
  return [
    {
      id: `settings-of-${project.slug}`,
      label: `Settings of ${project.name}`,
      group: 'Projects',
      icon: SettingsIcon,
      keywords: [project.slug, 'dsn', 'keys'],
      run: () =>
        void navigate({
          to: '/organizations/$org/settings/projects/$project',
          params: { org, project: project.slug },
        }),
    },
  ]
}
