import { createRoute } from '@tanstack/react-router'
import { type CommandContext, feature } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { type Command, GaugeIcon } from '../../ui/index.ts'
import { readPageUrl, readVitalsUrl } from './model/vitals-url.ts'

const code = () => import('./index.ts')
const vitalsScreen = screen(code, 'VitalsScreen')
const pageScreen = screen(code, 'PageScreen')

const vitalsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'performance/vitals',
  validateSearch: readVitalsUrl,
  // What it asks for comes with its code: every page would carry the schemas of its answers otherwise.
  loader: ({ context, ...request }) => context.pages.load(request, vitalsScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: vitalsScreen.component,
})

const pageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'performance/vitals/page',
  validateSearch: readPageUrl,
  loader: ({ context, ...request }) => context.pages.load(request, pageScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: pageScreen.component,
})

/** How fast pages are for those who load them: web vitals of all pages, and of each. */
export const vitals = feature({
  routes: [vitalsRoute, pageRoute],
  commands: vitalsCommands,
})

function vitalsCommands({ org, navigate }: CommandContext): readonly Command[] {
  return [
    {
      id: 'web-vitals',
      label: 'Web vitals',
      group: 'Go to',
      icon: GaugeIcon,
      keywords: ['lcp', 'inp', 'cls', 'fcp', 'ttfb', 'page load', 'browser', 'performance'],
      run: () => void navigate({ to: '/organizations/$org/performance/vitals', params: { org } }),
    },
  ]
}
