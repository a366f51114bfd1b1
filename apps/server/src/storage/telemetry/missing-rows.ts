import type { ClickHouseClient } from '@clickhouse/client'

/** By what a row is found again. */
export interface RowPlace {
  readonly projectId: number
  readonly id: string
  /** Milliseconds since the epoch, as the row has it. */
  readonly at: number
}

/** A table whose rows have an identity. */
export interface RowLookup {
  readonly table: string
  readonly id: string
  readonly idType: 'UUID' | 'String' | 'UInt64'
  readonly time: string
}

/** Their ids stand in the address of the request, which has 16 KiB. */
const ROWS_PER_QUERY = 200
/** Indexes of the rows that the table does not have. Asked by project and time first, so that little is read. */
export const missingRows = async (
  client: ClickHouseClient,
  { table, id, idType, time }: RowLookup,
  places: readonly RowPlace[],
): Promise<number[]> => {
  const keyOf = (project: number, name: string): string => `${project}:${name}`
  const found = new Set<string>()
  const byTime = places.toSorted((one, other) => one.at - other.at)
  for (let from = 0; from < byTime.length; from += ROWS_PER_QUERY) {
    const asked = byTime.slice(from, from + ROWS_PER_QUERY)
    const result = await client.query({
      query: `SELECT project_id AS project, toString(${id}) AS name FROM ${table}
        WHERE project_id IN {projects:Array(UInt64)} AND ${id} IN {ids:Array(${idType})}
          AND ${time} BETWEEN fromUnixTimestamp64Milli({from:Int64}) AND fromUnixTimestamp64Milli({to:Int64})`,
      query_params: {
        projects: [...new Set(asked.map(({ projectId }) => projectId))],
        ids: idType === 'UInt64' ? asked.map((place) => BigInt(place.id)) : asked.map((place) => place.id),
        from: asked[0]?.at ?? 0,
        to: asked.at(-1)?.at ?? 0,
      },
      // Of a server with several copies, one that has everything that was acknowledged.
      clickhouse_settings: { select_sequential_consistency: '1' },
      format: 'JSONEachRow',
    })
    for (const { project, name } of await result.json<{ project: number; name: string }>()) {
      found.add(keyOf(project, name))
    }
  }
  return places.flatMap((place, index) => (found.has(keyOf(place.projectId, place.id)) ? [] : [index]))
}
