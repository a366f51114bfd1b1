import type { Question } from '../lib/questions.ts'

/** When a replay began that was recorded while a report was written, in milliseconds since the epoch; null if none came. */
export const START_OF_REPLAY: Question<ReplayOfReport, number | null> = {
  name: 'when the replay of a report began',
  otherwise: null,
}

export interface ReplayOfReport {
  readonly organizationId: number
  readonly projectId: number
  /** 32 hex characters. */
  readonly replayId: string
}
