import type { CallerContext } from '../../lib/caller-context.ts'
import { createAskedThread } from '../asked-thread.ts'
import { createTurnsAt } from '../in-turn.ts'
import { LIMITS } from '../limits.ts'
import type { Shown } from './shared-playback.ts'
import type { KeptForSlicing, Slice, SliceRequest } from './slicing-thread.ts'

export interface Sliced {
  readonly json: Uint8Array
  readonly shown: Shown
  readonly kept: KeptForSlicing | null
}

/** Cuts recordings to what is shown of them, one at a time, on a thread of its own: they may be large, and are hostile. */
export const createSlicing = () => {
  const thread = createAskedThread<SliceRequest, Slice>({
    entry: new URL('./slicing-thread.ts', import.meta.url),
    does: 'cuts chunks of shared replays',
    answerMs: LIMITS.REPLAY_SLICE_MS,
  })
  const inTurn = createTurnsAt(thread, {
    waiting: LIMITS.REPLAY_PACKS_WAITING,
    waitingPerCaller: LIMITS.REPLAY_SLICES_WAITING_PER_CALLER,
    waitMs: LIMITS.REPLAY_PACK_WAIT_MS,
  })

  const ask = (caller: CallerContext, request: SliceRequest): Promise<Slice> =>
    inTurn(() => thread.ask(request), caller)

  return {
    /** JSON of a chunk, as it was recorded; where something was kept of its pages, rewritten with it. @throws StatementRefusal, ThreadEnded */
    slice: (caller: CallerContext, { json, kept, shown: { from, to } }: Sliced): Promise<Slice> =>
      ask(caller, { json, from, to, kept, packs: false, room: Infinity }),
    /**
     * The same, always rewritten, and packed.
     *
     * @param room bytes that style sheets may add to it; where they are more it is written without
     * @throws StatementRefusal, ThreadEnded
     */
    pack: (caller: CallerContext, { json, kept, shown: { from, to } }: Sliced, room: number): Promise<Slice> =>
      ask(caller, { json, from, to, kept, packs: true, room }),
    /** JSON of where fingers were in a segment, of which nothing else is told. @throws StatementRefusal, ThreadEnded */
    touches: (caller: CallerContext, payload: Uint8Array, shift: number): Promise<Uint8Array> =>
      ask(caller, { payload, shift }).then(({ bytes }) => bytes),
    close: thread.close,
  }
}

export type Slicing = ReturnType<typeof createSlicing>
