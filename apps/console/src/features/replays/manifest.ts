import { createRoute } from '@tanstack/react-router'
import { feature, pageOf } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { PENDING_AFTER_SEARCH_MS } from '../../shell/navigation/policy.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { ReplayIcon } from '../../ui/index.ts'
import { linkedRoutes } from './linked-routes.ts'
import { readClicksUrl, readReplaysUrl } from './model/list-search.ts'
import { readReplayPage } from './model/row-kinds.ts'
import { playbacksOf, replayListKey } from './query-keys.ts'

/** Replays come piece by piece, every few seconds: lists are asked for again this often at most. Milliseconds. */
const LIVE_INTERVAL_MS = 10_000
/** Whoever watches one that goes on is to see within ten seconds what came, and recorders send what they have every five. */
const PLAYED_INTERVAL_MS = 4000

const listCode = () => import('./list/index.ts')
const listScreen = screen(listCode, 'ReplaysScreen')
const clicksScreen = screen(listCode, 'ClicksScreen')
const projectReplays = screen(() => import('./keeping/index.ts'), 'ProjectReplays')
const replayCode = () => import('./index.ts')
const replayScreen = screen(replayCode, 'ReplayScreen')

const replaysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'replays',
  validateSearch: readReplaysUrl,
  // What they ask for comes with their code: every page would carry the schemas of the answers otherwise.
  loader: ({ context, ...request }) => context.pages.load(request, listScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: listScreen.component,
})

const clicksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'replays/clicks',
  validateSearch: readClicksUrl,
  loader: ({ context, ...request }) => context.pages.load(request, clicksScreen),
  pendingMs: PENDING_AFTER_SEARCH_MS,
  component: clicksScreen.component,
})

const replayRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'replays/$replay',
  validateSearch: readReplayPage,
  loader: ({ context, ...request }) =>
    context.pages.load(request, replayScreen, async () => {
      // What draws is large, and is asked for once more when it is due: then a failure is told.
      import('./player/picture.ts').catch(() => undefined)
      // Not with the code of the screen, which is many files: they and what they show come at the same time.
      const [{ chunksQuery, playbackQuery }, { firstPictureQuery }] = await Promise.all([
        import('./queries.ts'),
        import('./first-picture.ts'),
      ])
      const { org, replay } = request.params
      // The server cuts a replay whose chunks are asked for, which is much for a guess.
      if (request.preload) return [playbackQuery(org, replay)]
      return [playbackQuery(org, replay), chunksQuery(org, replay), firstPictureQuery(org, replay)]
    }),
  component: replayScreen.component,
})

/** What visitors saw and did: found, and played. */
export const replays = feature({
  routes: [replaysRoute, clicksRoute, replayRoute, ...linkedRoutes],
  projectSettings: [{ value: 'replays', label: 'Replays', screen: projectReplays }],
  navigation: [
    {
      page: pageOf(replaysRoute),
      label: 'Replays',
      icon: ReplayIcon,
      place: 'top',
      shortcut: 'g w',
      command: { keywords: ['sessions', 'recordings', 'watch', 'rage clicks', 'dead clicks', 'visitors'] },
      prefetch: false,
    },
  ],
  finder: { things: 'replays', load: () => import('./find-replay.ts') },
  live: [
    {
      message: 'replays',
      keys: (org) => [replayListKey(org)],
      minIntervalMs: LIVE_INTERVAL_MS,
    },
    {
      message: 'replays',
      keys: playbacksOf,
      minIntervalMs: PLAYED_INTERVAL_MS,
    },
  ],
})
