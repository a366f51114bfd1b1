import type { ProjectReference } from '../accounts/index.ts'
import { err, type Result } from '../lib/result.ts'
import { compileFilter, parseSearch, type RowFilter, type SearchedTable, type SearchField } from '../search/index.ts'

/** A release is `package@version+build`, of which the version alone must be there. */
const FIELDS = new Map<string, SearchField>([
  ['release', { kind: 'text', sql: 's.release' }],
  ['release.package', { kind: 'part', sql: "extract(s.release, '^([^@]+)@.')" }],
  ['release.version', { kind: 'version', sql: "extract(s.release, '^(?:[^@]+@)?([^+]*)')" }],
  ['release.build', { kind: 'part', sql: "extract(s.release, '[+](.*)$')" }],
  ['environment', { kind: 'text', sql: 's.environment' }],
])

const PROJECT_KEYS: ReadonlySet<string> = new Set(['project', 'project.name', 'project.id', 'project_id'])

const isKnown = (name: string): boolean => FIELDS.has(name) || PROJECT_KEYS.has(name)

const ANY: SearchField = { kind: 'text', sql: 's.release' }

/** @param now milliseconds since the epoch */
export const compileSessionSearch = (
  text: string,
  projects: readonly Pick<ProjectReference, 'id' | 'slug'>[],
  now: number,
): Result<RowFilter, string> => {
  const parsed = parseSearch(text, isKnown)
  if (!parsed.ok) return err(parsed.error.message)
  const table: SearchedTable = {
    fieldOf: ({ name }) => FIELDS.get(name) ?? ANY,
    words: 'lowerUTF8(s.release)',
    tags: null,
    refuse: ({ name }) =>
      isKnown(name) ? null : `Sessions do not have "${name}". Search for ${[...FIELDS.keys(), 'project'].join(', ')}.`,
    lookUp: ({ key, values }) => {
      if (!PROJECT_KEYS.has(key.name)) return null
      const wanted = new Set(values.map((value) => value.join('*')))
      const ids = projects.filter(({ id, slug }) => wanted.has(slug) || wanted.has(String(id))).map(({ id }) => id)
      return { sql: 's.project_id', type: 'Array(UInt64)', values: ids }
    },
  }
  const filter = compileFilter(parsed.value.root, table, now)
  return filter.ok ? filter : err(filter.error.message)
}
