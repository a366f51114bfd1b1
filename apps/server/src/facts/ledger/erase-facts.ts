import { StatementRefusal } from '../../lib/statement-refusal.ts'
import type { ErasedPerson, Ledger, PersonalData } from '../../storage/index.ts'
import { idRanges, type IdRange } from '../../storage/ledger/id-ranges.ts'
import { namingAny } from '../../storage/ledger/naming-any.ts'
import { LIMITS } from '../limits.ts'

/** As facts say whom an event named: `"user":{"id":"7","email":"ada@x.example"}`. */
const partsOf = ({ keys, emails }: ErasedPerson) => ({
  exact: keys.flatMap((key) => (key.startsWith('id:') ? [`"user":{"id":${JSON.stringify(key.slice(3))},`] : [])),
  lower: emails.map((email) => `"email":${JSON.stringify(email)}}`),
})

/** Facts that name a person. Whoever follows facts has long taken them: they are kept to explain what came of them. */
export const createPersonalFacts = ({ ledger }: { readonly ledger: Ledger }): PersonalData => {
  /** A few of the organisation at a time: whoever else needs the ledger has a turn in between. */
  const rangesOf = ({ organizationId }: ErasedPerson) =>
    idRanges(ledger, 'facts', LIMITS.FACT_SEARCHED_ROWS, { column: 'organization_id', value: organizationId })
  const own = (person: ErasedPerson, { after, last }: IdRange) =>
    ledger.db
      .selectFrom('facts')
      .where('id', '>', after)
      .where('id', '<=', last)
      .where('organization_id', '=', person.organizationId)
      .where('received_at', '<=', Math.ceil(person.receivedUntil))
      .where(namingAny(ledger.dialect, 'data', partsOf(person)))
  return {
    what: 'facts',
    count: async (person, seconds) => {
      const until = performance.now() + seconds * 1000
      let sum = 0
      for await (const range of rangesOf(person)) {
        if (performance.now() > until) throw new StatementRefusal('slow')
        const { count } = await own(person, range)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        sum += count
      }
      return sum
    },
    erase: async (person, signal) => {
      for await (const range of rangesOf(person)) {
        signal.throwIfAborted()
        const rows = await own(person, range).select('id').execute()
        if (rows.length === 0) continue
        await ledger.db
          .deleteFrom('facts')
          .where(
            'id',
            'in',
            rows.map(({ id }) => id),
          )
          .execute()
      }
    },
  }
}
