import type { Clock } from '../lib/clock.ts'
import type { BlobFreeing } from '../storage/blobs/freeing.ts'
import type { Assembling } from './assembling.ts'
import type { Bundles } from './ledger/bundles.ts'
import type { Chunks } from './ledger/chunks.ts'
import { LIMITS } from './limits.ts'

/** Lets pieces go that nothing was made of, and what was wrong with bundles; never the pieces of one that is under way. */
export const createSweep =
  ({
    assembling,
    bundles,
    chunks,
    clock,
    freeing,
  }: {
    readonly bundles: Pick<Bundles, 'forgetErrors'>
    readonly chunks: Pick<Chunks, 'forget'>
    readonly assembling: Pick<Assembling, 'goOn'>
    readonly freeing: BlobFreeing
    readonly clock: Clock
  }) =>
  async (): Promise<void> => {
    const before = clock.now() - LIMITS.UPLOAD_CHUNK_KEPT_MS
    await bundles.forgetErrors(before)
    // Notes that their pieces are needed still.
    await assembling.goOn()
    let some = await chunks.forget(before)
    if (some === 0) return
    await freeing.after(async () => {
      while (some > 0) some = await chunks.forget(before)
    })
  }
