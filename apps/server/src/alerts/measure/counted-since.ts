import type { ServerParts } from '../../capability.ts'
import type { Dataset } from '../../search/index.ts'

/** Since when the rows of a dataset are written here; 0 for one whose rows were always there. Milliseconds since the epoch. */
export type CountedSince = (dataset: Pick<Dataset, 'writtenSince'>) => Promise<number>

/** A server that was there before has rows of such a table from then on: when its table was made is noted with its step. */
export const createCountedSince =
  ({ client }: { readonly client: Pick<ServerParts['client'], 'query'> }): CountedSince =>
  async ({ writtenSince }) => {
    if (writtenSince === undefined) return 0
    const result = await client.query({
      query:
        'SELECT toInt64(toUnixTimestamp64Milli(min(applied_at))) AS at FROM schema_migrations WHERE number = {number:UInt32}',
      query_params: { number: writtenSince },
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ at: number | string }>()
    return Number(row?.at ?? 0)
  }
