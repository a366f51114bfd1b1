import { DAY_MS } from '../../lib/durations.ts'
import type { Ledger } from '../../storage/index.ts'

/** What a list shows of rules besides themselves. */
export interface RuleNumbers {
  readonly open: number
  readonly isFlapping: boolean
  /** Within the last seven days. */
  readonly messages: number
}

const MESSAGES_DAYS = 7

export const readRuleNumbers = async (
  { db }: Ledger,
  ruleIds: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, RuleNumbers>> => {
  if (ruleIds.length === 0) return new Map()
  const open = await db
    .selectFrom('alert_incidents')
    .select(({ fn }) => ['rule_id', 'state', fn.countAll<number>().as('count')])
    .where('rule_id', 'in', ruleIds)
    .where('ended_at', 'is', null)
    .groupBy(['rule_id', 'state'])
    .execute()
  const sent = await db
    .selectFrom('alert_messages')
    .select(({ fn }) => ['rule_id', fn.count<number>('key').distinct().as('count')])
    .where('rule_id', 'in', ruleIds)
    .where('sent_at', '>', now - MESSAGES_DAYS * DAY_MS)
    .groupBy('rule_id')
    .execute()
  return new Map(
    ruleIds.map((id) => {
      const own = open.filter(({ rule_id: ruleId }) => ruleId === id)
      return [
        id,
        {
          open: own.reduce((sum, { count }) => sum + count, 0),
          isFlapping: own.some(({ state }) => state === 'flapping'),
          messages: sent.find(({ rule_id: ruleId }) => ruleId === id)?.count ?? 0,
        },
      ]
    }),
  )
}

export interface Person {
  readonly type: 'user' | 'team'
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly slug?: string
}

/** Users and teams by `user:1` and `team:1`. */
export const readActors = async (
  { db }: Ledger,
  organizationId: number,
  references: readonly string[],
): Promise<ReadonlyMap<string, Person>> => {
  const idsOf = (kind: string): number[] =>
    references.flatMap((reference) =>
      reference.startsWith(`${kind}:`) ? [Number(reference.slice(kind.length + 1))] : [],
    )
  const people = new Map<string, Person>()
  const users = await db
    .selectFrom('users')
    .innerJoin('members', 'members.user_id', 'users.id')
    .select(['users.id', 'users.name', 'users.email'])
    .where('members.organization_id', '=', organizationId)
    .where('users.id', 'in', [0, ...idsOf('user')])
    .execute()
  for (const { email, id, name } of users) {
    people.set(`user:${id}`, { type: 'user', id: String(id), name: name || email, email })
  }
  const teams = await db
    .selectFrom('teams')
    .select(['id', 'name', 'slug'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [0, ...idsOf('team')])
    .execute()
  for (const { id, name, slug } of teams) people.set(`team:${id}`, { type: 'team', id: String(id), name, slug })
  return people
}
