import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { createDebugFileLookup } from '../debug-files/ledger/debug-file-view.ts'
import { createArtifactLookup } from '../ledger/lookup.ts'
import { LIMITS } from '../limits.ts'
import { createHeldMappings } from '../retrace/held-mappings.ts'
import { createSiteOfFiles } from '../site/site-of-files.ts'
import { createHeldMaps } from './held-maps.ts'
import { createFrameResolver, type FrameResolver } from './resolve-events.ts'

export { mapFrames, type Asked, type FrameResolver } from './resolve-events.ts'
export { hasFramesToRetrace } from '../retrace/retrace-event.ts'
export { hasFramesToMap, hasNewFrames } from './wanted.ts'

/**
 * What maps frames, on the digest's thread and for those who read events; nothing of HTTP comes with it.
 *
 * @param clock of the digest alone: what it does not find, sites are asked for
 * @param mostBytes of prepared maps that it holds, and as much again of mappings
 */
export const frameResolverOf = (
  parts: { readonly ledger: Pick<Ledger, 'db'>; readonly blobs: Pick<BlobStore, 'get'> },
  { clock = null, mostBytes }: { readonly clock?: Clock | null; readonly mostBytes?: number },
): FrameResolver =>
  createFrameResolver({
    lookup: createArtifactLookup(parts),
    maps: createHeldMaps(parts.blobs, mostBytes),
    debugFiles: {
      lookup: createDebugFileLookup(parts),
      held: createHeldMappings(
        parts.blobs,
        mostBytes ?? LIMITS.PREPARED_HELD_BYTES,
        mostBytes === undefined ? LIMITS.PROGUARD_CLASSES_HELD_BYTES : LIMITS.PROGUARD_CLASSES_HELD_FOR_READERS_BYTES,
      ),
    },
    site: createSiteOfFiles({ ledger: parts.ledger, clock }),
  })
