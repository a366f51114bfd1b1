import { join } from 'node:path'
import type { Served, ServerParts } from '../capability.ts'
import { createFairQueue } from '../lib/fair-queue.ts'
import { createAssemble } from './assemble.ts'
import { createAssembling } from './assembling.ts'
import { createArtifactRoutes, type ArtifactParts } from './artifacts.routes.ts'
import { serveDebugFiles } from './debug-files/serve-debug-files.ts'
import { createDownloads } from './downloads.ts'
import { removeBundles, removeBundlesOfProject } from './ledger/bundle-removal.ts'
import { createBundleView } from './ledger/bundle-view.ts'
import { createBundles } from './ledger/bundles.ts'
import { createChunks } from './ledger/chunks.ts'
import { createPreparing } from './ledger/preparing.ts'
import { LIMITS } from './limits.ts'
import { createMapPreparation } from './prepare/prepare-maps.ts'
import { findProject, findProjects } from './projects-of.ts'
import { RELEASE_NAMED } from './questions.ts'
import type { ReceivingParts } from './release-files/receive-file.ts'
import { serveReleaseFiles } from './release-files/serve-release-files.ts'
import { serveSite } from './site/serve-site.ts'
import { createSweep } from './sweep.ts'

export const serveArtifacts = async (parts: ServerParts): Promise<Served> => {
  const { accounts, ask, blobs, clock, config, freeing, ledger, live, logger } = parts
  const chunks = createChunks({ ledger, blobs })
  const bundles = createBundles({ ledger })
  const folder = join(config.dataDir, 'artifacts')
  const preparation = createMapPreparation({
    preparing: createPreparing({ ledger }),
    blobs,
    ledger,
    folder: join(folder, 'maps'),
    clock,
    logger,
  })
  const finished = (organizationId: number): void => {
    void preparation.run()
    // Pages that list uploads hear of it, and so do those who follow what happened.
    live.publish({ topic: 'artifacts', organizationId, projectId: null, at: clock.now() })
  }
  const releaseNamed: ReceivingParts['releaseNamed'] = async (organizationId, version, projectIds) => {
    await ask(RELEASE_NAMED, { organizationId, version, projectIds, now: clock.now() })
  }
  const assembling = createAssembling({
    ledger,
    blobs,
    bundles,
    chunks,
    folder,
    clock,
    logger,
    finished,
    releaseNamed: async (organizationId, version, bundleId) =>
      releaseNamed(organizationId, version, await bundles.projectsOf(bundleId)),
  })
  await assembling.clear()
  const remove: ArtifactParts['remove'] = async (place, which) => {
    let removed = 0
    await freeing.after(async () => {
      removed = await removeBundles(ledger, place, which)
    })
    return removed
  }
  const projectOf = findProject(accounts)
  const projectsOf = findProjects(accounts)
  const downloads = createDownloads({ blobs })
  const site = serveSite(parts, { bundles, projectOf, remove, finished })
  const reading = createFairQueue({
    running: LIMITS.UPLOADS_READ,
    perOrganization: LIMITS.UPLOADS_READ_PER_ORGANIZATION,
    perCaller: LIMITS.UPLOADS_READ_PER_ORGANIZATION,
    waiting: LIMITS.UPLOADS_WAITING,
    waitingPerCaller: LIMITS.UPLOADS_WAITING,
    waitMs: LIMITS.UPLOAD_WAIT_MS,
  })
  const debugFiles = serveDebugFiles(parts, { bundles, chunks, downloads, finished, folder, projectOf, reading })
  const goOn = async (): Promise<void> => {
    await assembling.goOn()
    await debugFiles.goOn()
  }
  return {
    routes: [
      ...site.routes,
      ...serveReleaseFiles({ ...parts, bundles, finished, releaseNamed, downloads, projectOf, projectsOf }),
      ...debugFiles.routes,
      ...createArtifactRoutes({
        chunks,
        view: createBundleView({ ledger }),
        assemble: createAssemble({ bundles, chunks, assembling, clock }),
        remove,
        downloads,
        reading,
        projectOf,
        projectsOf,
        clock,
      }),
    ],
    jobs: [
      site.job,
      { name: 'source maps to prepare', everyMs: LIMITS.ASSEMBLE_INTERVAL_MS, run: preparation.run },
      { name: 'bundles of artifacts under way', everyMs: LIMITS.ASSEMBLE_INTERVAL_MS, run: goOn },
      {
        name: 'unfinished uploads of artifacts',
        everyMs: LIMITS.ARTIFACT_SWEEP_MS,
        byTheClock: true,
        run: createSweep({ bundles, chunks, debugFiles, goOn, freeing, clock }),
      },
    ],
    retention: {
      forgetProject: async (projectId, signal) => {
        await freeing.after(async () => {
          while (!signal.aborted && (await removeBundlesOfProject(ledger, projectId)) > 0);
        })
        await debugFiles.forgetProject(projectId, signal)
      },
    },
    end: () => [site, preparation, debugFiles].forEach(({ end }) => end()),
  }
}
