import { findTraces } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'

/** Traces of one replay that are looked for. */
export const TRACES_MAX = 100
/** So many ids have room in one search. */
const AT_ONCE = 50
/** Services may have gone on, and their clocks differ. */
const AROUND_MS = 60 * 60_000

export interface TraceOfReplay {
  /** Its id. */
  readonly key: string
  readonly at: number
  readonly name: string
  readonly spans: number
  /** Milliseconds. */
  readonly took: number
}

/** The traces that a replay names, as far as they are stored, by time. */
export const replayTracesQuery = (
  org: string,
  replay: string,
  ids: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'replay', replay, 'traces'],
    queryFn: async ({ signal }): Promise<readonly TraceOfReplay[]> => {
      const wanted = ids.slice(0, TRACES_MAX)
      const parts = Array.from({ length: Math.ceil(wanted.length / AT_ONCE) }, (_, part) =>
        wanted.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
      )
      const time = { start: new Date(from - AROUND_MS).toISOString(), end: new Date(to + AROUND_MS).toISOString() }
      const found = await Promise.all(
        parts.map((part) =>
          api.call(findTraces, {
            params: { org },
            query: {
              ...time,
              field: ['id'],
              query: [`trace:[${part.join(',')}]`],
              maxSpansPerTrace: 1,
              per_page: AT_ONCE,
            },
            signal,
          }),
        ),
      )
      return found
        .flatMap(({ data }) =>
          data.map(({ duration, name, numSpans, start, trace }): TraceOfReplay => ({
            key: trace,
            at: start,
            name: name ?? trace,
            spans: numSpans,
            took: duration,
          })),
        )
        .toSorted((one, other) => one.at - other.at)
    },
    enabled: ids.length > 0,
    staleTime: 30_000,
  })
