import type { Clock } from '../lib/clock.ts'
import type { BlobFreeing } from '../storage/blobs/freeing.ts'
import type { ServedDebugFiles } from './debug-files/serve-debug-files.ts'
import type { Bundles } from './ledger/bundles.ts'
import type { Chunks } from './ledger/chunks.ts'
import { LIMITS } from './limits.ts'

/** Lets pieces go that nothing was made of, and what was wrong with bundles and files; never the pieces of one that is under way. */
export const createSweep =
  ({
    bundles,
    chunks,
    clock,
    debugFiles,
    freeing,
    goOn,
  }: {
    readonly bundles: Pick<Bundles, 'forgetErrors'>
    readonly chunks: Pick<Chunks, 'forget'>
    readonly debugFiles: Pick<ServedDebugFiles, 'forgetErrors'>
    /** Notes of what is under way that its pieces are needed still. */
    readonly goOn: () => Promise<void>
    readonly freeing: BlobFreeing
    readonly clock: Clock
  }) =>
  async (): Promise<void> => {
    const before = clock.now() - LIMITS.UPLOAD_CHUNK_KEPT_MS
    await bundles.forgetErrors(before)
    await debugFiles.forgetErrors(before)
    await goOn()
    let some = await chunks.forget(before)
    if (some === 0) return
    await freeing.after(async () => {
      while (some > 0) some = await chunks.forget(before)
    })
  }
