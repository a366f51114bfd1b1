import type { LedgerWork } from '../../ingest/index.ts'
import { isWithin, type Clock } from '../../lib/clock.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import type { Ledger } from '../../storage/index.ts'
import { livingOf, readKnownNames, readRules, saveChanges } from '../ledger/known-names.ts'
import { LIMITS } from '../limits.ts'
import { nameByForm, type SentName } from '../read/names.ts'
import { ProjectNames, type NamingContext } from './project-names.ts'

/** How transactions are called, on the digest's thread. */
export interface Names {
  /** What has to be known of projects before names of theirs are asked for. */
  recall(projectIds: readonly number[]): Promise<void>
  nameOf(projectId: number, sent: SentName, context: NamingContext): string
  /** Stores what was learned of projects. */
  save(work: Pick<LedgerWork, 'transaction' | 'now'>, projectIds: Iterable<number>): Promise<void>
}

/** Without a memory: names have `*` for what looks like an id. */
export const NAMES_BY_FORM: Names = {
  recall: async () => undefined,
  nameOf: (_, sent) => nameByForm(sent),
  save: async () => undefined,
}

interface Recalled {
  readonly names: ProjectNames
  rulesAt: number
}

export const createNames = (ledger: Ledger, clock: Clock): Names => {
  const projects = new RecentMap<number, Recalled>(LIMITS.NAME_PLACES_IN_MEMORY)
  /** Weighs it anew: it grows. */
  const keep = (projectId: number, recalled: Recalled): void =>
    projects.set(projectId, recalled, Math.max(1, recalled.names.places))
  return {
    recall: async (projectIds) => {
      const at = clock.now()
      const known: number[] = []
      for (const id of projectIds) {
        const recalled = projects.get(id)
        if (recalled === undefined) {
          keep(id, { names: new ProjectNames({ ...(await readKnownNames(ledger.db, id)), at }), rulesAt: at })
        } else if (!isWithin(recalled.rulesAt, LIMITS.NAME_RULES_AGE_MS, at)) known.push(id)
      }
      if (known.length === 0) return
      for (const [id, rules] of await readRules(ledger.db, known)) {
        const recalled = projects.peek(id)
        if (recalled === undefined) continue
        recalled.names.setRules(rules)
        recalled.rulesAt = at
      }
    },

    nameOf: (projectId, sent, context) => projects.peek(projectId)?.names.nameOf(sent, context) ?? nameByForm(sent),

    save: async ({ now, transaction }, projectIds) => {
      const changed = [...new Set(projectIds)].flatMap((id) => {
        const recalled = projects.peek(id)
        const changes = recalled?.names.takeChanges(now) ?? null
        if (recalled === undefined || changes === null) return []
        keep(id, recalled)
        return [{ id, changes }]
      })
      if (changed.length === 0) return
      const living = await livingOf(
        transaction,
        changed.map(({ id }) => id),
      )
      for (const { id, changes } of changed) {
        if (living.has(id)) await saveChanges(transaction, id, changes, now)
        else projects.delete(id)
      }
    },
  }
}

const ofLedgers = new WeakMap<Ledger, Names>()

/** Those of a ledger are one, so that spans and profiles of a transaction have the same name. */
export const namesOf = (ledger: Ledger, clock: Clock): Names => {
  const known = ofLedgers.get(ledger)
  if (known !== undefined) return known
  const names = createNames(ledger, clock)
  ofLedgers.set(ledger, names)
  return names
}
