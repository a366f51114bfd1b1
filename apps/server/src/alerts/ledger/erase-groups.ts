import type { Clock } from '../../lib/clock.ts'
import { namesIn, partsOfNames, ERASED_NAME, type NamesIn } from '../../lib/without-names.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import type { ErasedPerson, Ledger, LedgerTransaction, PersonalData } from '../../storage/index.ts'
import { chunks } from '../../storage/ledger/chunks.ts'
import { idRanges, type IdRange, type RowsOf } from '../../storage/ledger/id-ranges.ts'
import { namingAny } from '../../storage/ledger/naming-any.ts'
import { LIMITS } from '../limits.ts'
import { GROUP } from '../telling/thread.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { AlertIncidentTable } from './schema.ts'
import { endedFor } from './untold-ends.ts'

/**
 * What alerts that count by person keep of one who is erased: incidents, what each minute came to, and what waits to be told
 * stay, without them. An incident that goes on is over. Whoever heard of it is told so first: by what it is about, a pager
 * knows which page to close.
 */

interface Group {
  readonly name: string
  readonly value: string
}

const isOf = (names: NamesIn, group: readonly Group[]): boolean =>
  group.some(({ name, value }) => names.isName(name, value))

const withoutNames = (names: NamesIn, groupValues: string): string =>
  JSON.stringify(
    (JSON.parse(groupValues) as Group[]).map(({ name, value }) => ({
      name,
      value: names.isName(name, value) ? ERASED_NAME : value,
    })),
  )

/** Rows of a table in one range whose group has the person in it. */
const inRange = async (
  ledger: Ledger,
  table: 'alert_evaluations' | 'alert_incidents',
  person: ErasedPerson,
  { column, value }: RowsOf,
  { after, last }: IdRange,
): Promise<readonly { readonly id: number; readonly group_values: string }[]> => {
  const names = namesIn(person)
  const rows = await ledger.db
    .selectFrom(table)
    .select(['id', 'group_values'])
    .where(column, '=', value)
    .where('organization_id', '=', person.organizationId)
    .where('id', '>', after)
    .where('id', '<=', last)
    .where('group_values', '!=', '[]')
    .where(namingAny(ledger.dialect, 'group_values', partsOfNames(person)))
    .execute()
  return rows.filter(({ group_values: values }) => isOf(names, JSON.parse(values) as Group[]))
}

type Found = Pick<AlertIncidentTable, 'ended_at' | 'group_values' | 'headline' | 'subject' | 'untold_end'> & {
  readonly id: number
}

/** What waits of it to be told together says nothing of the person. */
const clearLines = async (transaction: LedgerTransaction, names: NamesIn, incidentId: number): Promise<void> => {
  const lines = await transaction
    .selectFrom('alert_gathered')
    .select(['id', 'name', 'text'])
    .where('incident_id', '=', incidentId)
    .execute()
  for (const { id, name, text } of lines) {
    await transaction
      .updateTable('alert_gathered')
      .set({ name: names.withoutValues(names.without(name)), text: names.without(text) })
      .where('id', '=', id)
      .execute()
  }
}

const clearIncident = async (
  transaction: LedgerTransaction,
  names: NamesIn,
  { ended_at: endedAt, group_values: group, headline, id, untold_end: untold }: Found,
  now: number,
): Promise<void> => {
  const isOpen = endedAt === null
  // By its subject whoever heard of it is told that it is over; until then it is found again.
  const isTold = !isOpen && untold === null
  await transaction
    .updateTable('alert_incidents')
    .set({
      headline: names.without(headline),
      ...(isOpen ? endedFor('the person whom it was about was deleted', now) : {}),
      ...(isTold ? { group_values: withoutNames(names, group), subject: `${GROUP}erased:${id}` } : {}),
    })
    .where('id', '=', id)
    .execute()
  await clearLines(transaction, names, id)
}

const heldBack = async (ledger: Ledger, person: ErasedPerson) => {
  const names = namesIn(person)
  const rows = await ledger.db
    .selectFrom('alert_held_back')
    .select(['rule_id', 'receiver', 'headline'])
    .where('organization_id', '=', person.organizationId)
    .where(namingAny(ledger.dialect, 'headline', partsOfNames(person)))
    .execute()
  return rows.flatMap((row) => {
    const without = names.without(row.headline)
    return without === row.headline ? [] : [{ ...row, without }]
  })
}

interface Parts {
  readonly ledger: Ledger
  /** Of minutes that are evaluated: how groups stand. */
  readonly groups: {
    readonly count: (person: ErasedPerson, seconds: number) => Promise<number>
    readonly forget: (person: ErasedPerson) => Promise<void>
  }
  readonly clock: Clock
  /** Something is over of which somebody has to be told. */
  readonly ended: () => void
}

export const createPersonalAlerts = ({ clock, ended, groups, ledger }: Parts): PersonalData => {
  const rulesOf = async ({ organizationId }: ErasedPerson): Promise<readonly RowsOf[]> => {
    const rows = await ledger.db
      .selectFrom('alert_rules')
      .select('id')
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    return rows.map(({ id }) => ({ column: 'rule_id', value: id }))
  }

  const found = async function* (person: ErasedPerson) {
    const ofOrganization: RowsOf = { column: 'organization_id', value: person.organizationId }
    for await (const range of idRanges(ledger, 'alert_incidents', LIMITS.ALERT_SEARCHED_ROWS, ofOrganization)) {
      yield {
        table: 'alert_incidents',
        rows: await inRange(ledger, 'alert_incidents', person, ofOrganization, range),
      } as const
    }
    for (const rule of await rulesOf(person)) {
      for await (const range of idRanges(ledger, 'alert_evaluations', LIMITS.ALERT_SEARCHED_ROWS, rule)) {
        yield {
          table: 'alert_evaluations',
          rows: await inRange(ledger, 'alert_evaluations', person, rule, range),
        } as const
      }
    }
  }

  const clearIncidents = async (person: ErasedPerson, ids: readonly number[]): Promise<void> => {
    const names = namesIn(person)
    await ledger.transaction(async (transaction) => {
      await oneAtATime(transaction, ledger.dialect)
      const rows = await transaction
        .selectFrom('alert_incidents')
        .select(['id', 'ended_at', 'group_values', 'headline', 'subject', 'untold_end'])
        .where('organization_id', '=', person.organizationId)
        .where('id', 'in', ids)
        .execute()
      for (const row of rows) await clearIncident(transaction, names, row, clock.now())
    })
    ended()
  }

  const clearEvaluations = (
    person: ErasedPerson,
    rows: readonly { id: number; group_values: string }[],
  ): Promise<void> =>
    ledger.transaction(async (transaction) => {
      const names = namesIn(person)
      for (const { group_values: group, id } of rows) {
        await transaction
          .updateTable('alert_evaluations')
          .set({ group_values: withoutNames(names, group), occasion: `erased:${id}` })
          .where('id', '=', id)
          .execute()
      }
    })

  return {
    what: 'alerts',
    count: async (person, seconds) => {
      const until = performance.now() + seconds * 1000
      let count = (await groups.count(person, seconds)) + (await heldBack(ledger, person)).length
      for await (const { rows } of found(person)) {
        if (performance.now() > until) throw new StatementRefusal('slow')
        count += rows.length
      }
      return count
    },
    erase: async (person, signal) => {
      // First what goes on: what is forgotten while a minute waits for its turn is not written again by it.
      await groups.forget(person)
      for await (const { rows, table } of found(person)) {
        for (const part of chunks(rows, LIMITS.ALERT_CHANGED_AT_ONCE)) {
          signal.throwIfAborted()
          if (table === 'alert_evaluations') await clearEvaluations(person, part)
          else
            await clearIncidents(
              person,
              part.map(({ id }) => id),
            )
        }
      }
      for (const { headline, receiver, rule_id: ruleId, without } of await heldBack(ledger, person)) {
        await ledger.db
          .updateTable('alert_held_back')
          .set({ headline: without })
          .where('organization_id', '=', person.organizationId)
          .where('rule_id', '=', ruleId)
          .where('receiver', '=', receiver)
          .where('headline', '=', headline)
          .execute()
      }
    },
  }
}
