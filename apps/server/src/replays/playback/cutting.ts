import { createAskedThread, type AskedThread } from '../asked-thread.ts'
import { LIMITS } from '../limits.ts'
import type { CuttingRequest, CutPortion } from './cutting-thread.ts'

/** Cuts one replay after the other into chunks; answers with the chunks that are finished, or a first portion of them. */
export type Cutting = AskedThread<CuttingRequest, CutPortion>

export const createCutting = (now?: () => number): Cutting =>
  createAskedThread({
    entry: new URL('./cutting-thread.ts', import.meta.url),
    does: 'cuts replays',
    answerMs: LIMITS.REPLAY_SEGMENT_CUT_MS,
    wholeMs: LIMITS.REPLAY_CUT_MS,
    begins: ({ kind }) => kind === 'begin',
    goesOn: ({ kind }) => kind === 'more',
    ...(now === undefined ? {} : { now }),
  })
