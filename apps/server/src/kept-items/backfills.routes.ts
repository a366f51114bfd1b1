import { listBackfills } from '@firsthand/contract'
import { bind } from '../http/index.ts'
import type { Route } from '../http/index.ts'
import type { BackfillBoard } from '../ingest/index.ts'

/** How far items that were kept before are read. */
export const createBackfillRoutes = ({ backfills }: { readonly backfills: Pick<BackfillBoard, 'of'> }): Route[] => [
  bind(listBackfills, async ({ request }) => ({
    body: backfills.of(request.organization.id).map(({ projectId, itemTypes, items, ended, state, since }) => ({
      projectId: String(projectId),
      itemTypes: [...itemTypes],
      items,
      ended: Math.min(ended, items),
      state,
      since: new Date(since).toISOString(),
    })),
  })),
]
