import { getReplayVideo } from '@firsthand/contract'
import { bind, type Route } from '../../http/index.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { findOfProject, type Finding } from '../find-replay.ts'
import type { Granted } from '../services.ts'
import { videoReply } from './video-reply.ts'

type VideoServices = Finding & Granted<{ replays: 'segment' }> & { readonly blobs: Pick<BlobStore, 'open'> }

/** What phones recorded of their screens. */
export const createVideoRoutes = (services: VideoServices): Route[] => [
  bind(getReplayVideo, async ({ params, request }) => {
    const { blobs, replays } = services
    const { record, scope } = await findOfProject(services, request.organization.id, params)
    const found = await replays.segment(scope, record, { has: 'video', written: params.segment })
    return videoReply(blobs, found, `replay-${record.replayId}-segment-${params.segment}`)
  }),
]
