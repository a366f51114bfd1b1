import { factsById } from '../../facts/index.ts'
import { ISSUE_FACT_COLUMNS, issueOfFact } from '../../issues/index.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Ledger } from '../../storage/index.ts'
import type { KnownRules } from '../known-rules.ts'
import { dueIncidents, lastIncidents, noteIncident, type Incident } from '../ledger/incidents.ts'
import type { Outlets } from '../outlets.ts'
import type { Receivers } from '../receivers.ts'
import { conclude, isHeard } from '../telling/conclude.ts'
import { suppressionOf } from '../telling/suppression.ts'
import { isHappening, type Happening } from './happening.ts'
import type { CompiledRule } from './judge.ts'
import { createPeopleOf } from './prepare.ts'
import { firingOf } from './speak.ts'
import { standingOf } from './standing.ts'
import { readSurroundings } from './surroundings.ts'
import { inOneTurn } from '../telling/turn.ts'
import type { Turn } from './take-facts.ts'

/** What could not be told when it began, because of the hour, a mute or its age, is told when it may be, if it still goes on. */

interface Due {
  readonly incident: Incident
  readonly fact: Happening
  readonly rule: CompiledRule
  readonly people: ReadonlyMap<number, readonly number[]>
}

const AT_ONCE = 50

/** @returns false when it is over, or another server tells of it */
const claim = async ({ transaction }: Turn, { due_at: dueAt, id }: Incident): Promise<boolean> => {
  const { numUpdatedRows } = await transaction
    .updateTable('alert_incidents')
    .set({ due_at: null })
    .where('id', '=', id)
    .where('due_at', '=', dueAt)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const tellOne = async (turn: Turn, { fact, incident, people, rule }: Due): Promise<void> => {
  const { now, road, transaction } = turn
  if (!(await claim(turn, incident))) return
  const standing = standingOf(await lastIncidents(transaction, rule.id, incident.subject, incident.issue_id), fact)
  const suppression = suppressionOf(rule, standing.circumstances, now)
  if (suppression !== null) {
    await noteIncident(transaction, incident.id, { changedAt: now, dueAt: suppression.until })
    return
  }
  const told = await road.tell({
    ...firingOf(
      turn,
      fact,
      { people, rule },
      { ...standing, flaps: false, stage: 'first' },
      { incidentId: incident.id, subject: incident.subject },
    ),
    isLate: true,
  })
  // Everybody knows of it.
  if (told.fates.length === 0) return
  await noteIncident(transaction, incident.id, { changedAt: now, ...(isHeard(told) ? { toldAt: now } : {}) })
  if (isHeard(told)) turn.fired.set(rule.id, now)
  const found = { decision: 'fired', reason: 'matched', sentence: 'It still goes on, and may be told now.' } as const
  turn.evaluations.push({
    organizationId: fact.organizationId,
    ruleId: rule.id,
    ruleVersion: rule.version,
    occasion: `due:${incident.id}:${now}`,
    at: now,
    issueId: fact.issueId,
    ...conclude(told, found),
    incidentId: incident.id,
  })
}

export const createTellDue = (parts: {
  readonly ledger: Ledger
  readonly rules: Pick<KnownRules, 'of'>
  readonly receivers: Receivers
  readonly clock: Clock
  readonly outlets: Pick<Outlets, 'enqueue' | 'notify'>
  readonly snoozePath: Turn['snoozePath']
}) => {
  const { ledger, outlets, rules, snoozePath } = parts
  const peopleOf = createPeopleOf(parts)

  /** What happened to an issue that was merged since is told of the one that stands for it. */
  const ofWhatStands = async (incidents: readonly Incident[], facts: ReadonlyMap<number, Happening>) => {
    const moved = incidents.filter(({ fact_id: id, issue_id: issueId }) => facts.get(id ?? 0)?.issueId !== issueId)
    const rows = await ledger.db
      .selectFrom('issues')
      .select(['id', ...ISSUE_FACT_COLUMNS])
      .where('id', 'in', [0, ...moved.flatMap(({ issue_id: id }) => id ?? [])])
      .execute()
    const issues = new Map(rows.map((row) => [row.id, issueOfFact(row)]))
    return (incident: Incident): Happening | undefined => {
      const fact = facts.get(incident.fact_id ?? 0)
      const issue = issues.get(incident.issue_id ?? 0)
      if (fact === undefined || issue === undefined || !('issue' in fact.data)) return fact
      return { ...fact, issueId: incident.issue_id, data: { ...fact.data, issue } } as Happening
    }
  }

  const find = async (incidents: readonly Incident[]): Promise<readonly Due[]> => {
    const facts = await factsById(
      ledger.db,
      incidents.flatMap(({ fact_id: id }) => id ?? []),
    )
    const byId = new Map(facts.filter(isHappening).map((fact) => [fact.id, fact]))
    const factOf = await ofWhatStands(incidents, byId)
    const due: Due[] = []
    for (const incident of incidents) {
      const fact = factOf(incident)
      const { all } = await rules.of(incident.organization_id)
      const rule = all.find(({ draft, id }) => id === incident.rule_id && draft.isEnabled)
      if (fact !== undefined && rule !== undefined) {
        due.push({ incident, fact, rule, people: await peopleOf(fact, rule) })
      }
    }
    return due
  }

  return async (now: number): Promise<void> => {
    const incidents = await dueIncidents(ledger.db, now, AT_ONCE)
    if (incidents.length === 0) return
    const due = await find(incidents)
    const surroundings = await readSurroundings(
      ledger,
      due.map(({ fact }) => fact),
    )
    const told = new Set(due.map(({ incident }) => incident.id))
    await ledger.transaction((transaction) =>
      inOneTurn({ transaction, dialect: ledger.dialect, now, outlets }, async (telling) => {
        const turn: Turn = { ...telling, prepared: { surroundings }, snoozePath }
        for (const one of due) await tellOne(turn, one)
        // Of those whose rule is switched off or gone nothing is told.
        for (const incident of incidents) if (!told.has(incident.id)) await claim(turn, incident)
      }),
    )
  }
}
