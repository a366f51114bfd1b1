import type { AlertAction, AlertDraft } from '@firsthand/contract'
import { badRequest, type CallerOrganization } from '../http/index.ts'
import type { Ledger } from '../storage/index.ts'
import { compileRuleSearch } from './happened/predicate.ts'
import { readNames } from './ledger/names.ts'
import { LIMITS } from './limits.ts'
import { isZone } from './working-hours.ts'

/** What is wrong with a rule about how much, in a sentence; null when nothing is. */
export type MeasuredProblem = (draft: AlertDraft, organizationId: number) => Promise<string | null>

const idsOf = (references: readonly string[]): number[] => [...new Set(references.map(Number))]

const channelsThatAreNot = async (
  { db }: Ledger,
  organizationId: number,
  ids: readonly number[],
): Promise<number[]> => {
  const rows = await db
    .selectFrom('channels')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [0, ...ids])
    .where('deleted_at', 'is', null)
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

/**
 * A rule that can be evaluated, and that names only what the organisation has.
 *
 * @throws HttpError 400 with the field that is at fault
 */
export const checkDraft = async (
  { ledger, measuredProblem }: { readonly ledger: Ledger; readonly measuredProblem: MeasuredProblem },
  { id: organizationId }: Pick<CallerOrganization, 'id'>,
  draft: AlertDraft,
): Promise<AlertDraft> => {
  const refuse = (field: string, sentence: string): never => {
    throw badRequest(sentence, { [field]: sentence })
  }
  if (Buffer.byteLength(JSON.stringify(draft)) > LIMITS.ALERT_RULE_BYTES) {
    refuse('query', `An alert can have at most ${LIMITS.ALERT_RULE_BYTES} bytes.`)
  }
  const names = await readNames(ledger.db, organizationId)
  const projects = new Set(names.projects.values())
  const strange = idsOf(draft.projects ?? []).find((id) => !projects.has(id))
  if (strange !== undefined) refuse('projects', `There is no project ${strange} in this organisation.`)
  if (draft.conditions.hours !== null && !isZone(draft.conditions.hours.timezone)) {
    refuse('conditions', `There is no time zone "${draft.conditions.hours.timezone}". Write one like Europe/Berlin.`)
  }
  const problem =
    draft.trigger.source === 'happened'
      ? problemOfSearch(compileRuleSearch(draft.query, names))
      : await measuredProblem(draft, organizationId)
  if (problem !== null) refuse('query', problem)
  await checkReceivers(
    ledger,
    organizationId,
    draft.actions,
    new Set(names.users.values()),
    new Set(names.teams.values()),
    refuse,
  )
  const [kind, id] = draft.owner?.split(':') ?? []
  const owners: Iterable<number> = kind === 'team' ? names.teams.values() : names.users.values()
  if (id !== undefined && ![...owners].includes(Number(id))) {
    refuse('owner', `The owner ${draft.owner} is neither a member nor a team of this organisation.`)
  }
  return { ...draft, projects: draft.projects === null ? null : idsOf(draft.projects).map(String) }
}

const problemOfSearch = (compiled: ReturnType<typeof compileRuleSearch>): string | null =>
  compiled.ok ? null : compiled.error

const checkReceivers = async (
  ledger: Ledger,
  organizationId: number,
  actions: readonly AlertAction[],
  users: ReadonlySet<number>,
  teams: ReadonlySet<number>,
  refuse: (field: string, sentence: string) => never,
): Promise<void> => {
  const channels = idsOf(actions.flatMap((action) => (action.kind === 'channel' ? [action.channelId] : [])))
  const [missing] = await channelsThatAreNot(ledger, organizationId, channels)
  if (missing !== undefined)
    refuse('actions', `There is no channel ${missing} in this organisation. It may have been deleted.`)
  for (const action of actions) {
    if (action.kind === 'channel' || action.target === 'owners') continue
    const known = action.target === 'team' ? teams : users
    if (action.id === null || !known.has(Number(action.id))) {
      const what = action.target === 'team' ? 'team' : 'member'
      refuse('actions', `There is no ${what} ${action.id ?? 'without an id'} in this organisation.`)
    }
  }
}
