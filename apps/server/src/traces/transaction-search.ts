import type { ProjectReference } from '../accounts/index.ts'
import { err, ok, type Result } from '../lib/result.ts'
import {
  compileFilter,
  findAttribute,
  Parameters,
  parseSearch,
  projectsNamed,
  refusalOf,
  unknownProjects,
  type Dataset,
  type RowFilter,
  type SearchedTable,
  type SearchError,
  type SearchKey,
  type SearchNode,
} from '../search/index.ts'
import { rootAttributes } from './telemetry/root-attributes.ts'
import { spansDataset } from './telemetry/span-dataset.ts'

/** Spans as `segments` has them: narrow rows of the roots alone, a twentieth of all. */
const SEGMENTS: Dataset = { ...spansDataset, attributes: new Map(rootAttributes('segments')) }

const isOfSegments = ({ name, tag }: SearchKey): boolean => !tag && SEGMENTS.attributes.has(name)

const everyKey = (node: SearchNode, is: (key: SearchKey) => boolean): boolean => {
  if ('children' in node) return node.children.every((child) => everyKey(child, is))
  return node.kind === 'text' || is(node.key)
}

const CALL = /^[a-z][a-z0-9_]*\(.*\)$/s

const refuse = ({ name, tag }: SearchKey): string | null => {
  if (tag) return null
  if (!CALL.test(name)) return refusalOf(spansDataset, name)
  return `"${name}" is about all runs of a transaction together, and transactions are found by single runs. Sort the list by a column, or ask Explore.`
}

const LATEST = 'latest'

/** What would only find nothing, and say nothing: words are parts of a name, so that none of them can be left out or joined. */
const problemOf = (node: SearchNode, text: string): SearchError | null => {
  if ('children' in node) return firstOf(node.children.map((child) => problemOf(child, text)))
  const { position } = node
  if (node.kind === 'field' && node.key.name === 'release' && node.values.some(([value]) => value === LATEST)) {
    return { position, message: 'The latest release is not looked up. Name it, as in release:shop@1.2.0.' }
  }
  if (node.kind !== 'text') return null
  const written = text.slice(position)
  if (/^(?:NOT[ (]|[!-][^\s])/.test(written)) {
    return { position, message: 'A word cannot be negated. Write !transaction:*word* for names without it.' }
  }
  return /^or\s/.test(written) && position > 0
    ? { position, message: 'Write OR in capitals between two words, or "or" for the word itself.' }
    : null
}

const firstOf = (problems: readonly (SearchError | null)[]): SearchError | null =>
  problems.find((problem) => problem !== null) ?? null

/** Roots that only rows of spans can tell: what they have to fulfil is no column of `segments`. */
const amongSpans = (condition: string): string => `(segments.project_id, segments.span_id) IN (
  SELECT spans.project_id, spans.span_id FROM spans
  WHERE spans.organization_id = {organization:UInt32} AND spans.project_id IN {projects:Array(UInt64)}
    AND spans.timestamp >= fromUnixTimestamp64Milli({from:Int64})
    AND spans.timestamp < fromUnixTimestamp64Milli({to:Int64})
    AND spans.is_segment AND (${condition}))`

/**
 * Compiles a search for transactions, as a condition over `segments`. It is about their roots, by the attributes of spans;
 * free words are parts of a name. A statement that has it has the parameters `organization`, `projects`, `from` and `to`.
 *
 * @param now milliseconds since the epoch
 */
export const compileTransactionSearch = (
  text: string,
  projects: readonly Pick<ProjectReference, 'id' | 'slug'>[],
  now: number,
): Result<RowFilter, SearchError> => {
  const parsed = parseSearch(text, (name) => spansDataset.attributes.has(name))
  if (!parsed.ok) return parsed
  const { root } = parsed.value
  const problem = root === null ? null : problemOf(root, text)
  if (problem !== null) return err(problem)
  const isNarrow = root === null || everyKey(root, isOfSegments)
  const [dataset, rows] = isNarrow ? ([SEGMENTS, 'segments'] as const) : ([spansDataset, 'spans'] as const)
  const names = new Parameters('a')
  const unknown = new Set<string>()
  const attributeOf = ({ name, tag, number, boolean }: SearchKey) => {
    const type = number === true ? ',number' : boolean === true ? ',boolean' : ''
    return findAttribute(dataset, tag ? `tags[${name}${type}]` : name, names.bind)
  }
  const table: SearchedTable = {
    fieldOf: (key) => attributeOf(key).search,
    words: `lowerUTF8(${rows}.transaction)`,
    tags: null,
    refuse,
    lookUp: (term) => {
      if (term.operator !== '=' || attributeOf(term.key).lookup !== 'project') return null
      return { sql: `${rows}.project_id`, type: 'Array(UInt64)', values: projectsNamed(term, projects, unknown) }
    },
  }
  const filter = compileFilter(root, table, now)
  if (!filter.ok) return err(filter.error)
  const refusal = unknownProjects(unknown)
  if (refusal !== null) return err({ message: refusal, position: 0 })
  const { sql, params } = filter.value
  return ok({ sql: isNarrow ? sql : amongSpans(sql), params: { ...names.values, ...params } })
}
