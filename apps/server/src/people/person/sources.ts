import type { createReportsOfPerson } from '../../feedback/index.ts'
import type { createErrorsOfPerson } from '../../issues/index.ts'
import type { createLinesOfPerson } from '../../logs/index.ts'
import type { createReplaysOfPerson } from '../../replays/index.ts'
import type { createTransactionsOfPerson } from '../../traces/index.ts'
import { LIMITS } from '../limits.ts'
import { isAnonymous, joinNames, namesOf, sameNames, type Names, type PersonScope } from './person.ts'

/** Where something of a person may be. */
export interface PersonSources {
  readonly errors: ReturnType<typeof createErrorsOfPerson>
  readonly transactions: ReturnType<typeof createTransactionsOfPerson>
  readonly lines: ReturnType<typeof createLinesOfPerson>
  readonly replays: ReturnType<typeof createReplaysOfPerson>
  readonly reports: ReturnType<typeof createReportsOfPerson>
}

const BOUNDS = { names: LIMITS.PERSON_NAMES, values: LIMITS.PERSON_VALUES }

/** Names lead to others; after so many steps it is enough. */
const STEPS = 3

/** Whether there may be more of them than are followed. */
const isFull = ({ keys, emails }: Names): boolean => Math.max(keys.length, emails.length) >= LIMITS.PERSON_NAMES

/** All names of a person in a time, whether these are all, and what was reported of them under these. */
export const readPerson = async (
  sources: PersonSources,
  scope: PersonScope,
  key: string,
  seconds: number = LIMITS.PERSON_READ_SECONDS,
) => {
  const bounds = { ...BOUNDS, seconds }
  let names = namesOf(key)
  for (let step = 0; ; step += 1) {
    const asked = { ...scope, ...names }
    const [errors, reports, replays] = await Promise.all([
      sources.errors.sum(asked, bounds),
      sources.reports.sum(asked),
      isAnonymous(key) ? NOBODY : sources.replays.namesOf(asked, bounds),
    ])
    // Whoever is behind the address of a network may be several, and is not led on from.
    const found: Names = isAnonymous(key)
      ? NO_NAMES
      : {
          keys: [...errors.keys, ...reports.keys, ...replays.ids.map((id) => `id:${id}`)],
          emails: [...errors.emails, ...reports.emails, ...replays.emails],
        }
    const wider = joinNames(names, found, LIMITS.PERSON_NAMES)
    const isWhole = sameNames(wider, names)
    if (isWhole || step === STEPS) return { names, isWhole: isWhole && !isFull(names), errors, reports }
    names = wider
  }
}

const NOBODY: { readonly ids: readonly string[]; readonly emails: readonly string[] } = { ids: [], emails: [] }
const NO_NAMES: Names = { keys: [], emails: [] }
