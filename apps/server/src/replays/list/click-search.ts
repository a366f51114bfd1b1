import { err, ok, type Result } from '../../lib/result.ts'
import {
  compileFilter,
  Parameters,
  parseSearch,
  textOf,
  type RowFilter,
  type SearchedTable,
  type SearchError,
  type SearchField,
  type SearchNode,
} from '../../search/index.ts'
import { CLICKED, KINDS_OF_SELECTORS, OF_ELEMENTS, refuseForClicks, refuseSelector } from './click-keys.ts'
import { isOwn, PROJECT } from './replay-keys.ts'
import { compileSelector } from './selector.ts'

const isOfClicks = (name: string): boolean => CLICKED.has(name) || KINDS_OF_SELECTORS.has(name)

/** A node that says something of one click, and not that there is none. */
const ofClicks = (node: SearchNode): SearchNode | null => {
  if (node.kind === 'and' || node.kind === 'or') {
    const children = node.children.flatMap((child) => ofClicks(child) ?? [])
    return children.length === 0 ? null : { ...node, children }
  }
  if ((node.kind !== 'field' && node.kind !== 'has') || node.negated || node.key.tag) return null
  return isOfClicks(node.key.name) ? node : null
}

type KeyTerm = Extract<SearchNode, { readonly kind: 'field' | 'has' }>

/**
 * The first key that is neither of clicks nor of replays. A name may be a tag of the replay, as far as something is asked of
 * clicks besides: screens hand on whole searches for replays. What begins as keys of clicks do is never one.
 */
const unknownIn = (root: SearchNode): KeyTerm | null => {
  const terms = (node: SearchNode): readonly KeyTerm[] => {
    if (node.kind === 'and' || node.kind === 'or') return node.children.flatMap(terms)
    if (node.kind !== 'field' && node.kind !== 'has') return []
    return node.key.tag ? [] : [node]
  }
  const all = terms(root)
  const asksOfClicks = all.some(({ key }) => isOfClicks(key.name))
  const isUnknown = (name: string): boolean => !asksOfClicks || OF_ELEMENTS.test(name)
  return all.find(({ key }) => !isOwn(key.name) && !PROJECT.has(key.name) && isUnknown(key.name)) ?? null
}

/**
 * What a search for replays asks of one click, as a condition over `replay_marks`: what it asks besides is left out. Null
 * where it asks for none.
 */
export const compileClickSearch = (written: string, now: number): Result<RowFilter | null, SearchError> => {
  const parsed = parseSearch(written, isOwn)
  if (!parsed.ok) return parsed
  if (parsed.value.root === null) return ok(null)
  const unknown = unknownIn(parsed.value.root)
  if (unknown !== null) return err({ message: refuseForClicks(unknown.key.name), position: unknown.position })
  const root = ofClicks(parsed.value.root)
  if (root === null) return ok(null)
  const names = new Parameters('a')
  const conditions = new Map<string, SearchField>()
  let error: SearchError | null = null
  const translated = (node: SearchNode): SearchNode => {
    if (node.kind === 'and' || node.kind === 'or') return { ...node, children: node.children.map(translated) }
    const kinds = node.kind === 'field' ? KINDS_OF_SELECTORS.get(node.key.name) : undefined
    if (node.kind !== 'field' || kinds === undefined) return node
    const selectors = node.values.map((value) => compileSelector(textOf(value).trim(), names.bind))
    if (selectors.includes(null)) {
      error ??= { message: refuseSelector(node.key.name), position: node.position }
    }
    const name = `${node.key.name} ${conditions.size}`
    const sql = `(kind IN ${kinds} AND (${['0', ...selectors.map((one) => `(${one ?? '0'})`)].join(' OR ')}))`
    conditions.set(name, { kind: 'boolean', sql })
    return { ...node, key: { ...node.key, name }, values: [['true']] }
  }
  const table: SearchedTable = {
    fieldOf: ({ name }) => {
      const known = conditions.get(name)
      if (known !== undefined) return known
      // Of one row: joined, one without classes would be no row at all.
      if (name === 'click.class') return { kind: 'list', sql: 'replay_marks.classes' }
      return { kind: 'part', sql: CLICKED.get(name) ?? "''" }
    },
    words: "''",
    tags: null,
  }
  const filter = compileFilter(translated(root), table, now)
  if (error !== null) return err(error)
  return filter.ok ? ok({ sql: filter.value.sql, params: { ...names.values, ...filter.value.params } }) : filter
}
