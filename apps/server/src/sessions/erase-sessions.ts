import type { ClickHouseClient } from '@clickhouse/client'
import { personalRows, type ErasedPerson, type PersonalData } from '../storage/index.ts'
import type { NumberOfUser } from './user-number.ts'

/** What SDKs may have called somebody, by what other data calls them: `7` of `id:7`. */
const calledOf = ({ keys, emails }: ErasedPerson): readonly string[] => [
  ...new Set([...keys.map((key) => key.slice(key.indexOf(':') + 1)), ...emails]),
]

/** Sessions that a person had. Who had one cannot be read back, but is the same number for the same name. */
export const createPersonalSessions = (client: ClickHouseClient, numberOf: NumberOfUser): PersonalData =>
  personalRows(client, {
    what: 'sessions',
    counted: [
      ['session_updates', 'uniqExact(project_id, session)'],
      ['session_counts', 'count()'],
    ],
    // Digits alone, of our own making.
    named: (person) =>
      `user IN (${calledOf(person)
        .map((called) => numberOf(person.organizationId, called))
        .join(', ')})`,
  })
