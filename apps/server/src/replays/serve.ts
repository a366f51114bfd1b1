import { livingProjects, type Scope } from '../accounts/index.ts'
import type { CapabilityJob, Served, ServerParts } from '../capability.ts'
import { START_OF_REPLAY } from '../feedback/index.ts'
import { createIssueReads } from '../issues/index.ts'
import { createOutgoing } from '../lib/outgoing.ts'
import { answering } from '../lib/questions.ts'
import { createAssetRoutes } from './assets/assets.routes.ts'
import { createAssetFetching } from './assets/fetch-assets.ts'
import { createSheetReading } from './assets/sheet-reading.ts'
import { createCountRoutes } from './counts/counts.routes.ts'
import { createReplayCounts } from './counts/counts.view.ts'
import { createReplayDeleting } from './deletion/delete-replays.ts'
import { createDeletionRoutes } from './deletion/deletion.routes.ts'
import { createPersonalReplays } from './deletion/erase-replays.ts'
import { createJobRunner } from './deletion/run-jobs.ts'
import { linkedToOpenIssues } from './keeping/open-issues.ts'
import { createKeepingRoutes } from './keeping/keeping.routes.ts'
import { createKeepWithin } from './keeping/keep-within.ts'
import { readAssetSettings } from './ledger/asset-settings.ts'
import { createReplayAssets } from './ledger/replay-assets.ts'
import { createDeletionJobs } from './ledger/deletion-jobs.ts'
import { createReplayKeeping } from './ledger/replay-keeping.ts'
import { createReplayStars } from './ledger/replay-stars.ts'
import { createKeptReplays } from './telemetry/kept-replays.ts'
import { createVisitorReplays } from './telemetry/visitor-replays.ts'
import { createJourneyRoutes } from './journeys/journey.routes.ts'
import { createReplayDeletions } from './ledger/replay-deletions.ts'
import { createReplayLinks } from './ledger/replay-links.ts'
import { createReplayPacks } from './ledger/replay-packs.ts'
import { createReplayRetention } from './ledger/replay-retention.ts'
import { createReplayViewers } from './ledger/replay-viewers.ts'
import { LIMITS } from './limits.ts'
import { createRecordingRoutes } from './recording.routes.ts'
import { createCutting } from './playback/cutting.ts'
import { createPacks } from './playback/packs.ts'
import { createOverviewRoutes } from './overview/overview.routes.ts'
import { createPlaybackRoutes } from './playback/playback.routes.ts'
import { createQuietPacks } from './playback/quiet-packs.ts'
import { createPictureMaking } from './pictures/make-picture.ts'
import { createPictureRoutes } from './pictures/pictures.routes.ts'
import { createTestMaking } from './repro/make-test.ts'
import { createReproRoutes } from './repro/repro.routes.ts'
import { createRequestReading } from './requests/requests.ts'
import { createRequestRoutes } from './requests/requests.routes.ts'
import { REPLAY_ITEMS } from './replay-items.ts'
import type { ReplayNews } from './replay-news.ts'
import { createReplayRoutes } from './replays.routes.ts'
import { createReplayView } from './replays.view.ts'
import type { ReplayServices } from './services.ts'
import { createFileRoutes, readPlayerFrom } from './share/file.routes.ts'
import { createLinkRoutes } from './share/links.routes.ts'
import { createSharedAssets } from './share/shared-assets.ts'
import { createSharedPage } from './share/shared-page.ts'
import { createSharedRoutes } from './share/shared.routes.ts'
import { createSlicing } from './share/slicing.ts'
import { createVideoRoutes } from './videos/video.routes.ts'

/** Whoever has it may share a replay by a link. */
const MAKES_LINKS: Scope = 'event:write'

/** What runs on threads of its own: each kind of work on one. */
const createThreads = () => ({
  cutting: createCutting(),
  making: createTestMaking(),
  drawing: createPictureMaking(),
  reading: createRequestReading(),
  slicing: createSlicing(),
  sheets: createSheetReading(),
})

interface JobParts extends Pick<ServerParts, 'blobs' | 'clock' | 'logger'>, Pick<ReplayServices, 'replays'> {
  readonly deleting: ReturnType<typeof createReplayDeleting>
  readonly fetchAssets: () => Promise<void>
  readonly keepWithin: ReturnType<typeof createKeepWithin>
  readonly packs: ReturnType<typeof createPacks>
  readonly runner: ReturnType<typeof createJobRunner>
  readonly store: ReturnType<typeof createReplayPacks>
}

const jobsOf = ({
  blobs,
  clock,
  deleting,
  fetchAssets,
  keepWithin,
  logger,
  packs,
  replays,
  runner,
  store,
}: JobParts): readonly CapabilityJob[] => [
  { name: 'deleted replays', everyMs: LIMITS.REPLAY_DELETION_INTERVAL_MS, run: () => deleting.finish() },
  { name: 'deletions of many replays', everyMs: LIMITS.REPLAY_DELETION_INTERVAL_MS, run: () => runner.run() },
  {
    name: 'chunks of replays, measured',
    everyMs: LIMITS.REPLAY_DELETION_INTERVAL_MS,
    run: () => store.measure((keys) => blobs.sizes(keys)),
  },
  {
    name: 'replays beyond the limits of their project',
    everyMs: LIMITS.REPLAY_KEEPING_INTERVAL_MS,
    run: keepWithin,
    byTheClock: true,
  },
  {
    name: 'chunks of replays',
    everyMs: LIMITS.REPLAY_QUIET_INTERVAL_MS,
    run: createQuietPacks({ replays, packs, clock, logger }),
  },
  {
    name: 'pictures, fonts and style sheets of replays',
    everyMs: LIMITS.REPLAY_ASSET_INTERVAL_MS,
    run: fetchAssets,
  },
]

/** What of the server replays are served with. */
interface ReplayParts extends Pick<
  ServerParts,
  'blobs' | 'client' | 'clock' | 'consoleDir' | 'freeing' | 'ledger' | 'logger'
> {
  readonly accounts: { readonly lookup: Pick<ServerParts['accounts']['lookup'], 'byProjectId'> }
  readonly config: Pick<ServerParts['config'], 'reachableRanges'>
  readonly live: Pick<ServerParts['live'], 'publish'>
}

// long: a list of parts, each built once, without a branch
export const serveReplays = ({
  accounts,
  blobs,
  client,
  clock,
  config,
  consoleDir,
  freeing,
  ledger,
  live,
  logger,
}: ReplayParts): Served => {
  const own = { ledger, clock }
  const deletions = createReplayDeletions(own)
  const viewers = createReplayViewers(own)
  const stars = createReplayStars(own)
  const jobs = createDeletionJobs(own)
  const keeping = createReplayKeeping(own)
  const store = createReplayPacks(own)
  const links = createReplayLinks(own)
  const assets = createReplayAssets(own)
  const kept = createKeptReplays({ client })
  const visitors = createVisitorReplays({ client })
  const deleting = createReplayDeleting({
    client,
    clock,
    deletions,
    freeing,
    ledger,
    kept: [store, links, viewers, stars, assets],
  })
  const threads = createThreads()
  const { cutting, drawing, making, reading, sheets, slicing } = threads
  const packs = createPacks({ blobs, store, cutting, logger })
  const ending = new AbortController()
  const services: ReplayServices = {
    replays: createReplayView({ client }),
    projects: livingProjects(ledger),
    deletions,
    viewers,
    stars,
    issues: createIssueReads({ blobs, client, ledger }).issues,
    clock,
  }
  const sharedAssets = createSharedAssets({ assets, blobs, clock, logger })
  const shared = { ...services, blobs, links, logger, packs, sharedAssets, slicing }
  const { signal } = ending
  const runner = createJobRunner({ ...services, jobs, deleting, visitors, logger, ending: signal })
  const keepWithin = createKeepWithin({
    assets,
    deleting,
    keeping,
    kept,
    packs: store,
    stars,
    linkedToOpenIssues: linkedToOpenIssues(services),
    clock,
    logger,
    ending: signal,
  })
  const fetchAssets = createAssetFetching({
    assets,
    settings: (projectIds) => readAssetSettings(ledger.db, projectIds),
    blobs,
    outgoing: createOutgoing({ allowedRanges: config.reachableRanges }),
    sheets,
    logger,
    ending: signal,
  })
  return {
    routes: [
      ...createReplayRoutes(services),
      ...createOverviewRoutes({ ...services, assets }),
      ...createAssetRoutes({ ...services, assets, blobs, ledger }),
      ...createVideoRoutes({ ...services, blobs }),
      ...createRecordingRoutes({ ...services, blobs, logger }),
      ...createDeletionRoutes({ ...services, deleting, jobs, runner, visitors, logger }),
      ...createKeepingRoutes({ ...services, assets, keeping, kept, packs: store }),
      ...createPlaybackRoutes({ ...services, packs }),
      ...createPictureRoutes({ ...services, assets, blobs, packs, drawing, logger }),
      ...createReproRoutes({ ...services, blobs, logger, making, settings: accounts.lookup }),
      ...createRequestRoutes({ ...services, blobs, logger, reading }),
      ...createLinkRoutes(shared),
      ...createSharedRoutes(shared),
      ...createFileRoutes({ ...shared, player: readPlayerFrom(consoleDir) }),
      ...createJourneyRoutes(services),
      ...createCountRoutes({ ...services, counts: createReplayCounts({ client }) }),
    ],
    pages: [createSharedPage(shared)],
    jobs: jobsOf({
      blobs,
      clock,
      deleting,
      fetchAssets,
      keepWithin,
      logger,
      packs,
      replays: services.replays,
      runner,
      store,
    }),
    personal: [createPersonalReplays({ client, deleting })],
    retention: createReplayRetention({ aging: [viewers, stars, deletions], links, holders: [store, assets] }),
    end: () => {
      ending.abort()
      for (const { close } of Object.values(threads)) close()
    },
    hear: {
      [REPLAY_ITEMS]: ({ data, organizationId, projectId }) =>
        live.publish({
          topic: 'replays',
          organizationId,
          projectId,
          at: clock.now(),
          data: { ...(data as ReplayNews) },
        }),
    },
    memberRemoved: async (organizationId, userId) => {
      await viewers.forgetMember(organizationId, userId)
      await links.forgetMember(organizationId, userId)
    },
    roleChanged: async (organizationId, userId, scopes) => {
      if (!scopes.has(MAKES_LINKS)) await links.forgetMember(organizationId, userId)
    },
    knows: [
      answering(START_OF_REPLAY, ({ organizationId, projectId, replayId }) =>
        services.replays.startOf({ organizationId, projectIds: [projectId] }, replayId),
      ),
    ],
  }
}
