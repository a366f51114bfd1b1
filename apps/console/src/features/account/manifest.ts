import { createRoute } from '@tanstack/react-router'
import { type CommandContext, feature, pageOf } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { type Command, UserIcon } from '../../ui/index.ts'
import { settingsRoute } from '../settings/manifest.ts'

const accountScreen = screen(() => import('./index.ts'), 'AccountScreen')

const accountRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'account',
  loader: ({ context, ...request }) =>
    context.pages.load(request, accountScreen, async () => {
      const { personalTokensQuery, sessionsQuery } = await import('./queries.ts')
      return [sessionsQuery, personalTokensQuery]
    }),
  component: accountScreen.component,
})

/** The signed-in person's own page among the settings. */
export const account = feature({
  routes: [accountRoute],
  menus: {
    person: [{ page: pageOf(accountRoute), label: 'Account', icon: UserIcon, hint: (session) => session.user?.email }],
  },
  commands: accountCommands,
})

function accountCommands({ org, navigate }: CommandContext): readonly Command[] {
  return [
    {
      id: 'go-account',
      label: 'Account',
      group: 'Go to',
      icon: UserIcon,
      keywords: ['password', 'profile', 'sessions', 'tokens'],
      run: () => void navigate({ to: '/organizations/$org/settings/account', params: { org } }),
    },
  ]
}
