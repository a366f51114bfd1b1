import { RecentMap } from '../../lib/recent-map.ts'
import type { Ledger } from '../../storage/index.ts'
import { readCodeowners } from '../codeowners.ts'
import { compileLines, type CompiledLines, type Walk } from '../decide.ts'
import type { LineProblem } from '../line.ts'
import { readRules } from '../rules.ts'

/** How a project has its ownership, as it is written. */
export interface Ownership {
  readonly rules: string
  readonly codeowners: Codeowners | null
  readonly walk: Walk
  readonly autoAssignment: boolean
  readonly fallthrough: boolean
  /** Null while nobody ever saved any. */
  readonly createdAt: number | null
  readonly changedAt: number | null
}

export interface Codeowners {
  readonly raw: string
  readonly names: Readonly<Record<string, string>>
  readonly createdAt: number
  readonly changedAt: number
}

export const NO_OWNERSHIP: Ownership = {
  rules: '',
  codeowners: null,
  walk: 'frames',
  autoAssignment: true,
  fallthrough: true,
  createdAt: null,
  changedAt: null,
}

/** What it comes to. */
export interface ReadOwnership extends CompiledLines {
  readonly problems: readonly LineProblem[]
}

/** Lines of the file first: what is written here wins. */
export const readOwnership = ({ rules, codeowners }: Pick<Ownership, 'rules' | 'codeowners'>): ReadOwnership => {
  const file = codeowners === null ? { lines: [], problems: [] } : readCodeowners(codeowners.raw)
  const own = readRules(rules)
  return { ...compileLines([...file.lines, ...own.lines]), problems: [...own.problems, ...file.problems] }
}

export type OwnershipStore = ReturnType<typeof createOwnershipStore>

export const createOwnershipStore = ({ ledger }: { readonly ledger: Ledger }) => {
  /** Lines that were read, by project; as heavy as their text, and what is made of each line to compare it. */
  const remembered = new RecentMap<number, { readonly ownership: Ownership; readonly read: ReadOwnership }>(
    BYTES_REMEMBERED,
  )
  const load = async (projectId: number): Promise<Ownership> => {
    const row = await ledger.db
      .selectFrom('ownership')
      .selectAll()
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if (row === undefined) return NO_OWNERSHIP
    return {
      rules: row.rules,
      codeowners:
        row.codeowners === null
          ? null
          : {
              raw: row.codeowners,
              // Only `save` writes it.
              names: JSON.parse(row.names) as Record<string, string>,
              createdAt: row.codeowners_created_at ?? row.created_at,
              changedAt: row.codeowners_changed_at ?? row.changed_at,
            },
      walk: row.walk,
      autoAssignment: row.auto_assignment === 1,
      fallthrough: row.fallthrough === 1,
      createdAt: row.created_at,
      changedAt: row.changed_at,
    }
  }
  return {
    load,

    /** Whether others hear of what nobody owns, where an alert is for owners. */
    fallsThrough: async (projectId: number): Promise<boolean> => {
      const row = await ledger.db
        .selectFrom('ownership')
        .select('fallthrough')
        .where('project_id', '=', projectId)
        .executeTakeFirst()
      return row === undefined ? NO_OWNERSHIP.fallthrough : row.fallthrough === 1
    },

    /** As it is now, with its lines; reading them again is spared while nothing changed. */
    read: async (projectId: number): Promise<{ readonly ownership: Ownership; readonly read: ReadOwnership }> => {
      const ownership = await load(projectId)
      const known = remembered.get(projectId)
      if (known !== undefined && isSame(known.ownership, ownership)) return { ownership, read: known.read }
      const read = readOwnership(ownership)
      const weight =
        ownership.rules.length + (ownership.codeowners?.raw.length ?? 0) + 1 + read.lines.length * BYTES_PER_LINE
      remembered.set(projectId, { ownership, read }, weight)
      return { ownership, read }
    },

    save: async (projectId: number, ownership: Ownership, now: number): Promise<Ownership> => {
      const { autoAssignment, codeowners, createdAt, fallthrough, rules, walk } = ownership
      const row = {
        rules,
        codeowners: codeowners?.raw ?? null,
        names: JSON.stringify(codeowners?.names ?? {}),
        walk,
        auto_assignment: autoAssignment ? (1 as const) : (0 as const),
        fallthrough: fallthrough ? (1 as const) : (0 as const),
        created_at: createdAt ?? now,
        changed_at: now,
        codeowners_created_at: codeowners?.createdAt ?? null,
        codeowners_changed_at: codeowners?.changedAt ?? null,
      }
      await ledger.db
        .insertInto('ownership')
        .values({ ...row, project_id: projectId })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
        .execute()
      return { ...ownership, createdAt: row.created_at, changedAt: now }
    },
  }
}

/** Two of the largest. */
const BYTES_REMEMBERED = 128_000_000
const BYTES_PER_LINE = 2500

const isSame = (one: Ownership, other: Ownership): boolean =>
  one.rules === other.rules && one.codeowners?.raw === other.codeowners?.raw
