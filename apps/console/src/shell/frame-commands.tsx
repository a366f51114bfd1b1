import type { Scope } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectsQuery, useSession } from '../lib/shared-queries.ts'
import { chooseTheme } from '../lib/theme.ts'
import {
  type Command,
  type Finder,
  LogOutIcon,
  MoonIcon,
  SunIcon,
  SystemIcon,
  toast,
  undoLast,
  useCommands,
  useFinders,
  useShortcut,
} from '../ui/index.ts'
import { type CommandContext, type NavigationEntry, useFeatures } from './feature.ts'
import { useLogOut } from './log-out.tsx'

const NOTHING: readonly Scope[] = []

/** What works on every screen of an organisation: commands of the palette, what finds more for it, keys that go and undo. */
export function FrameCommands({ org }: { readonly org: string }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const logOut = useLogOut()
  const features = useFeatures()
  const membership = useSession().organizations.find(({ slug }) => slug === org)
  const access = membership?.access ?? NOTHING
  const { data: projects } = useQuery(projectsQuery(org))
  const commands = useMemo((): readonly Command[] => {
    const context: CommandContext = { org, navigate, access }
    return [
      ...features.flatMap(({ navigation = [] }) => navigation.map((entry) => goTo(entry, context))),
      ...features.flatMap((feature) => feature.commands?.(context) ?? []),
      ...(projects ?? []).flatMap((project) =>
        features.flatMap((feature) => feature.projectCommands?.(project, context) ?? []),
      ),
      { id: 'theme-light', label: 'Light theme', group: 'Do', icon: SunIcon, run: () => chooseTheme('light') },
      { id: 'theme-dark', label: 'Dark theme', group: 'Do', icon: MoonIcon, run: () => chooseTheme('dark') },
      {
        id: 'theme-system',
        label: 'System theme',
        group: 'Do',
        icon: SystemIcon,
        run: () => chooseTheme('system'),
      },
      { id: 'undo', label: 'Undo the last change', group: 'Do', kbd: 'z', run: takeBack },
      { id: 'log-out', label: 'Log out', keywords: ['sign out', 'logout'], group: 'Do', icon: LogOutIcon, run: logOut },
    ]
  }, [org, access, projects, features, navigate, logOut])
  useCommands(commands)

  const finders = useMemo(
    (): readonly Finder[] =>
      features.flatMap(({ finder }) =>
        finder === undefined
          ? []
          : {
              things: finder.things,
              find: async (text, signal) => {
                const { find } = await finder.load()
                return find(text, { org, navigate, access, client, signal })
              },
            },
      ),
    [org, access, features, navigate, client],
  )
  useFinders(finders)

  useShortcut('z', takeBack, { group: 'Everywhere', label: 'Undo the last change' })
  useShortcut('mod+z', takeBack, { group: 'Everywhere', label: 'Undo the last change' })
  return features
    .flatMap(({ navigation = [] }) => navigation)
    .map((entry) => <GoToShortcut key={entry.page.path} org={org} entry={entry} />)
}

function takeBack(): void {
  void undoLast().then((isUndone) => {
    if (!isUndone)
      toast({
        title: 'Nothing to undo',
        description: 'Nothing that can be undone was changed since this page was opened.',
      })
  })
}

function goTo({ page, label, icon, shortcut, command }: NavigationEntry, { org, navigate }: CommandContext): Command {
  return {
    id: `go-${page.path}`,
    label: command?.label ?? label,
    group: 'Go to',
    icon: command?.icon ?? icon,
    kbd: shortcut,
    ...(command?.keywords !== undefined && { keywords: command.keywords }),
    run: () => void navigate({ to: page.path, params: { org } }),
  }
}

/** Draws nothing: the key sequence that goes to a page. */
function GoToShortcut({ org, entry }: { readonly org: string; readonly entry: NavigationEntry }) {
  const navigate = useNavigate()
  useShortcut(entry.shortcut, () => void navigate({ to: entry.page.path, params: { org } }), {
    group: 'Everywhere',
    label: `Go to ${entry.label.toLowerCase()}`,
  })
  return null
}
