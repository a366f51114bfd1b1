import type { ProjectReference } from '../accounts/index.ts'
import type { Result } from '../lib/result.ts'
import {
  compileFilter,
  findAttribute,
  Parameters,
  parseSearch,
  type RowFilter,
  type SearchNode,
  type SearchedTable,
  type SearchError,
} from '../search/index.ts'
import { logsDataset } from './dataset.ts'
import { levelOf } from './log.ts'

/** The search without what it asks of these keys, which all of it has in common: for the values beside those that are chosen. */
const withoutKeys = (root: SearchNode | null, keys: readonly string[]): SearchNode | null => {
  const isOfThem = (node: SearchNode): boolean => node.kind === 'field' && keys.includes(node.key.name)
  if (root === null || isOfThem(root)) return null
  if (root.kind !== 'and') return root
  const children = root.children.filter((node) => !isOfThem(node))
  return children.length > 1 ? { ...root, children } : (children[0] ?? null)
}

/**
 * Compiles what is written into the search field of logs.
 *
 * @param now milliseconds since the epoch
 * @param without keys whose terms are left out
 */
export const compileLogSearch = (
  text: string,
  projects: readonly Pick<ProjectReference, 'id' | 'slug'>[],
  now: number,
  without: readonly string[] = [],
): Result<RowFilter, SearchError> => {
  const parsed = parseSearch(text, (name) => logsDataset.attributes.has(name))
  if (!parsed.ok) return parsed
  const names = new Parameters('a')
  const table: SearchedTable = {
    fieldOf: ({ name, tag, number }) =>
      findAttribute(logsDataset, tag ? `tags[${name}${number === true ? ',number' : ''}]` : name, names.bind).search,
    words: logsDataset.words,
    tags: null,
    lookUp: ({ key, values }) => {
      const texts = values.map((value) => value.join('*'))
      // `warning`, `critical`: words of other libraries, too. What is none is refused by the field.
      if (key.name === 'level' || key.name === 'severity' || key.name === 'log.severity') {
        const levels = texts.map(levelOf)
        const known = levels.filter((level) => level !== null)
        return known.length < levels.length ? null : { sql: 'logs.level', type: 'Array(String)', values: known }
      }
      if (key.name !== 'project' && key.name !== 'project.name') return null
      const wanted = new Set(texts)
      const ids = projects.filter(({ id, slug }) => wanted.has(slug) || wanted.has(String(id))).map(({ id }) => id)
      return { sql: 'logs.project_id', type: 'Array(UInt64)', values: ids }
    },
  }
  const filter = compileFilter(withoutKeys(parsed.value.root, without), table, now)
  return filter.ok
    ? { ok: true, value: { ...filter.value, params: { ...names.values, ...filter.value.params } } }
    : filter
}
