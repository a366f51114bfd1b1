import { err, type Result } from '../../lib/result.ts'
import { compileFilter, parseTimeRange, textOf } from '../../search/index.ts'
import type {
  FieldTerm,
  LookedUp,
  RowFilter,
  SearchedTable,
  SearchError,
  SearchKey,
  SearchNode,
} from '../../search/index.ts'
import { findEventField } from './event-fields.ts'
import { parseShortId } from '../short-id.ts'
import { noShortId } from './issue-filter.ts'
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

export const EVENT_TAGS: NonNullable<SearchedTable['tags']> = { map: 'events.tags', pairs: TAG_PAIRS }

export const EVENT_WORDS = 'events.search_text'

/** Compiles a search over `events`. Messages match as free words do; everything else exactly. */
export const toEventFilter = (root: SearchNode | null, context: EventFilterContext): Result<RowFilter, SearchError> => {
  const events: SearchedTable = {
    fieldOf: ({ name, tag }) => findEventField(name, tag),
    words: EVENT_WORDS,
    tags: EVENT_TAGS,
    lookUp: (term) => lookUpOfEvents(term, context),
    projectIds: [...(context.projectIds?.values() ?? [])],
    refuse: refusalOfEvents,
  }
  const problem = root === null ? null : problemOfEvents(root, context.now)
  return problem === null ? compileFilter(root, events, context.now) : err(problem)
}

/** Of terms whose values say that something else is meant, the first. */
export const problemOfEvents = (node: SearchNode, now: number): SearchError | null => {
  if ('children' in node) {
    for (const child of node.children) {
      const problem = problemOfEvents(child, now)
      if (problem !== null) return problem
    }
    return null
  }
  if (node.kind !== 'field' || node.key.tag) return null
  const [name, position, texts] = [node.key.name, node.position, node.values.map(textOf)]
  if (name === 'issue') {
    const wrong = texts.find((text) => parseShortId(text) === null)
    if (wrong !== undefined) return { message: noShortId(wrong), position }
  }
  const [age = ''] = texts
  if (name === 'age' && /^[+-]/.test(age) && parseTimeRange(node.operator, age, now, true) !== null) {
    return {
      message: `"age" is how long an issue has been known, and this is a search for events. Write timestamp:${age}. If it is a tag, write tags[age].`,
      position,
    }
  }
  return null
}

/** Keys that no single event has an answer to. */
export const refusalOfEvents = ({ name, tag }: SearchKey): string | null => {
  if (tag) return null
  if (name.endsWith(')')) {
    return `"${name}" is a number over many events, and a search looks at one event at a time. Among issues, timesSeen:>100 compares how often each was seen, and lists can be sorted by events and users.`
  }
  if (name === 'release.stage') {
    return '"release.stage" is not known here: how far a release is adopted is not kept. Ask for release:latest or a version. If it is a tag, write tags[release.stage].'
  }
  return isIssueKey(name)
    ? `"${name}" is asked of issues, and this is a search for events. If it is a tag, write tags[${name}].`
    : null
}

/** Keys whose values name something that the ledger knows. Null for all others. */
export const lookUpOfEvents = (
  { key, values }: FieldTerm,
  { issueIds, latestReleases = [], projectIds }: Omit<EventFilterContext, 'now'>,
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
