import type { Assembled } from '@firsthand/contract'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../lib/clock.ts'
import type { Assembling } from './assembling.ts'
import type { BundleKey, Bundles } from './ledger/bundles.ts'
import type { Chunks } from './ledger/chunks.ts'
import { LIMITS } from './limits.ts'
import { keptEnough } from './room.ts'

export interface Asked extends BundleKey {
  readonly checksum: string
  readonly pieces: readonly string[]
  readonly projectIds: readonly number[]
}

const OK: Assembled = { state: 'ok', missingChunks: [], detail: null }

const fault = (detail: string): Assembled => ({ state: 'error', missingChunks: [], detail })

/**
 * Answers whoever asks for a bundle: what is missing of it, or how far it is. Asked again and again, by whoever likes, it
 * makes one.
 */
export const createAssemble = (parts: {
  readonly bundles: Bundles
  readonly chunks: Pick<Chunks, 'keysOf' | 'touch'>
  readonly assembling: Pick<Assembling, 'begin'>
  readonly clock: Clock
}): ((asked: Asked) => Promise<Assembled>) => {
  const { assembling, bundles, chunks, clock } = parts

  const outcome = async (bundleId: number, organizationId: number): Promise<Assembled> => {
    const waiting = new AbortController()
    await Promise.race([
      assembling.begin({ id: bundleId, organization_id: organizationId }),
      delay(LIMITS.ASSEMBLE_WAIT_MS, null, { signal: waiting.signal, ref: false }),
    ])
    waiting.abort()
    const bundle = await bundles.byId(bundleId)
    if (bundle === null) return fault('This bundle was deleted while it was uploaded. Upload it again.')
    if (bundle.state === 'ok') return OK
    return bundle.state === 'error'
      ? fault(bundle.error ?? 'The bundle cannot be used.')
      : { state: 'assembling', missingChunks: [], detail: null }
  }

  return async (asked) => {
    const now = clock.now()
    const { organizationId, pieces, projectIds } = asked
    const known = await bundles.find(asked)
    if (known?.state === 'ok') {
      await bundles.again(known, projectIds, now)
      return OK
    }
    if (known?.state === 'assembling') {
      await bundles.again(known, projectIds, now)
      return outcome(known.id, organizationId)
    }
    const there = await chunks.keysOf(organizationId, pieces)
    const missing = pieces.filter((piece) => !there.has(piece))
    if (missing.length > 0) return { state: 'not_found', missingChunks: [...new Set(missing)], detail: null }
    const isFresh = known !== null && now - (known.ended_at ?? 0) < LIMITS.ASSEMBLE_ERROR_KEPT_MS
    if (isFresh) return fault(known.error ?? 'The bundle cannot be used.')
    const bytes = pieces.reduce((sum, piece) => sum + (there.get(piece)?.bytes ?? 0), 0)
    if (bytes > LIMITS.UPLOAD_FILE_BYTES) {
      return fault(`The bundle is ${bytes} bytes; ${LIMITS.UPLOAD_FILE_BYTES} are taken. Upload it in parts.`)
    }
    if ((await bundles.keptBytes(organizationId)) >= LIMITS.ARTIFACTS_KEPT_BYTES) return fault(keptEnough())
    await chunks.touch(organizationId, pieces, now)
    return outcome(await bundles.begin(asked, { pieces, projectIds, now }), organizationId)
  }
}
