import type { AlertDraft } from '@firsthand/contract'
import type { Ledger } from '../../../storage/index.ts'
import { readDraft } from '../../ledger/read-draft.ts'
import type { WatchedRule } from '../rule.ts'

/** Rules about how much, or about nothing, of all organisations: those that are switched on. */

const projectsByRule = async ({ db }: Ledger): Promise<ReadonlyMap<number, readonly number[]>> => {
  const rows = await db
    .selectFrom('alert_rule_projects')
    .innerJoin('alert_rules', 'alert_rules.id', 'alert_rule_projects.rule_id')
    .select(['alert_rule_projects.rule_id', 'alert_rule_projects.project_id'])
    .where('alert_rules.source', '!=', 'happened')
    .orderBy('alert_rule_projects.project_id')
    .execute()
  const found = new Map<number, number[]>()
  for (const { project_id: project, rule_id: rule } of rows) {
    const own = found.get(rule)
    if (own === undefined) found.set(rule, [project])
    else own.push(project)
  }
  return found
}

type Watched = AlertDraft & { readonly trigger: WatchedRule['trigger'] }

const isWatched = (draft: AlertDraft): draft is Watched => draft.trigger.source !== 'happened'

/** Drafts are read once for each version of a rule. */
export const createWatchedRules = (ledger: Ledger) => {
  let known = new Map<number, { readonly version: number; readonly draft: AlertDraft | null }>()
  return async (): Promise<readonly WatchedRule[]> => {
    const rows = await ledger.db
      .selectFrom('alert_rules')
      .select(['id', 'organization_id', 'version', 'name', 'draft', 'all_projects', 'watched_since'])
      .where('source', '!=', 'happened')
      .where('is_enabled', '=', 1)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    const projects = rows.length === 0 ? new Map<number, readonly number[]>() : await projectsByRule(ledger)
    const drafts: typeof known = new Map()
    const rules: WatchedRule[] = []
    for (const {
      all_projects: all,
      draft: text,
      id,
      name,
      organization_id: organizationId,
      version,
      watched_since: since,
    } of rows) {
      const before = known.get(id)
      const draft = before?.version === version ? before.draft : readDraft(text, { name }).draft
      drafts.set(id, { version, draft })
      // Its list says why one is not watched.
      if (draft === null || !isWatched(draft)) continue
      const { environments, query, trigger } = draft
      const projectIds = all === 1 ? null : (projects.get(id) ?? [])
      rules.push({ id, version, organizationId, projectIds, query, environments, trigger, since })
    }
    known = drafts
    return rules
  }
}
