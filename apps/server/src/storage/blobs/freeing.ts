import type { ClickHouseClient } from '@clickhouse/client'
import type { Ledger } from '../ledger/ledger.ts'
import {
  beginFreeing,
  endFreeing,
  heldBlobs,
  noteStoredBytes,
  releasedBlobs,
  settleReleases,
  stillReleased,
} from '../ledger/release-blobs.ts'
import { readBlobKey } from './blob-key.ts'
import type { BlobStore } from './blobs.store.ts'

/** A table of telemetry with columns that name blobs. It has `organization_id`. */
export interface BlobColumns {
  readonly table: string
  readonly columns: readonly string[]
}

export interface FreedBlobs {
  readonly blobs: number
  /** That they took in the store. */
  readonly bytes: number
}

/** Removes blobs that were released and that nothing names any more: the same bytes may have come twice, for two things. */
export interface BlobFreeing {
  /**
   * Runs `work`, which releases blobs and takes their names away, and then frees what was released. No two calls overlap:
   * no blob is looked at while something is under way that takes names away.
   *
   * @param freedFor counted for it in the ledger (`freedBytes`), also by a later process when this one is killed meanwhile
   * @returns what was freed of that; what others had released before is freed as well, and not counted
   */
  after(work: () => Promise<unknown>, freedFor?: string): Promise<FreedBlobs>
}

const NOTHING: FreedBlobs = { blobs: 0, bytes: 0 }

export const createBlobFreeing = (parts: {
  readonly ledger: Ledger
  readonly client: ClickHouseClient
  readonly blobs: Pick<BlobStore, 'remove' | 'sizes'>
  /** Of all capabilities. */
  readonly columns: readonly BlobColumns[]
}): BlobFreeing => {
  const { ledger, client, blobs, columns } = parts

  const namedInTelemetry = async (keys: readonly string[]): Promise<readonly string[]> => {
    const organizations = [...new Set(keys.flatMap((key) => readBlobKey(key)?.organizationId ?? []))]
    const selects = columns.flatMap(({ table, columns: own }) =>
      own.map(
        (column) =>
          `SELECT ${column} AS key FROM ${table} WHERE organization_id IN {organizations:Array(UInt32)} AND ${column} IN {keys:Array(String)}`,
      ),
    )
    if (selects.length === 0) return []
    const result = await client.query({
      query: `SELECT DISTINCT key FROM (${selects.join(' UNION ALL ')})`,
      query_params: { organizations, keys },
      format: 'JSONEachRow',
    })
    return (await result.json<{ key: string }>()).map(({ key }) => key)
  }

  const freeSome = async (looked: readonly string[]): Promise<FreedBlobs> => {
    const named = new Set([...(await namedInTelemetry(looked)), ...(await heldBlobs(ledger, looked))])
    const unnamed = looked.filter((key) => !named.has(key))
    const gone = await stillReleased(ledger, unnamed)
    const sizes = await blobs.sizes(gone)
    await noteStoredBytes(ledger, gone, sizes)
    await blobs.remove(gone)
    await settleReleases(ledger, { looked, gone })
    return { blobs: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) }
  }

  const free = async (): Promise<FreedBlobs> => {
    let freed = NOTHING
    for (;;) {
      const looked = await releasedBlobs(ledger)
      if (looked.length === 0) return freed
      const some = await freeSome(looked)
      freed = { blobs: freed.blobs + some.blobs, bytes: freed.bytes + some.bytes }
    }
  }

  let tail: Promise<unknown> = Promise.resolve()
  return {
    after: (work, freedFor) => {
      const result = tail.then(async () => {
        // Of what was killed, or failed, before its work was done.
        await endFreeing(ledger)
        await free()
        if (freedFor !== undefined) await beginFreeing(ledger, freedFor)
        await work()
        await endFreeing(ledger)
        return free()
      })
      // Whoever called gets the failure; the next in the row runs after it all the same.
      tail = result.catch(() => undefined)
      return result
    },
  }
}
