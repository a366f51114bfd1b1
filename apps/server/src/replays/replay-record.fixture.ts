import type { ProjectReference } from '../accounts/index.ts'
import { REPLAY_ID, START } from './replay.fixture.ts'
import type { ReplayRecord } from './replay.ts'

/** Test helpers: replays as routes find them. */

export const SHOP: ProjectReference = { id: 1, slug: 'shop', name: 'Shop', platform: 'javascript', settings: '{}' }

const UNKNOWN = { name: '', version: '' }

/** A replay of the shop that lasts a minute. */
export const recordOf = (more: Partial<ReplayRecord> = {}): ReplayRecord => ({
  projectId: SHOP.id,
  replayId: REPLAY_ID,
  startedAt: START,
  finishedAt: START + 60_000,
  type: 'session',
  environment: '',
  platform: 'javascript',
  dist: '',
  releases: [],
  urls: [],
  errorIds: [],
  traceIds: [],
  segments: 1,
  hasPicture: true,
  firstVideo: -1,
  deadClicks: 0,
  rageClicks: 0,
  sdk: UNKNOWN,
  os: UNKNOWN,
  browser: UNKNOWN,
  device: { name: '', brand: '', model: '', family: '' },
  user: { id: '', name: '', email: '', ip: '' },
  facts: {},
  tags: [],
  ...more,
})

/** The shop alone, of which nothing was deleted. */
export const ALL_THERE = {
  projects: () => Promise.resolve([SHOP]),
  deletions: { find: () => Promise.resolve(null) },
}
