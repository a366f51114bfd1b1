import type { Ledger, LedgerTransaction } from '../../storage/index.ts'

/** How far one who follows facts is. */
export interface ReaderPositions {
  /** Number of the last fact that was taken of all organisations, */
  readonly all: number
  /** and of those that are further, by organisation. */
  readonly ahead: ReadonlyMap<number, number>
}

/** Facts of one organisation were taken. */
export interface Move {
  readonly organizationId: number
  readonly positions: ReaderPositions
  readonly to: number
  /** With these, all organisations are as far as this number. */
  readonly completes: number | null
}

/** The positions of one who follows facts: one for all organisations, and one for each that is further than the others. */
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
  const nameOf = (organizationId: number): string => `${name}/${organizationId}`
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
  const read = async (): Promise<ReaderPositions | null> => {
    const rows = await ledger.db
      .selectFrom('fact_readers')
      .select(['name', 'position'])
      .where((eb) => eb.or([eb('name', '=', name), eb('name', 'like', `${name}/%`)]))
      .execute()
    const all = rows.find((row) => row.name === name)
    if (all === undefined) return null
    const ahead = new Map(
      rows.filter((row) => row !== all).map((row) => [Number(row.name.slice(name.length + 1)), row.position]),
    )
    return { all: all.position, ahead }
  }

  const moveAll = async (transaction: LedgerTransaction, from: number, to: number, now: number): Promise<boolean> => {
    const { numUpdatedRows } = await transaction
      .updateTable('fact_readers')
      .set({ position: to, moved_at: now })
      .where('name', '=', name)
      .where('position', '=', from)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  const moveAhead = async (transaction: LedgerTransaction, organizationId: number, to: number, now: number) => {
    await transaction
      .insertInto('fact_readers')
      .values({ name: nameOf(organizationId), position: to, moved_at: now })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ position: to, moved_at: now }))
      .execute()
  }

  const positionOf = async (transaction: LedgerTransaction, organizationId: number): Promise<number | undefined> => {
    const row = await transaction
      .selectFrom('fact_readers')
      .select('position')
      .where('name', '=', nameOf(organizationId))
      .executeTakeFirst()
    return row?.position
  }

  return {
    positions: async (): Promise<ReaderPositions> => {
      const known = await read()
      if (known !== null) return known
      await begin()
      return (await read()) ?? { all: 0, ahead: new Map() }
    },
    /** Nothing is done, and nothing moves, when another server was faster. */
    move: (
      { completes, organizationId, positions: { ahead, all }, to }: Move,
      now: number,
      work: (transaction: LedgerTransaction) => Promise<void>,
    ): Promise<void> =>
      ledger.transaction(async (transaction) => {
        // Whoever moves one organisation holds the position of all meanwhile.
        if (!(await moveAll(transaction, all, all, now))) return
        if ((await positionOf(transaction, organizationId)) !== ahead.get(organizationId)) return
        if (completes === null) await moveAhead(transaction, organizationId, to, now)
        else {
          await moveAll(transaction, all, completes, now)
          await forgetBehind(transaction, name, completes)
        }
        await work(transaction)
      }),
  }
}

const forgetBehind = async (transaction: LedgerTransaction, name: string, position: number): Promise<void> => {
  await transaction
    .deleteFrom('fact_readers')
    .where('name', 'like', `${name}/%`)
    .where('position', '<=', position)
    .execute()
}
