import type { ProfileLane } from '../../profiles/links/index.ts'
import type { TraceModel } from './trace.ts'

const MICROSECONDS = 1000

/**
 * When a profile began, on the axis of the trace. Profiles have the clock of the service that sent them, which is put right
 * for its spans: a profile moves with those it was taken with.
 */
export function placeOfProfile(
  model: TraceModel,
  { end, projectId, spanId, start }: Pick<ProfileLane, 'end' | 'projectId' | 'spanId' | 'start'>,
): number {
  const at = start - model.startMs * MICROSECONDS
  const root = model.indexOf(spanId)
  return at + (root === -1 ? shiftBeside(model, projectId, at, at + end - start) : (model.shift[root] as number))
}

/** Of the first span of its project that ran meanwhile, by the clock of its service. */
function shiftBeside(model: TraceModel, projectId: string, from: number, to: number): number {
  for (let span = 0; span < model.count; span += 1) {
    if (model.projects[model.project[span] as number]?.id !== projectId) continue
    const shift = model.shift[span] as number
    if ((model.start[span] as number) - shift < to && (model.end[span] as number) - shift > from) return shift
  }
  return 0
}
