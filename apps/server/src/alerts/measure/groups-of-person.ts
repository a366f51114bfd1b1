import { setTimeout as delay } from 'node:timers/promises'
import type { InLine } from '../../lib/in-line.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import { namesIn, type NamesIn } from '../../lib/without-names.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { ErasedPerson, Ledger } from '../../storage/index.ts'
import { QUIET } from './course.ts'
import { valuesOfKey } from './found.ts'
import { createCourses } from './ledger/courses.ts'
import type { WatchedRule } from './rule.ts'
import type { createSilences } from './silence.ts'
import type { Standings } from './standings.ts'

/** Groups that are a person who is erased: how they stand is forgotten, and nobody waits for what comes of them. */

interface Parts {
  readonly ledger: Ledger
  readonly rules: () => Promise<readonly WatchedRule[]>
  readonly standing: Standings
  readonly silences: Pick<ReturnType<typeof createSilences>, 'forgetGroups' | 'groupsOf'>
  /** While no minute is under way: what it found of them would be kept afterwards. */
  readonly between: InLine
}

/** What a course is of, as it was noted with it: `["measured","errors",["user.email"]]`. */
const groupByOf = (shape: string): readonly string[] =>
  shape === '' ? [] : (JSON.parse(shape) as [string, string, string[]])[2]

const isOf = (names: NamesIn, groupBy: readonly string[], key: string): boolean =>
  valuesOfKey(key).some((value, place) => names.isName(groupBy[place] ?? '', value))

/** Whoever waited for too long gets no answer, and nothing is done for them when their turn comes. */
const within = async <Result>(seconds: number, line: InLine, work: () => Promise<Result>): Promise<Result> => {
  const waiting = new AbortController()
  let isGivenUp = false
  const tooSlow = async (): Promise<never> => {
    await delay(seconds * 1000, null, { signal: waiting.signal, ref: false })
    isGivenUp = true
    throw new StatementRefusal('slow')
  }
  const inTurn = line(async () => {
    if (isGivenUp) throw new StatementRefusal('slow')
    return work()
  })
  try {
    return await Promise.race([inTurn, tooSlow()])
  } finally {
    waiting.abort()
  }
}

export const createGroupsOfPerson = ({ between, ledger, rules, silences, standing }: Parts) => {
  const courses = createCourses({ ledger })

  const kept = async (names: NamesIn, organizationId: number): Promise<ReadonlyMap<number, readonly string[]>> => {
    const found = new Map<number, readonly string[]>()
    const own = await ledger.db
      .selectFrom('alert_rules')
      .select('id')
      .where('organization_id', '=', organizationId)
      .execute()
    for (const part of chunks(own, ROWS_PER_STATEMENT)) {
      const ids = part.map(({ id }) => id)
      const rows = await ledger.db
        .selectFrom('measured_courses')
        .select(['rule_id', 'group_key', 'shape'])
        .where('organization_id', '=', organizationId)
        .where('rule_id', 'in', ids)
        .execute()
      for (const { group_key: key, rule_id: ruleId, shape } of rows) {
        if (isOf(names, groupByOf(shape), key)) found.set(ruleId, [...(found.get(ruleId) ?? []), key])
      }
    }
    return found
  }

  const known = async (names: NamesIn, organizationId: number): Promise<ReadonlyMap<number, ReadonlySet<string>>> => {
    const own = (await rules()).filter((rule) => rule.organizationId === organizationId)
    return new Map(
      own.map(({ id, trigger }) => {
        const keys = [...standing.of(id).keys(), ...silences.groupsOf(id)]
        return [id, new Set(keys.filter((key) => isOf(names, trigger.groupBy, key)))]
      }),
    )
  }

  return {
    /**
     * Of which anything is known, here or over restarts.
     *
     * @param seconds that a minute which is under way may take
     * @throws StatementRefusal when it takes longer
     */
    count: (person: ErasedPerson, seconds: number): Promise<number> =>
      within(seconds, between, async () => {
        const names = namesIn(person)
        const sizes = [...(await known(names, person.organizationId)).values()].map(({ size }) => size)
        const lengths = [...(await kept(names, person.organizationId)).values()].map(({ length }) => length)
        return [...sizes, ...lengths].reduce((sum, one) => sum + one, 0)
      }),
    forget: (person: ErasedPerson): Promise<void> =>
      between(async () => {
        const names = namesIn(person)
        for (const [ruleId, keys] of await kept(names, person.organizationId)) await courses.endGroups(ruleId, keys)
        for (const [ruleId, keys] of await known(names, person.organizationId)) {
          for (const key of keys) standing.set(ruleId, key, QUIET)
          silences.forgetGroups(ruleId, keys)
        }
      }),
  }
}
