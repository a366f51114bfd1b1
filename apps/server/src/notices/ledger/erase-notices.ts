import { createPersonalMentions } from '../../channels/index.ts'
import { namesIn, partsOfNames } from '../../lib/without-names.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import type { ErasedPerson, Ledger, LedgerTransaction, PersonalData } from '../../storage/index.ts'
import { chunks } from '../../storage/ledger/chunks.ts'
import { idRanges, type IdRange } from '../../storage/ledger/id-ranges.ts'
import { namingAny } from '../../storage/ledger/naming-any.ts'
import { LIMITS } from '../limits.ts'

/** A line is known by what it is of, and that names the person where an alert counts by person. */
const causeWithout = (cause: string, id: number): string => (cause.includes('"') ? `erased:${id}` : cause)

/** What lines and mails are called and known by says the same as their messages. */
const alsoOfLines = async (
  transaction: LedgerTransaction,
  { ids, person, table }: { readonly table: string; readonly ids: readonly number[]; readonly person: ErasedPerson },
): Promise<void> => {
  if (ids.length === 0) return
  if (table === 'notice_mails') {
    const mails = await transaction.selectFrom('notice_mails').select(['id', 'cause']).where('id', 'in', ids).execute()
    for (const { cause, id } of mails) {
      await transaction
        .updateTable('notice_mails')
        .set({ cause: causeWithout(cause, id) })
        .where('id', '=', id)
        .execute()
    }
    return
  }
  const names = namesIn(person)
  const lines = await transaction
    .selectFrom('notice_entries')
    .select(['id', 'cause', 'title'])
    .where('id', 'in', ids)
    .execute()
  for (const { cause, id, title } of lines) {
    await transaction
      .updateTable('notice_entries')
      .set({ cause: causeWithout(cause, id), title: names.without(title) })
      .where('id', '=', id)
      .execute()
  }
}

/** What lines of inboxes list one by one, of alerts that count by person. */
const createPersonalItems = ({ ledger }: { readonly ledger: Ledger }): PersonalData => {
  const find = async (person: ErasedPerson, { after, last }: IdRange) => {
    const parts = partsOfNames(person)
    const names = namesIn(person)
    const rows = await ledger.db
      .selectFrom('notice_items')
      .select(['id', 'title', 'detail'])
      .where('id', '>', after)
      .where('id', '<=', last)
      .where('organization_id', '=', person.organizationId)
      .where('kind', '=', 'alert')
      // A title that was cut may name them in part.
      .where((eb) => eb.or([namingAny(ledger.dialect, 'title', parts), eb('title', 'like', '%…')]))
      .execute()
    return rows.flatMap(({ detail, id, title }) => {
      const without = names.without(title)
      return without === title ? [] : [{ id, title, without, detail: names.withoutValues(names.without(detail)) }]
    })
  }
  return {
    what: 'notices',
    count: async (person, seconds) => {
      const until = performance.now() + seconds * 1000
      let count = 0
      for await (const range of idRanges(ledger, 'notice_items', LIMITS.NOTICE_SEARCHED_ROWS)) {
        if (performance.now() > until) throw new StatementRefusal('slow')
        count += (await find(person, range)).length
      }
      return count
    },
    erase: async (person, signal) => {
      for await (const range of idRanges(ledger, 'notice_items', LIMITS.NOTICE_SEARCHED_ROWS)) {
        for (const part of chunks(await find(person, range), LIMITS.NOTICE_CHANGED_AT_ONCE)) {
          signal.throwIfAborted()
          await ledger.transaction(async (transaction) => {
            for (const { detail, id, title, without } of part) {
              await transaction
                .updateTable('notice_items')
                .set({ title: without, detail })
                .where('id', '=', id)
                .where('title', '=', title)
                .execute()
            }
          })
        }
      }
    },
  }
}

/** Lines of inboxes and mails that wait stay, without the person who is erased. */
export const createPersonalNotices = ({ ledger }: { readonly ledger: Ledger }): PersonalData => {
  const parts = [
    createPersonalMentions({
      ledger,
      what: 'notices',
      tables: ['notice_entries', 'notice_mails'],
      alsoOf: alsoOfLines,
    }),
    createPersonalItems({ ledger }),
  ]
  return {
    what: 'notices',
    count: async (person, seconds) => {
      let count = 0
      for (const part of parts) count += await part.count(person, seconds)
      return count
    },
    erase: async (person, signal) => {
      for (const part of parts) await part.erase(person, signal)
    },
  }
}
