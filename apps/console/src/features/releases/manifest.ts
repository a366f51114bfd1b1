import { createRoute } from '@tanstack/react-router'
import { feature, pageOf } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { ProjectIcon } from '../../ui/index.ts'
import { releasesKey } from './query-keys.ts'
import { readReleasesUrl, readReleaseUrl } from './model/releases-search.ts'

const code = () => import('./index.ts')
const releasesScreen = screen(code, 'ReleasesScreen')
const releaseScreen = screen(code, 'ReleaseScreen')
const sourceMapsSettings = screen(() => import('./files/index.ts'), 'ProjectSourceMaps')

// What they ask for comes with their code: every page would carry the schemas of the answers otherwise.
const releasesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'releases',
  validateSearch: readReleasesUrl,
  loader: ({ context, ...request }) => context.pages.load(request, releasesScreen),
  component: releasesScreen.component,
})

const releaseRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'releases/$version',
  validateSearch: readReleaseUrl,
  loader: ({ context, ...request }) => context.pages.load(request, releaseScreen),
  component: releaseScreen.component,
})

/** What went out: what it broke and mended, where it runs, and the files that make it readable. */
export const releases = feature({
  routes: [releasesRoute, releaseRoute],
  navigation: [
    {
      page: pageOf(releasesRoute),
      label: 'Releases',
      icon: ProjectIcon,
      place: 'ship',
      shortcut: 'g d',
      command: { keywords: ['versions', 'deploys', 'commits', 'source maps', 'builds'] },
      prefetch: false,
    },
  ],
  live: [{ message: 'artifacts', keys: (org) => [releasesKey(org)], minIntervalMs: 3000 }],
  projectSettings: [{ value: 'source-maps', label: 'Debug files', screen: sourceMapsSettings }],
})
