import { accounts } from './accounts/capability.ts'
import { alerts } from './alerts/capability.ts'
import { artifacts } from './artifacts/capability.ts'
import type { Capability } from './capability.ts'
import { channels } from './channels/capability.ts'
import { explore } from './explore/capability.ts'
import { facts } from './facts/capability.ts'
import { feedback } from './feedback/capability.ts'
import { findings } from './findings/capability.ts'
import { firstSchema } from './first-schema/capability.ts'
import { issues } from './issues/capability.ts'
import { keptItems } from './kept-items/capability.ts'
import { logs } from './logs/capability.ts'
import { metrics } from './metrics/capability.ts'
import { ownership } from './ownership/capability.ts'
import { people } from './people/capability.ts'
import { monitors } from './monitors/capability.ts'
import { notices } from './notices/capability.ts'
import { profiles } from './profiles/capability.ts'
import { receipts } from './receipts/capability.ts'
import { releases } from './releases/capability.ts'
import { replays } from './replays/capability.ts'
import { sessions } from './sessions/capability.ts'
import { similar } from './similar/capability.ts'
import { statusPages } from './status-pages/capability.ts'
import { trackers } from './trackers/capability.ts'
import { traces } from './traces/capability.ts'
import { uptime } from './uptime/capability.ts'

/**
 * All that Firsthand can do. A new capability is a folder and a line here.
 *
 * The order is that in which they change the ledger and in which their routes are asked. What builds on others comes after
 * them, and is removed before them.
 */
export const CAPABILITIES: readonly Capability[] = [
  firstSchema,
  accounts,
  facts,
  receipts,
  keptItems,
  artifacts,
  issues,
  releases,
  sessions,
  feedback,
  traces,
  profiles,
  logs,
  metrics,
  explore,
  findings,
  replays,
  monitors,
  uptime,
  channels,
  trackers,
  ownership,
  similar,
  notices,
  people,
  alerts,
  statusPages,
]
