import type { Result } from '../../lib/result.ts'
import { compileFilter, textOf } from '../../search/index.ts'
import type { FieldTerm, LookedUp, RowFilter, SearchedTable, SearchError, SearchNode } from '../../search/index.ts'
import { findEventField } from './event-fields.ts'
import { isIssueKey } from './issue-keys.ts'

/** What a search for events means by names that only the ledger knows. */
export interface EventFilterContext {
  /** Milliseconds since the epoch, for relative times. */
  readonly now: number
  /** What `release:latest` means: the newest releases of the searched projects. */
  readonly latestReleases?: readonly string[]
  /** Ids by upper-case short id (merged issues have several), and by project slug: the caller knows the organisation. */
  readonly issueIds?: ReadonlyMap<string, readonly number[]>
  readonly projectIds?: ReadonlyMap<string, number>
}

/**
 * Each tag as `key=value`: the expression of the index `by_tags`, word for word, which answers without reading the tags.
 * Keys have no `=` in them (protocol.md 3.1), so that a pair says one thing only.
 */
const TAG_PAIRS = "arrayMap((k, v) -> concat(k, '=', v), mapKeys(events.tags), mapValues(events.tags))"

/** Compiles a search over `events`. Messages match as free words do; everything else exactly. */
export const toEventFilter = (root: SearchNode | null, context: EventFilterContext): Result<RowFilter, SearchError> => {
  const events: SearchedTable = {
    fieldOf: ({ name, tag }) => findEventField(name, tag),
    words: 'events.search_text',
    tags: { map: 'events.tags', pairs: TAG_PAIRS },
    lookUp: (term) => lookUp(term, context),
    projectIds: [...(context.projectIds?.values() ?? [])],
    refuse: ({ name, tag }) => (tag ? null : refusalOf(name)),
  }
  return compileFilter(root, events, context.now)
}

/** Keys that no single event has an answer to. */
const refusalOf = (name: string): string | null => {
  if (name.endsWith(')')) {
    return `"${name}" is a number over many events, and a search looks at one event at a time. Among issues, timesSeen:>100 compares how often each was seen, and lists can be sorted by events and users.`
  }
  return isIssueKey(name)
    ? `"${name}" is asked of issues, and this is a search for events. If it is a tag, write tags[${name}].`
    : null
}

/** Keys whose values name something that the ledger knows. Null for all others. */
const lookUp = (
  { key, values }: FieldTerm,
  { issueIds, latestReleases = [], projectIds }: EventFilterContext,
): LookedUp | null => {
  if (key.tag) return null
  const texts = values.map(textOf)
  switch (key.name) {
    case 'issue': {
      const ids = texts.flatMap((text) => issueIds?.get(text.toUpperCase()) ?? [])
      return { sql: 'events.issue_id', type: 'Array(UInt64)', values: ids }
    }
    case 'project':
    case 'project.name': {
      const ids = texts.flatMap((text) => projectIds?.get(text) ?? [])
      return { sql: 'events.project_id', type: 'Array(UInt64)', values: ids }
    }
    case 'release': {
      if (!texts.includes('latest')) return null
      const versions = [...latestReleases, ...texts.filter((text) => text !== 'latest')]
      return { sql: 'events.release', type: 'Array(String)', values: versions }
    }
    default:
      return null
  }
}
