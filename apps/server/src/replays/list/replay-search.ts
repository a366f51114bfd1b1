import type { ProjectReference } from '../../accounts/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import {
  compileFilter,
  Parameters,
  parseSearch,
  textOf,
  type Pattern,
  type RowFilter,
  type SearchedTable,
  type SearchError,
} from '../../search/index.ts'
import { OF_ELEMENTS, refuseForReplays } from './click-keys.ts'
import type { LookedUpNames } from './named-in.ts'
import { FIELDS, isOwn, list, OF_ERRORS, PROJECT, refuseOfErrors } from './replay-keys.ts'
import { Translation } from './translation.ts'

/** A search over replays: a condition over `replays` and `reported`, with columns that it needs besides. */
export interface ReplayFilter extends RowFilter {
  readonly columns: readonly string[]
  /** Of every visitor that it names all ids and addresses are known. */
  readonly knowsVisitors: boolean
  /** It asks for what stood on pages. */
  readonly asksForText: boolean
  /** A condition over `replay_texts`, for the texts that it asks for; null where it asks for none. */
  readonly shown: string | null
  /** What `shown` looks for, as texts are stored. */
  readonly shownWords: readonly Pattern[]
}

interface ReplaySearchContext {
  readonly projects: readonly Pick<ProjectReference, 'id' | 'slug'>[]
  /** Those that `namedIn` names. */
  readonly known: LookedUpNames
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Compiles what is written into the search field of replays. Each condition is judged on the whole replay: two may be met
 * in different segments, and what is excluded must be met in none.
 */
export const compileReplaySearch = (
  written: string,
  { projects, known: lookedUp, now }: ReplaySearchContext,
): Result<ReplayFilter, SearchError> => {
  const parsed = parseSearch(written, isOwn)
  if (!parsed.ok) return parsed
  const names = new Parameters('a')
  const translation = new Translation(names, lookedUp)
  const root = parsed.value.root === null ? null : translation.node(parsed.value.root)
  if (translation.error !== null) return err(translation.error)
  const columns: string[] = []
  /** Every value that a tag had. */
  const tag = (name: string): string => {
    const column = `groupUniqArrayIf(tags[${names.bind(name)}], tags[${names.bind(name)}] != '')`
    const known = columns.findIndex((one) => one.startsWith(`${column} AS `))
    if (known >= 0) return `replays.tag_${known}`
    columns.push(`${column} AS tag_${columns.length}`)
    return `replays.tag_${columns.length - 1}`
  }
  const table: SearchedTable = {
    projectIds: projects.map(({ id }) => id),
    fieldOf: ({ name, number: isNumber, tag: isTag }) => {
      const known = isTag ? undefined : (FIELDS.get(name) ?? translation.conditions.get(name))
      if (known !== undefined) return known
      if (isNumber === true) return { kind: 'number', sql: `toFloat64OrNull(${tag(name)}[1])`, nullable: true }
      return list(tag(name))
    },
    // Each of them became a condition of its own.
    words: "''",
    tags: null,
    refuse: ({ name, tag: isTag }) => {
      if (isTag) return null
      if (OF_ERRORS.has(name)) return refuseOfErrors(name)
      return OF_ELEMENTS.test(name) && !FIELDS.has(name) && !translation.conditions.has(name)
        ? refuseForReplays(name)
        : null
    },
    lookUp: ({ key, values }) => {
      if (key.tag || !PROJECT.has(key.name)) return null
      const wanted = new Set(values.map((value) => textOf(value)))
      const found = projects.filter(({ id, slug }) => wanted.has(slug) || wanted.has(String(id)))
      return { sql: 'replays.project_id', type: 'Array(UInt64)', values: found.map(({ id }) => id) }
    },
  }
  const filter = compileFilter(root, table, now)
  if (!filter.ok) return filter
  const { asksForText, knowsVisitors, shown, shownWords } = translation
  const params = { ...names.values, ...filter.value.params }
  return ok({
    ...filter.value,
    params,
    columns: [...translation.columns, ...columns],
    knowsVisitors,
    asksForText,
    shown: shown.length === 0 ? null : shown.join(' OR '),
    shownWords,
  })
}
