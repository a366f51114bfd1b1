import { createAskedThread, type AskedThread } from '../asked-thread.ts'
import { LIMITS } from '../limits.ts'
import type { CutChunk, CuttingRequest } from './cutting-thread.ts'

/** Cuts one replay after the other into chunks; answers with the chunks that are finished. */
export type Cutting = AskedThread<CuttingRequest, readonly CutChunk[]>

export const createCutting = (): Cutting =>
  createAskedThread({
    entry: new URL('./cutting-thread.ts', import.meta.url),
    does: 'cuts replays',
    answerMs: LIMITS.REPLAY_SEGMENT_CUT_MS,
    begins: ({ kind }) => kind === 'begin',
  })
