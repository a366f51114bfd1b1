import type { ClickHouseClient } from '@clickhouse/client'

/** Items of these projects that a store refused for what is in them: the ledger may have counted them all the same. */
export const countRefused = async (
  client: ClickHouseClient,
  projectIds: readonly number[],
  signal: AbortSignal,
): Promise<number> => {
  const result = await client.query({
    query: `SELECT sum(quantity) AS refused FROM outcomes
      WHERE project_id IN {projects:Array(UInt64)} AND reason = 'internal_error'`,
    query_params: { projects: projectIds },
    format: 'JSONEachRow',
    abort_signal: signal,
  })
  const [row] = await result.json<{ refused: number }>()
  return row?.refused ?? 0
}
