import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { createArtifactLookup } from '../ledger/lookup.ts'
import { createHeldMaps } from './held-maps.ts'
import { createFrameResolver, type FrameResolver } from './resolve-events.ts'

export { mapFrames, type FrameResolver } from './resolve-events.ts'
export { hasFramesToMap } from './wanted.ts'

/** What maps frames on the digest's thread; nothing of HTTP comes with it. */
export const frameResolverOf = (parts: {
  readonly ledger: Pick<Ledger, 'db'>
  readonly blobs: Pick<BlobStore, 'get'>
}): FrameResolver => createFrameResolver({ lookup: createArtifactLookup(parts), maps: createHeldMaps(parts.blobs) })
