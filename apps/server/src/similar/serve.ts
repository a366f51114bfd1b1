import type { Served, ServerParts } from '../capability.ts'
import { createIssueReads } from '../issues/index.ts'
import { createFindSimilar } from './find-similar.ts'
import { createCatchingUp, createSigning } from './sign.ts'
import { createSimilarRoutes } from './similar.routes.ts'

export const serveSimilar = (parts: ServerParts): Served => {
  const { ask, clock, ledger } = parts
  const { events, issues } = createIssueReads(parts)
  return {
    routes: createSimilarRoutes({ ask, events, issues, findSimilar: createFindSimilar({ clock, events, ledger }) }),
    jobs: [createSigning(parts), createCatchingUp({ clock, events, ledger })],
  }
}
