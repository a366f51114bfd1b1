import { createRoute } from '@tanstack/react-router'
import { feature, type CommandContext } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { BellIcon, type Command } from '../../ui/index.ts'
import { settingsRoute } from '../settings/manifest.ts'
import { readChannelSearch } from './model/search.ts'
import { channelsKey } from './query-keys.ts'

const code = () => import('./index.ts')
const queries = () => import('./queries.ts')
const channelsScreen = screen(code, 'ChannelsSettings')
const channelScreen = screen(code, 'ChannelScreen')

const channelsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'channels',
  loader: ({ context, params, ...request }) =>
    context.pages.load(request, channelsScreen, async () => [(await queries()).channelsQuery(params.org)]),
  component: channelsScreen.component,
})

const channelRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'channels/$channel',
  validateSearch: readChannelSearch,
  loader: ({ context, params, ...request }) =>
    context.pages.load(request, channelScreen, async () => [
      (await queries()).channelQuery(params.org, params.channel),
    ]),
  component: channelScreen.component,
})

/** Places outside to which messages go. */
export const channels = feature({
  routes: [channelsRoute, channelRoute],
  commands: channelCommands,
  live: [{ message: 'channels', keys: (org) => [channelsKey(org)], minIntervalMs: 1000 }],
})

function channelCommands({ org, navigate }: CommandContext): readonly Command[] {
  return [
    {
      id: 'go-channels',
      label: 'Channels',
      group: 'Go to',
      icon: BellIcon,
      keywords: ['slack', 'discord', 'teams', 'webhook', 'e-mail', 'telegram', 'pagerduty', 'deliveries'],
      run: () => void navigate({ to: '/organizations/$org/settings/channels', params: { org } }),
    },
  ]
}
