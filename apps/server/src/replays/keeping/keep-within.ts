import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ReplayDeleting } from '../deletion/delete-replays.ts'
import type { FreedReplays, KeepingOfProject, ReplayKeeping } from '../ledger/replay-keeping.ts'
import type { ReplayAssets } from '../ledger/replay-assets.ts'
import type { ReplayPacks } from '../ledger/replay-packs.ts'
import type { ReplayStars } from '../ledger/replay-stars.ts'
import type { ReplayReference } from '../replay.ts'
import { quietSince } from '../segment-rules.ts'
import type { KeptReplay, KeptReplays } from '../telemetry/kept-replays.ts'

export interface KeepingParts {
  readonly deleting: Pick<ReplayDeleting, 'delete'>
  readonly keeping: Pick<ReplayKeeping, 'all' | 'noteFreed'>
  readonly kept: Pick<KeptReplays, 'endedBefore' | 'oldest' | 'sum'>
  readonly packs: Pick<ReplayPacks, 'storedBytes' | 'storedBytesOf'>
  readonly assets: Pick<ReplayAssets, 'storedBytes' | 'spaceOf'>
  readonly stars: Pick<ReplayStars, 'among'>
  /** Which of these replays an open issue has errors in. */
  readonly linkedToOpenIssues: (
    project: Pick<KeepingOfProject, 'organizationId' | 'projectId'>,
    replays: readonly KeptReplay[],
  ) => Promise<ReadonlySet<string>>
  readonly clock: Clock
  readonly logger: Logger
  /** The server ends: no further page is begun. */
  readonly ending: AbortSignal
}

const idsOf = (replays: readonly Pick<ReplayReference, 'replayId'>[]): ReadonlySet<string> =>
  new Set(replays.map(({ replayId }) => replayId))

/** Deletes replays of projects that keep them for fewer days than their organisation, or in a bounded space. */
export const createKeepWithin = (parts: KeepingParts): (() => Promise<void>) => {
  const { assets, clock, deleting, ending, keeping, kept, linkedToOpenIssues, logger, packs, stars } = parts

  const remove = async (
    { organizationId, projectId }: KeepingOfProject,
    replays: readonly KeptReplay[],
  ): Promise<FreedReplays> => {
    if (replays.length === 0) return { replays: 0, bytes: 0 }
    const replayIds = replays.map(({ replayId }) => replayId)
    const { bytes } = await deleting.delete({ organizationId, projectId, replayIds })
    return { replays: replays.length, bytes }
  }

  const byDays = async (project: KeepingOfProject, days: number): Promise<FreedReplays> => {
    let freed: FreedReplays = { replays: 0, bytes: 0 }
    while (!ending.aborted) {
      const due = await kept.endedBefore(project, clock.now() - days * DAY_MS)
      if (due.length === 0) break
      const some = await remove(project, due)
      freed = { replays: freed.replays + some.replays, bytes: freed.bytes + some.bytes }
    }
    return freed
  }

  /** What of a page goes: no starred ones, and those of open issues only in the second round. */
  const candidates = async (
    project: KeepingOfProject,
    page: readonly KeptReplay[],
    sparing: boolean,
  ): Promise<readonly KeptReplay[]> => {
    const { projectId } = project
    const starred = idsOf(await stars.among(page.map(({ replayId }) => ({ projectId, replayId }))))
    const unstarred = page.filter(({ replayId }) => !starred.has(replayId))
    if (!sparing) return unstarred
    const linked = await linkedToOpenIssues(project, unstarred)
    return unstarred.filter(({ replayId }) => !linked.has(replayId))
  }

  const bySpace = async (project: KeepingOfProject, maxBytes: number): Promise<FreedReplays> => {
    const { projectId } = project
    const complete = { quietSince: quietSince(clock.now()) }
    let left =
      (await kept.sum(project)).bytes + (await packs.storedBytes(projectId)) + (await assets.storedBytes(projectId))
    let freed: FreedReplays = { replays: 0, bytes: 0 }
    for (const sparing of [true, false]) {
      // Those that stay are passed over, those that go are not there any more.
      for (let offset = 0; left > maxBytes && !ending.aborted;) {
        const page = await kept.oldest(project, { ...complete, offset })
        if (page.length === 0) break
        const sizes = await packs.storedBytesOf(
          projectId,
          page.map(({ replayId }) => replayId),
        )
        const going: KeptReplay[] = []
        const some = await candidates(project, page, sparing)
        const space = await assets.spaceOf(projectId, [...idsOf(some)])
        for (const one of some) {
          if (left <= maxBytes) break
          left -= one.bytes + (sizes.get(one.replayId) ?? 0) + space.release(one.replayId)
          going.push(one)
        }
        const gone = await remove(project, going)
        freed = { replays: freed.replays + gone.replays, bytes: freed.bytes + gone.bytes }
        offset += page.length - going.length
      }
    }
    return freed
  }

  return async () => {
    for (const project of await keeping.all()) {
      if (ending.aborted) return
      const old = project.days === null ? { replays: 0, bytes: 0 } : await byDays(project, project.days)
      const beyond = project.maxBytes === null ? { replays: 0, bytes: 0 } : await bySpace(project, project.maxBytes)
      const freed = { replays: old.replays + beyond.replays, bytes: old.bytes + beyond.bytes }
      if (freed.replays === 0) continue
      await keeping.noteFreed(project.projectId, freed)
      logger.info('Replays went by the limits of their project', {
        projectId: project.projectId,
        tooOld: old.replays,
        beyondSpace: beyond.replays,
        freedBytes: freed.bytes,
      })
    }
  }
}
