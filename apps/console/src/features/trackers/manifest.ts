import { createRoute } from '@tanstack/react-router'
import { feature, type CommandContext } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { ProjectIcon, type Command } from '../../ui/index.ts'
import { settingsRoute } from '../settings/manifest.ts'
import { trackersKey } from './query-keys.ts'

const trackersScreen = screen(() => import('./index.ts'), 'TrackersSettings')

const trackersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'trackers',
  loader: ({ context, ...request }) => context.pages.load(request, trackersScreen),
  component: trackersScreen.component,
})

/** Issue trackers, and the tickets of issues and reports in them. */
export const trackers = feature({
  routes: [trackersRoute],
  commands: trackerCommands,
  live: [{ message: 'trackers', keys: (org) => [trackersKey(org)], minIntervalMs: 1000 }],
})

function trackerCommands({ org, navigate }: CommandContext): readonly Command[] {
  return [
    {
      id: 'go-trackers',
      label: 'Issue trackers',
      group: 'Go to',
      icon: ProjectIcon,
      keywords: ['github', 'gitlab', 'gitea', 'jira', 'linear', 'tickets'],
      run: () => void navigate({ to: '/organizations/$org/settings/trackers', params: { org } }),
    },
  ]
}
