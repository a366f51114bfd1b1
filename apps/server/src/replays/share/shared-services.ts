import type { createOnceAtATime } from '../../lib/shared-answers.ts'
import type { ReplayLinks } from '../ledger/replay-links.ts'
import type { Packs } from '../playback/packs.ts'
import type { Granted, ReplayServices } from '../services.ts'
import type { SharedReading } from './read-shared.ts'
import type { Slicing } from './slicing.ts'

export type SharedServices = SharedReading &
  Pick<ReplayServices, 'projects'> &
  Granted<{ deletions: 'find'; replays: 'find' }> & {
    readonly links: Pick<ReplayLinks, 'countViews' | 'find'>
    readonly packs: Pick<Packs, 'find' | 'partOf' | 'read' | 'underWay'>
    readonly slicing: Pick<Slicing, 'slice'>
  }

/** Who asks for the same at the same time waits for one answer. */
export type Once = ReturnType<typeof createOnceAtATime>
