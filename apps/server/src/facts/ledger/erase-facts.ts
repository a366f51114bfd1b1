import type { ErasedPerson, Ledger, PersonalData } from '../../storage/index.ts'
import { namingAny } from '../../storage/ledger/naming-any.ts'
import { LIMITS } from '../limits.ts'

/** As facts say whom an event named: `"user":{"id":"7","email":"ada@x.example"}`. */
const partsOf = ({ keys, emails }: ErasedPerson) => ({
  exact: keys.flatMap((key) => (key.startsWith('id:') ? [`"user":{"id":${JSON.stringify(key.slice(3))},`] : [])),
  lower: emails.map((email) => `"email":${JSON.stringify(email)}}`),
})

/** Facts that name a person. Whoever follows facts has long taken them: they are kept to explain what came of them. */
export const createPersonalFacts = ({ ledger }: { readonly ledger: Ledger }): PersonalData => {
  const own = (person: ErasedPerson) =>
    ledger.db
      .selectFrom('facts')
      .where('organization_id', '=', person.organizationId)
      .where('received_at', '<=', Math.ceil(person.receivedUntil))
      .where(namingAny(ledger.dialect, 'data', partsOf(person)))
  return {
    what: 'facts',
    count: async (person) => {
      const { count } = await own(person)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
    erase: async (person, signal) => {
      for (;;) {
        signal.throwIfAborted()
        const rows = await own(person).select('id').orderBy('id').limit(LIMITS.FACT_STEP_ROWS).execute()
        if (rows.length === 0) return
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
