import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectsQuery, useAccess } from '../lib/shared-queries.ts'
import { chooseTheme } from '../lib/theme.ts'
import {
  FeedbackIcon,
  IssuesIcon,
  KeyIcon,
  LogOutIcon,
  MoonIcon,
  OrganizationIcon,
  PlusIcon,
  ProjectIcon,
  ReceiptIcon,
  SettingsIcon,
  SunIcon,
  SystemIcon,
  useCommands,
  UserIcon,
  UsersIcon,
  useShortcut,
  type Command,
} from '../ui/index.ts'
import { useLogOut } from './log-out.tsx'

/** The shortcuts and palette commands that work on every screen of an organisation. */
export function FrameCommands({ org }: { readonly org: string }) {
  const navigate = useNavigate()
  const logOut = useLogOut()
  const may = useAccess(org)
  const mayCreate = may('project:write')
  const { data: projects } = useQuery(projectsQuery(org))

  const go = { group: 'Everywhere' }
  useShortcut('g i', () => void navigate({ to: '/organizations/$org/issues', params: { org } }), {
    ...go,
    label: 'Go to issues',
  })
  useShortcut('g f', () => void navigate({ to: '/organizations/$org/feedback', params: { org } }), {
    ...go,
    label: 'Go to feedback',
  })
  useShortcut('g r', () => void navigate({ to: '/organizations/$org/receipts', params: { org } }), {
    ...go,
    label: 'Go to receipts',
  })
  useShortcut('g s', () => void navigate({ to: '/organizations/$org/settings/organization', params: { org } }), {
    ...go,
    label: 'Go to settings',
  })

  const commands = useMemo(() => {
    const params = { org }
    const list: Command[] = [
      {
        id: 'go-issues',
        label: 'Issues',
        group: 'Go to',
        icon: IssuesIcon,
        kbd: 'g i',
        keywords: ['errors', 'stream'],
        run: () => void navigate({ to: '/organizations/$org/issues', params }),
      },
      {
        id: 'go-feedback',
        label: 'Feedback',
        group: 'Go to',
        icon: FeedbackIcon,
        kbd: 'g f',
        keywords: ['inbox', 'reports', 'visitors', 'spam', 'screenshots'],
        run: () => void navigate({ to: '/organizations/$org/feedback', params }),
      },
      {
        id: 'go-receipts',
        label: 'Receipts',
        group: 'Go to',
        icon: ReceiptIcon,
        kbd: 'g r',
        keywords: ['outcomes', 'dropped', 'missing', 'rate limit', 'client reports'],
        run: () => void navigate({ to: '/organizations/$org/receipts', params }),
      },
      {
        id: 'go-organization',
        label: 'Organisation settings',
        group: 'Go to',
        icon: OrganizationIcon,
        kbd: 'g s',
        keywords: ['retention', 'name'],
        run: () => void navigate({ to: '/organizations/$org/settings/organization', params }),
      },
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
      {
        id: 'go-account',
        label: 'Account',
        group: 'Go to',
        icon: UserIcon,
        keywords: ['password', 'profile', 'sessions'],
        run: () => void navigate({ to: '/organizations/$org/settings/account', params }),
      },
      ...(projects ?? []).flatMap((project): Command[] => [
        {
          id: `issues-of-${project.slug}`,
          label: `Issues of ${project.name}`,
          group: 'Projects',
          icon: ProjectIcon,
          keywords: [project.slug],
          run: () => void navigate({ to: '/organizations/$org/issues', params, search: { project: [project.id] } }),
        },
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
      ]),
      ...(mayCreate
        ? [
            {
              id: 'new-project',
              label: 'New project',
              group: 'Do',
              icon: PlusIcon,
              keywords: ['create', 'platform'],
              run: () => void navigate({ to: '/organizations/$org/projects/new', params }),
            },
          ]
        : []),
      { id: 'theme-light', label: 'Light theme', group: 'Do', icon: SunIcon, run: () => chooseTheme('light') },
      { id: 'theme-dark', label: 'Dark theme', group: 'Do', icon: MoonIcon, run: () => chooseTheme('dark') },
      {
        id: 'theme-system',
        label: 'Theme as the device',
        group: 'Do',
        icon: SystemIcon,
        run: () => chooseTheme('system'),
      },
      { id: 'log-out', label: 'Log out', group: 'Do', icon: LogOutIcon, run: logOut },
    ]
    return list
  }, [org, projects, mayCreate, navigate, logOut])
  useCommands(commands)
  return null
}
