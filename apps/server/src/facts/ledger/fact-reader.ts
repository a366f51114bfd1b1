import type { Ledger, LedgerTransaction } from '../../storage/index.ts'

/** The position of one who follows facts. */
export const createFactReader = ({
  ledger,
  name,
  beginsAt,
}: {
  readonly ledger: Ledger
  readonly name: string
  /** A reader that is new begins with what was noted from then on, milliseconds since the epoch. */
  readonly beginsAt: number
}) => {
  const begin = async (): Promise<void> => {
    const { position } = await ledger.db
      .selectFrom('facts')
      .select(({ fn }) => fn.max('id').as('position'))
      .where('noted_at', '<', beginsAt)
      .executeTakeFirstOrThrow()
    await ledger.db
      .insertInto('fact_readers')
      .values({ name, position: position ?? 0, moved_at: beginsAt })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
  }
  const position = async (): Promise<number> => {
    const read = () =>
      ledger.db.selectFrom('fact_readers').select('position').where('name', '=', name).executeTakeFirst()
    const known = await read()
    if (known !== undefined) return known.position
    await begin()
    return (await read())?.position ?? 0
  }
  return {
    position,
    /** Nothing is done, and nothing moves, when another server was faster. */
    move: (
      from: number,
      to: number,
      now: number,
      work: (transaction: LedgerTransaction) => Promise<void>,
    ): Promise<void> =>
      ledger.transaction(async (transaction) => {
        const moved = await transaction
          .updateTable('fact_readers')
          .set({ position: to, moved_at: now })
          .where('name', '=', name)
          .where('position', '=', from)
          .executeTakeFirst()
        if (moved.numUpdatedRows > 0n) await work(transaction)
      }),
  }
}
