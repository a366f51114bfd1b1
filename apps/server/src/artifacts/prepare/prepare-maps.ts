import { mkdir, rm } from 'node:fs/promises'
import { stackOf } from '../../lib/error-text.ts'
import type { MapToPrepare, Preparing } from '../ledger/preparing.ts'
import { LIMITS } from '../limits.ts'
import { createBundleSources } from './bundle-sources.ts'
import { createMapProcess, type MapProcess } from './map-process.ts'
import { prepareOne, type PrepareParts, type Readers } from './prepare-map.ts'

export interface MapPreparation {
  /** Prepares what waits. Asked again while it works, it does what came meanwhile. Never rejects. */
  readonly run: () => Promise<void>
  /** What is under way ends; it is begun again by whoever starts next. */
  readonly end: () => void
}

/**
 * Makes source maps into what frames are looked up in, one after the other, in a process that ends when none waits.
 * Organisations take turns by the time that theirs took. Those whose fault may pass wait behind all others.
 */
export const createMapPreparation = (
  parts: PrepareParts & { readonly preparing: Preparing },
  startReader: () => MapProcess = createMapProcess,
): MapPreparation => {
  const { folder, logger, preparing } = parts
  let running: Promise<void> | null = null
  let isAskedAgain = false
  let isEnding = false
  let reader: MapProcess | null = null
  /** Maps that were begun and not ended. How often that counted against them is in the ledger. */
  const putBack = new Set<number>()

  const prepare = async (using: Readers, map: MapToPrepare): Promise<void> => {
    // Also where a fault of the machine is thrown: then the next run begins with another.
    putBack.add(map.id)
    const became = await prepareOne(parts, using, map)
    if (!('later' in became)) {
      await preparing.note(map, became)
    } else if (isEnding) {
      return
    } else if (map.attempts + 1 < LIMITS.PREPARE_ATTEMPTS) {
      logger.warn('artifacts: a source map could not be prepared; it is tried again', { map: map.id })
      await preparing.tried(map)
      return
    } else {
      await preparing.note(map, { error: became.later })
    }
    putBack.delete(map.id)
  }

  const work = async (using: Readers): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (putBack.size > LIMITS.PREPARE_PUT_BACK) putBack.clear()
    const usedMs = new Map<number, number>()
    /** Put back in this run, which does not try them again. */
    const tried = new Set<number>()
    while (tried.size < LIMITS.PREPARE_PUT_BACK) {
      const [first, ...others] = await nextOf(preparing, usedMs, [putBack, tried])
      if (first === undefined) return
      const from = performance.now()
      const usedNow = (): number => performance.now() - from
      for (const map of [first, ...others]) {
        if (isEnding) return
        await prepare(using, map)
        if (putBack.has(map.id)) tried.add(map.id)
        if (usedNow() > LIMITS.PREPARE_TURN_MS) break
      }
      usedMs.set(first.organizationId, (usedMs.get(first.organizationId) ?? 0) + usedNow())
    }
  }

  const workOnce = async (): Promise<void> => {
    reader = startReader()
    try {
      await work({ reader, sourcesOf: createBundleSources(parts) })
    } catch (error) {
      if (!isEnding) {
        logger.warn('artifacts: source maps could not be prepared; they are tried again', { error: stackOf(error) })
      }
    } finally {
      reader.end()
    }
    try {
      // The process that was just ended may still be writing.
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    } catch (error) {
      logger.warn('artifacts: the folder for source maps could not be emptied', { error: stackOf(error) })
    }
  }

  const workWhileAsked = async (): Promise<void> => {
    do {
      isAskedAgain = false
      await workOnce()
    } while (isAskedAgain)
    running = null
  }

  return {
    run: () => {
      if (isEnding) return Promise.resolve()
      if (running === null) running = workWhileAsked()
      else isAskedAgain = true
      return running
    },

    end: () => {
      isEnding = true
      reader?.end()
    },
  }
}

/** Of the organisation whose maps took least time by now. */
const nextOf = async (
  preparing: Preparing,
  usedMs: ReadonlyMap<number, number>,
  rounds: readonly ReadonlySet<number>[],
): Promise<readonly MapToPrepare[]> => {
  for (const without of rounds) {
    const [first, ...others] = await preparing.organizations(without)
    if (first === undefined) continue
    const used = (organizationId: number): number => usedMs.get(organizationId) ?? 0
    const next = others.reduce((least, one) => (used(one) < used(least) ? one : least), first)
    return preparing.waiting(next, without)
  }
  return []
}
