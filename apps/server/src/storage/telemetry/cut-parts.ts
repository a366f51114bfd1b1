import type { ClickHouseClient } from '@clickhouse/client'
import type { CutPart } from './engine/engine-messages.ts'

/**
 * Parts that a full disk cut. The engine sets them aside when it starts again. Mostly nothing is missing then: the parts
 * from which one was merged are there again, and an insert that was not answered is repeated. So they are removed, and only
 * those whose rows are really missing are told.
 */
export interface CutParts {
  add(parts: readonly CutPart[]): void
  /** @returns of the parts that were set aside, those that stay: their rows are missing */
  dropReplaced<Part extends { readonly table: string; readonly name: string }>(
    detached: readonly Part[],
  ): Promise<Part[]>
}

export const createCutParts = (client: ClickHouseClient): CutParts => {
  /** By table and the name that the engine gives them when it sets them aside. */
  const cut = new Map<string, CutPart>()

  const isReplaced = async ({
    table,
    partition,
    firstBlock,
    lastBlock,
    rows,
    unanswered,
  }: CutPart): Promise<boolean> => {
    if (unanswered) return true
    const active = await client.query({
      query: `SELECT sum(rows) AS rows FROM system.parts WHERE database = currentDatabase() AND active AND table = {table:String}
        AND partition_id = {partition:String} AND max_block_number >= {first:Int64} AND min_block_number <= {last:Int64}`,
      query_params: { table, partition, first: firstBlock, last: lastBlock },
      format: 'JSONEachRow',
    })
    const [sum] = await active.json<{ rows: number }>()
    return Number(sum?.rows) >= rows
  }

  return {
    add: (parts) => {
      for (const part of parts) cut.set(`${part.table}/broken-on-start_${part.name}`, part)
    },
    dropReplaced: async (detached) => {
      const missing: (typeof detached)[number][] = []
      for (const part of detached) {
        const key = `${part.table}/${part.name}`
        const known = cut.get(key)
        if (known !== undefined && (await isReplaced(known))) {
          await client.command({
            query: `ALTER TABLE ${part.table} DROP DETACHED PART {name:String} SETTINGS allow_drop_detached = 1`,
            query_params: { name: part.name },
          })
        } else missing.push(part)
        cut.delete(key)
      }
      return missing
    },
  }
}
