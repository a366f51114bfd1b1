import type { ReplayReference } from '../replay.ts'

/** The replay that a row names. */
export const referenceOf = (row: { readonly project_id: number; readonly replay_id: string }): ReplayReference => ({
  projectId: row.project_id,
  replayId: row.replay_id,
})
