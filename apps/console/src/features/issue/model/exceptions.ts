import type { ExceptionView } from './event-view.ts'

/** One exception in the order people read them: what was caught first, below it what caused it. */
export interface ExceptionRow {
  readonly key: string
  readonly exception: ExceptionView
  readonly depth: number
  /** `cause`, `errors[0]`, … as the program calls the link to the one above; empty for the first. */
  readonly link: string
  readonly isGroup: boolean
  readonly childCount: number
}

/** Deepest nesting that is drawn as such; below it the rows stay at this indent. */
export const MAX_DEPTH = 6

/**
 * SDKs send the oldest cause first. Where mechanisms carry ids the parent decides (several children make an exception
 * group), otherwise the list is one chain. Whatever the ids say, every exception appears exactly once: a parent that is
 * missing or part of a ring makes its child a root.
 */
export function exceptionRows(exceptions: readonly ExceptionView[]): readonly ExceptionRow[] {
  const newestFirst = exceptions.map((exception, index) => ({ exception, index })).reverse()
  const byId = new Map<number, number>()
  for (const { exception, index } of newestFirst) {
    const id = exception.mechanism?.id
    if (id !== undefined && id !== null && !byId.has(id)) byId.set(id, index)
  }
  const hasTree = newestFirst.some(({ exception }) => (exception.mechanism?.parentId ?? null) !== null)
  if (!hasTree) return chain(newestFirst)

  const children = new Map<number, number[]>()
  const roots: number[] = []
  for (const { exception, index } of newestFirst) {
    const parentId = exception.mechanism?.parentId ?? null
    const parent = parentId === null ? undefined : byId.get(parentId)
    if (parent === undefined || parent === index) roots.push(index)
    else children.set(parent, [...(children.get(parent) ?? []), index])
  }
  const rows: ExceptionRow[] = []
  const seen = new Set<number>()
  const visit = (index: number, depth: number, linked: boolean) => {
    const exception = exceptions[index]
    if (exception === undefined || seen.has(index)) return
    seen.add(index)
    const below = byExceptionId(children.get(index) ?? [], exceptions)
    rows.push({
      key: `exception-${index}`,
      exception,
      depth: Math.min(depth, MAX_DEPTH),
      link: linked ? linkName(exception, 'cause') : '',
      isGroup: exception.mechanism?.isGroup ?? below.length > 1,
      childCount: below.length,
    })
    // A plain chain of causes stays at the edge: only a group's members need an indent to belong to it.
    const inGroup = depth > 0 || below.length > 1 || (exception.mechanism?.isGroup ?? false)
    for (const child of below) visit(child, inGroup ? depth + 1 : 0, true)
  }
  for (const root of roots) visit(root, 0, false)
  // What only a ring of parents reaches.
  for (const { index } of newestFirst) visit(index, 0, false)
  return rows
}

function chain(newestFirst: readonly { exception: ExceptionView; index: number }[]): readonly ExceptionRow[] {
  return newestFirst.map(({ exception, index }, place) => ({
    key: `exception-${index}`,
    exception,
    depth: 0,
    link: place === 0 ? '' : linkName(exception, 'cause'),
    isGroup: exception.mechanism?.isGroup ?? false,
    childCount: place === newestFirst.length - 1 ? 0 : 1,
  }))
}

function byExceptionId(indexes: readonly number[], exceptions: readonly ExceptionView[]): readonly number[] {
  const idOf = (index: number) => exceptions[index]?.mechanism?.id ?? Number.MAX_SAFE_INTEGER
  return indexes.toSorted((a, b) => idOf(a) - idOf(b))
}

function linkName(exception: ExceptionView, otherwise: string): string {
  const source = exception.mechanism?.source ?? ''
  return source === '' ? otherwise : source
}

/** `handled`, `unhandled`, or empty when the SDK did not say. */
export function handledLabel(exception: ExceptionView): string {
  const handled = exception.mechanism?.handled
  if (handled === undefined || handled === null) return ''
  return handled ? 'handled' : 'unhandled'
}
