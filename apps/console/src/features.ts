import { account } from './features/account/manifest.ts'
import { alerts } from './features/alerts/manifest.ts'
import { auth } from './features/auth/manifest.ts'
import { calls } from './features/calls/manifest.ts'
import { channels } from './features/channels/manifest.ts'
import { explore } from './features/explore/manifest.ts'
import { feedback } from './features/feedback/manifest.ts'
import { findings } from './features/findings/manifest.ts'
import { inbox } from './features/inbox/manifest.ts'
import { issue } from './features/issue/manifest.ts'
import { issues } from './features/issues/manifest.ts'
import { logs } from './features/logs/manifest.ts'
import { monitors } from './features/monitors/manifest.ts'
import { ownership } from './features/ownership/manifest.ts'
import { people } from './features/people/manifest.ts'
import { performance } from './features/performance/manifest.ts'
import { profiles } from './features/profiles/manifest.ts'
import { projects } from './features/projects/manifest.ts'
import { receipts } from './features/receipts/manifest.ts'
import { releases } from './features/releases/manifest.ts'
import { replays } from './features/replays/manifest.ts'
import { repositories } from './features/repositories/manifest.ts'
import { settings } from './features/settings/manifest.ts'
import { setup } from './features/setup/manifest.ts'
import { traces } from './features/traces/manifest.ts'
import { trackers } from './features/trackers/manifest.ts'
import { vitals } from './features/vitals/manifest.ts'

/**
 * Everything that this console can show. A new feature is one folder with a `manifest.ts`, and its name in this list.
 * Its order is that of the side bar, the menus and the palette.
 */
export const features = [
  inbox,
  issues,
  issue,
  feedback,
  people,
  replays,
  performance,
  vitals,
  calls,
  traces,
  logs,
  explore,
  profiles,
  findings,
  releases,
  monitors,
  ownership,
  alerts,
  receipts,
  settings,
  channels,
  trackers,
  repositories,
  account,
  projects,
  setup,
  auth,
] as const

/** Every route of every feature: what links and search parameters are checked against. */
export type FeatureRoutes = (typeof features)[number]['routes'][number]
