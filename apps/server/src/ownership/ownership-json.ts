import type {
  Codeowners as CodeownersJson,
  LineProblem as ProblemJson,
  Ownership as OwnershipJson,
} from '@firsthand/contract'
import { toDate } from '../lib/instant-text.ts'
import type { KnownOwners } from './ledger/known-owners.ts'
import type { Codeowners, Ownership, ReadOwnership } from './ledger/ownership-store.ts'
import type { LineProblem, OwnershipLine } from './line.ts'
import { LIMITS } from './limits.ts'

/** Ownership in the shape of Sentry's API, and what ours says besides. */

interface Understood {
  readonly read: ReadOwnership
  readonly known: KnownOwners
  /** Lines that are not used, or name somebody who is not here. */
  readonly problems: readonly LineProblem[]
}

export const problemJson = ({ number, ...problem }: LineProblem): ProblemJson => ({ ...problem, line: number })

/** Lines that name somebody whom the organisation does not know. */
export const unknownOwners = (lines: readonly OwnershipLine[], known: KnownOwners): LineProblem[] =>
  lines.flatMap(({ source, number, text, owners }) =>
    owners
      .filter((owner) => !known.has(owner))
      .map((owner) => ({ source, number, text: text.slice(0, 200), reason: whyUnknown(owner) })),
  )

const whyUnknown = (owner: string): string => {
  if (owner.startsWith('#')) return `There is no team "${owner.slice(1)}" in this organisation.`
  if (owner.startsWith('@')) {
    return `"${owner}" is nobody's name here. Say which member or team it is, under the names of the file.`
  }
  return `"${owner}" is no member of this organisation, or has not accepted the invitation yet.`
}

const matcherTypeOf = ({ kind, tag }: OwnershipLine): string => (kind === 'tag' ? `tags.${tag}` : kind)

const schemaOwner = (owner: string, known: KnownOwners) => {
  const found = known.get(owner)
  const identifier = owner.replace(/^#/, '')
  return {
    type: found?.type ?? (owner.startsWith('#') ? ('team' as const) : ('user' as const)),
    ...(found === undefined ? {} : { id: String(found.id) }),
    name: found?.type === 'team' ? found.slug : (found?.email ?? identifier),
    identifier,
  }
}

export const ownershipJson = (
  { autoAssignment, changedAt, createdAt, fallthrough, rules, walk }: Ownership,
  { known, problems, read }: Understood,
): OwnershipJson => ({
  raw: createdAt === null ? null : rules,
  fallthrough,
  dateCreated: createdAt === null ? null : toDate(createdAt),
  lastUpdated: changedAt === null ? null : toDate(changedAt),
  isActive: true,
  autoAssignment: autoAssignment ? 'Auto Assign to Issue Owner' : 'Turn off Auto-Assignment',
  codeownersAutoSync: false,
  schema:
    createdAt === null
      ? null
      : {
          $version: 1,
          rules: read.lines
            .filter(({ source }) => source === 'rules')
            .map((line) => ({
              matcher: { type: matcherTypeOf(line), pattern: line.pattern },
              owners: line.owners.map((owner) => schemaOwner(owner, known)),
            })),
        },
  walk,
  problems: problems.slice(0, LIMITS.OWNERSHIP_PROBLEMS_SHOWN).map(problemJson),
})

/** @param id one file a project: it has the project's */
export const codeownersJson = (
  id: number,
  { changedAt, createdAt, names, raw }: Codeowners,
  { known, problems, read }: Understood,
): CodeownersJson => {
  const lines = read.lines.filter(({ source }) => source === 'codeowners')
  const missing = [...new Set(lines.flatMap(({ owners }) => owners).filter((owner) => !known.has(owner)))]
  return {
    id: String(id),
    raw,
    dateCreated: toDate(createdAt),
    dateUpdated: toDate(changedAt),
    dateSynced: null,
    codeMappingId: null,
    provider: null,
    codeOwnersUrl: '',
    ownershipSyntax: lines.map((line) => syntaxOf(line, known)).join('\n'),
    errors: {
      missing_user_emails: missing.filter((owner) => !owner.startsWith('@')),
      missing_external_users: missing.filter((owner) => /^@[^/]+$/.test(owner)),
      missing_external_teams: missing.filter((owner) => /^@[^/]+\//.test(owner)),
      teams_without_access: [],
      users_without_access: [],
    },
    names: { ...names },
    problems: problems
      .filter(({ source }) => source === 'codeowners')
      .slice(0, LIMITS.OWNERSHIP_PROBLEMS_SHOWN)
      .map(problemJson),
  }
}

const syntaxOf = ({ owners, pattern }: OwnershipLine, known: KnownOwners): string => {
  const named = owners.flatMap((owner) => {
    const found = known.get(owner)
    if (found === undefined) return []
    return [found.type === 'team' ? `#${found.slug}` : found.email]
  })
  return [`codeowners:${/\s/.test(pattern) ? `"${pattern}"` : pattern}`, ...named].join(' ')
}
