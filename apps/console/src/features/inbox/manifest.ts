import { createRoute } from '@tanstack/react-router'
import { type CommandContext, feature, pageOf } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { BellIcon, type Command, InboxIcon } from '../../ui/index.ts'
import { settingsRoute } from '../settings/manifest.ts'
import { fromInboxUrl, readInboxUrl } from './model/inbox-search.ts'
import { inboxKey, unreadQuery } from './unread-query.ts'

const queries = () => import('./queries.ts')

const inboxScreen = screen(() => import('./index.ts'), 'InboxScreen')
const notificationsScreen = screen(() => import('./settings/index.ts'), 'NotificationsScreen')

/** What one was told; the open line stands in its address. */
const inboxRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'inbox',
  validateSearch: readInboxUrl,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps, ...request }) => {
    const search = fromInboxUrl(deps)
    return context.pages.load(request, inboxScreen, async () => {
      const { entryQuery, inboxCountsQuery, inboxPrefetch } = await queries()
      return [
        inboxPrefetch(params.org, search),
        inboxCountsQuery(params.org),
        ...(search.entry === '' ? [] : [entryQuery(params.org, search.entry)]),
      ]
    })
  },
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: inboxScreen.component,
})

const notificationsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'notifications',
  loader: ({ context, ...request }) =>
    context.pages.load(request, notificationsScreen, async () => [(await queries()).noticeSettingsQuery]),
  component: notificationsScreen.component,
})

/** What reaches the signed-in person. */
export const inbox = feature({
  routes: [inboxRoute, notificationsRoute],
  navigation: [
    {
      page: pageOf(inboxRoute),
      label: 'Inbox',
      icon: InboxIcon,
      place: 'top',
      shortcut: 'g n',
      command: { keywords: ['notifications', 'unread', 'mentions', 'assigned', 'snoozed'] },
      count: { query: unreadQuery, of: 'unread', asks: true },
      prefetch: true,
    },
  ],
  menus: { person: [{ page: pageOf(notificationsRoute), label: 'What reaches me', icon: BellIcon }] },
  commands: inboxCommands,
  live: [{ message: 'inbox', keys: (org) => [inboxKey(org)] }],
})

function inboxCommands({ org, navigate }: CommandContext): readonly Command[] {
  return [
    {
      id: 'go-notifications',
      label: 'What reaches me',
      group: 'Go to',
      icon: BellIcon,
      keywords: ['notifications', 'mail', 'quiet hours', 'digest', 'weekly report', 'unsubscribe'],
      run: () => void navigate({ to: '/organizations/$org/settings/notifications', params: { org } }),
    },
  ]
}
