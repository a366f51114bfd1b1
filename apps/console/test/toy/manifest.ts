import { queryOptions } from '@tanstack/react-query'
import { createRoute } from '@tanstack/react-router'
import { organizationKeys } from '../../src/lib/query-keys.ts'
import { type CommandContext, feature, pageOf } from '../../src/shell/feature.ts'
import { screen } from '../../src/shell/navigation/pages.ts'
import { organizationRoute } from '../../src/shell/parent-routes.tsx'
import { type Command, KeyIcon } from '../../src/ui/index.ts'

/** A feature that exists in a test only: e2e/console/manifests.test.ts adds it to a console by one line of the list. */

const toyScreen = screen(() => import('./ToyScreen.tsx'), 'ToyScreen')
const toySettings = screen(() => import('./ToySettings.tsx'), 'ToySettings')

const toyKey = (org: string) => [...organizationKeys.all(org), 'toys'] as const

export const toysQuery = (org: string) =>
  queryOptions({
    queryKey: toyKey(org),
    queryFn: async (): Promise<readonly string[]> => {
      const response = await fetch(`/api/0/toys/${org}/`)
      return (await response.json()) as readonly string[]
    },
  })

const toysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'toys',
  loader: ({ context, params, ...request }) => context.pages.load(request, toyScreen, [toysQuery(params.org)]),
  component: toyScreen.component,
})

const boxRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'toys/$box',
  validateSearch: ({ open }): { open?: string } => (typeof open === 'string' ? { open } : {}),
  component: toyScreen.component,
})

export const toy = feature({
  routes: [toysRoute, boxRoute],
  navigation: [
    {
      page: pageOf(toysRoute),
      isHome: true,
      label: 'Toys',
      icon: KeyIcon,
      place: 'top',
      shortcut: 'g y',
      prefetch: false,
    },
  ],
  commands: toyCommands,
  projectSettings: [{ value: 'toys', label: 'Toys', screen: toySettings }],
  live: [{ message: 'toys', keys: (org) => [toyKey(org)] }],
})

function toyCommands({ org, navigate }: CommandContext): readonly Command[] {
  return [
    {
      id: 'wind-up',
      label: 'Wind up a toy',
      group: 'Do',
      run: () => void navigate({ to: pageOf(toysRoute).path, params: { org } }),
    },
  ]
}

// @ts-expect-error a page of the side bar needs nothing but the organisation; this one needs a box
pageOf(boxRoute)
