import { sql } from 'kysely'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import type { ErasedPerson, Ledger, LedgerTransaction, PersonalData } from '../../storage/index.ts'
import { chunks } from '../../storage/ledger/chunks.ts'
import { idRanges, type IdRange } from '../../storage/ledger/id-ranges.ts'
import { namingAny } from '../../storage/ledger/naming-any.ts'
import { LIMITS } from '../limits.ts'
import type { Message } from '../message.ts'
import { partsNaming, withoutPerson } from '../without-person.ts'

interface Row {
  readonly id: number
  readonly message: string
}

interface ErasingParts {
  readonly ledger: Ledger
  readonly what: string
  /** With `id`, `organization_id` and `message`. */
  readonly tables: readonly string[]
  /** Those of these that can be changed now; what cannot is found again. Otherwise all can. */
  readonly ready?: (transaction: LedgerTransaction, ids: readonly number[]) => Promise<ReadonlySet<number>>
  /** Takes away what else says the same, in the transaction that changes the messages. */
  readonly alsoOf?: (transaction: LedgerTransaction, named: Named) => Promise<void>
}

/** Rows of a table whose messages name the person. */
export interface Named {
  readonly table: string
  readonly ids: readonly number[]
  readonly person: ErasedPerson
}

/**
 * Messages to people and channels that name a person stay, and whatever waits is sent, without them. Also those that were
 * written since the deletion was asked for: what they tell of was received before, as far as they say.
 */
export const createPersonalMentions = ({ ledger, what, tables, ready, alsoOf }: ErasingParts): PersonalData => {
  const step = async (table: string, person: ErasedPerson, { after, last }: IdRange): Promise<readonly Row[]> => {
    const { rows } = await sql<Row>`SELECT id, message FROM ${sql.table(table)}
      WHERE id > ${after} AND id <= ${last} AND organization_id = ${person.organizationId} AND ${namingAny(ledger.dialect, 'message', partsNaming(person))}
      ORDER BY id`.execute(ledger.db)
    return rows
  }
  /** @returns how many messages name them */
  const walk = async (
    person: ErasedPerson,
    take: (table: string, named: readonly (Row & { readonly without: string })[]) => Promise<void>,
    seconds = Infinity,
  ): Promise<number> => {
    const until = performance.now() + seconds * 1000
    let count = 0
    for (const table of tables) {
      for await (const range of idRanges(ledger, table, LIMITS.MENTIONS_PER_STEP)) {
        if (performance.now() > until) throw new StatementRefusal('slow')
        const rows = await step(table, person, range)
        const named = rows.flatMap((row) => {
          const without = withoutPerson(JSON.parse(row.message) as Message, person)
          return without === null ? [] : [{ ...row, without: JSON.stringify(without) }]
        })
        count += named.length
        if (named.length > 0) await take(table, named)
      }
    }
    return count
  }
  const change = (
    table: string,
    named: readonly (Row & { readonly without: string })[],
    person: ErasedPerson,
  ): Promise<void> =>
    ledger.transaction(async (transaction) => {
      const ids = named.map(({ id }) => id)
      const isReady = (await ready?.(transaction, ids)) ?? new Set(ids)
      const changing = named.filter(({ id }) => isReady.has(id))
      for (const { id, message, without } of changing) {
        // One that says something else by now is found again.
        await sql`UPDATE ${sql.table(table)} SET message = ${without} WHERE id = ${id} AND message = ${message}`.execute(
          transaction,
        )
      }
      await alsoOf?.(transaction, { table, ids: changing.map(({ id }) => id), person })
    })
  return {
    what,
    count: (person, seconds) => walk(person, () => Promise.resolve(), seconds),
    erase: async (person, signal) => {
      await walk(person, async (table, named) => {
        for (const part of chunks(named, LIMITS.MENTIONS_CHANGED_AT_ONCE)) {
          signal.throwIfAborted()
          await change(table, part, person)
        }
      })
    },
  }
}

/**
 * What is not on its way now, neither by itself nor within a message that tells of it: whoever sends one notes afterwards
 * what was sent.
 */
const notOnItsWay = async (transaction: LedgerTransaction, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  const rows = await transaction
    .selectFrom('outbox')
    .leftJoin('outbox as telling', 'telling.id', 'outbox.within_id')
    .select('outbox.id')
    .where('outbox.id', 'in', ids)
    .where('outbox.state', '!=', 'sending')
    .where((where) => where.or([where('telling.state', 'is', null), where('telling.state', '!=', 'sending')]))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** What waits, what was sent and what could not be, with what is known of each try. */
export const createPersonalMessages = ({ ledger }: { readonly ledger: Ledger }): PersonalData =>
  createPersonalMentions({
    ledger,
    what: 'messages',
    tables: ['outbox'],
    ready: notOnItsWay,
    alsoOf: async (transaction, { ids }) => {
      if (ids.length === 0) return
      const telling = transaction.selectFrom('outbox').select('within_id').where('id', 'in', ids)
      await transaction
        .updateTable('outbox_attempts')
        .set({ request: '{}', answer: null })
        .where((where) => where.or([where('outbox_id', 'in', ids), where('outbox_id', 'in', telling)]))
        .execute()
    },
  })
