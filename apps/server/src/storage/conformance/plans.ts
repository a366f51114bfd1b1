import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely'
import type { Ledger } from '../ledger/ledger.ts'

/** How SQLite finds the rows of each statement, and of each statement within one: a line for each table, e.g. `SEARCH issues USING …`. */
export const plansOf = async (
  ledger: Ledger,
  ask: (recorded: Ledger) => Promise<unknown>,
): Promise<readonly (readonly string[])[]> => {
  const asked: RootOperationNode[] = []
  const record: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked.push(node)
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  await ask({ ...ledger, db: ledger.db.withPlugin(record) })
  const plans: string[][] = []
  for (const node of asked) {
    const { parameters, sql } = ledger.db.getExecutor().compileQuery(node, createQueryId())
    const { rows } = await ledger.db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]),
    )
    plans.push(rows.map(({ detail }) => detail))
  }
  return plans
}
