import { ClickHouseError } from '@clickhouse/client'
import { isShortOfMemory } from '../../lib/short-of-memory.ts'
import { LIMITS } from '../limits.ts'
import type { StoredSpan } from '../segment.ts'
import type { TracedSpans, TraceOfProject } from './traced-spans.ts'

/** Traces and their spans; null when they can not be read. */
export interface ReadTraces<Trace extends TraceOfProject> {
  readonly traces: readonly Trace[]
  readonly spans: readonly StoredSpan[] | null
}

/**
 * The engine answers, but not this: it is too much, or damaged. An engine that is away answers nothing, and one that has no
 * memory left by others would answer it later.
 */
export const isRefusal = (error: unknown): boolean =>
  !isShortOfMemory(error) &&
  (error instanceof ClickHouseError || (error instanceof Error && error.cause instanceof ClickHouseError))

/**
 * Reads traces together as long as that works, else in halves, so that one of which the engine cannot tell takes no other
 * along.
 *
 * @throws what the store says when it does not answer at all
 */
export const readApart = async function* <Trace extends TraceOfProject>(
  spans: Pick<TracedSpans, 'load'>,
  traces: readonly Trace[],
  since: number,
): AsyncGenerator<ReadTraces<Trace>> {
  const read = await spans.load(traces, since).catch((error: unknown) => {
    if (isRefusal(error)) return null
    throw error
  })
  const isWhole = read !== null && read.length < LIMITS.FINDING_SPANS
  if (isWhole || traces.length <= 1) {
    yield { traces, spans: read }
    return
  }
  const half = Math.ceil(traces.length / 2)
  yield* readApart(spans, traces.slice(0, half), since)
  yield* readApart(spans, traces.slice(half), since)
}
