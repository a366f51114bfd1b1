import { parseSearch, textOf, type FieldTerm, type SearchNode } from '../../search/index.ts'
import type { ReplayReference } from '../replay.ts'
import type { FoundVisitor } from '../visitor.ts'
import { IS, IS_STARRED, isOwn, ISSUE, SEEN_BY, SEEN_BY_ME, VISITOR } from './replay-keys.ts'

/** Id of a user, or the caller. */
export type ViewerName = number | 'me'

/** What a search says by names that have to be looked up elsewhere. */
export interface LookedUpNames {
  /** Short ids in upper case, each with the ids under which events of the issue are stored. */
  readonly issues: ReadonlyMap<string, readonly number[]>
  readonly visitors: ReadonlyMap<string, FoundVisitor>
  /** What each of them opened. */
  readonly seen: ReadonlyMap<ViewerName, readonly ReplayReference[]>
  /** Those that have a star. */
  readonly starred: readonly ReplayReference[]
}

export const USER_ID = /^[1-9]\d{0,14}$/

/** Names in a search that are looked up before it is compiled. */
export const namedIn = (
  written: string,
): {
  readonly issues: readonly string[]
  /** Those of them that are excluded. */
  readonly withoutIssues: readonly string[]
  readonly visitors: readonly string[]
  readonly viewers: readonly ViewerName[]
  /** Whether it asks for stars. */
  readonly stars: boolean
} => {
  const terms = (node: SearchNode | null): readonly FieldTerm[] => {
    if (node?.kind === 'and' || node?.kind === 'or') return node.children.flatMap(terms)
    return node?.kind === 'field' && !node.key.tag ? [node] : []
  }
  const parsed = parseSearch(written, isOwn)
  const all = parsed.ok ? terms(parsed.value.root) : []
  const valuesOf = (isOne: (name: string) => boolean, among = all): readonly string[] =>
    among.filter(({ key }) => isOne(key.name)).flatMap(({ values }) => values.map(textOf))
  const isIssue = (name: string): boolean => name === ISSUE
  const others = valuesOf((name) => SEEN_BY.has(name)).filter((id) => USER_ID.test(id))
  return {
    issues: valuesOf(isIssue),
    withoutIssues: valuesOf(
      isIssue,
      all.filter(({ negated }) => negated),
    ),
    visitors: valuesOf((name) => name === VISITOR),
    stars: all.some(({ key }) => key.name === IS || key.name === IS_STARRED),
    viewers: [...(all.some(({ key }) => SEEN_BY_ME.has(key.name)) ? ['me' as const] : []), ...others.map(Number)],
  }
}
