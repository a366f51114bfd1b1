import { type FilterToken, formatFilter, formatValue, tokenize } from '@firsthand/search-syntax'

import type { SearchKey, SearchValue } from './vocabulary.ts'

/**
 * What is being typed at the caret, and what a chosen suggestion makes of the text. A key is completed while the caret
 * stands in a word without a colon; a value while it stands after one.
 */
export type CompletionContext =
  | {
      readonly kind: 'key'
      readonly typed: string
      readonly start: number
      readonly end: number
      readonly negated: boolean
    }
  | {
      readonly kind: 'value'
      readonly key: string
      readonly typed: string
      readonly start: number
      readonly end: number
    }
  | { readonly kind: 'none' }

export interface Suggestion {
  readonly kind: 'key' | 'value'
  readonly label: string
  readonly hint: string
  /** Number of events with this value, when the server said so. */
  readonly count?: number
}

export interface Edited {
  readonly text: string
  readonly caret: number
}

/** Longest list that is offered at once; more would not be read. */
export const MAX_SUGGESTIONS = 12

export function completionAt(query: string, caret: number): CompletionContext {
  const token = tokenize(query).find((candidate) => candidate.start < caret && caret <= candidate.end)
  if (token === undefined) return { kind: 'key', typed: '', start: caret, end: caret, negated: false }
  if (token.kind === 'text') {
    const negated = query.startsWith('!', token.start)
    const start = token.start + (negated ? 1 : 0)
    return { kind: 'key', typed: query.slice(start, caret), start, end: token.end, negated }
  }
  if (token.kind === 'filter')
    return caret > token.keyEnd ? valueContext(token, query, caret) : keyContext(token, caret, query)
  if (token.kind === 'open') return { kind: 'key', typed: '', start: caret, end: caret, negated: false }
  return { kind: 'none' }
}

function keyContext(token: FilterToken, caret: number, query: string): CompletionContext {
  const negated = query.startsWith('!', token.start)
  const start = token.start + (negated ? 1 : 0)
  if (caret < start) return { kind: 'none' }
  return { kind: 'key', typed: query.slice(start, caret), start, end: token.keyEnd + 1, negated }
}

function valueContext(token: FilterToken, query: string, caret: number): CompletionContext {
  if (caret < token.valueStart) return { kind: 'none' }
  const typed = query.slice(token.valueStart, caret).replace(/^"/, '')
  return { kind: 'value', key: token.key.name, typed, start: token.valueStart, end: token.end }
}

/** Ranked: begins with what was typed, then a part of the key begins with it, then it occurs somewhere. */
export function rankKeys(typed: string, known: readonly SearchKey[], tags: readonly string[]): readonly Suggestion[] {
  const names = new Set(known.map((key) => key.key))
  const all = [
    ...known.map((key) => ({ label: key.key, hint: key.hint })),
    ...tags.filter((tag) => !names.has(tag)).map((tag) => ({ label: tag, hint: 'tag' })),
  ]
  return ranked(typed, all, (entry) => entry.label).map((entry) => ({ kind: 'key', ...entry }))
}

export function rankValues(
  typed: string,
  values: readonly (SearchValue & { readonly count?: number })[],
): readonly Suggestion[] {
  return ranked(typed, values, (entry) => entry.value).map((entry) => ({
    kind: 'value',
    label: entry.value,
    hint: entry.hint ?? '',
    ...(entry.count === undefined ? {} : { count: entry.count }),
  }))
}

function ranked<T>(typed: string, entries: readonly T[], nameOf: (entry: T) => string): readonly T[] {
  const wanted = typed.toLowerCase().replaceAll('*', '')
  if (wanted === '') return entries.slice(0, MAX_SUGGESTIONS)
  return entries
    .map((entry, index) => ({ entry, index, rank: rank(nameOf(entry).toLowerCase(), wanted) }))
    .filter((scored) => scored.rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .slice(0, MAX_SUGGESTIONS)
    .map((scored) => scored.entry)
}

const NO_MATCH = 3

function rank(name: string, wanted: string): number {
  if (name.startsWith(wanted)) return 0
  if (name.split(/[^a-z0-9]+/).some((part) => part.startsWith(wanted))) return 1
  return name.includes(wanted) ? 2 : NO_MATCH
}

/** Once a value is whole there is nothing to complete in it: what can follow is a further key. */
export function afterWhole(
  context: CompletionContext,
  suggestions: readonly Suggestion[],
): Extract<CompletionContext, { readonly kind: 'key' }> | null {
  const [only, ...others] = suggestions
  if (context.kind !== 'value' || only === undefined || others.length > 0 || only.label !== context.typed) return null
  return { kind: 'key', typed: '', start: context.end, end: context.end, negated: false }
}

/** The search with a blank at its end, so that what is typed next is a further term and no part of the last one. */
export function continued(query: string): string {
  return query === '' || /\s$/.test(query) ? query : `${query} `
}

/** Puts a suggestion in; a finished value is followed by a blank, so that one can type on. */
export function applySuggestion(query: string, context: CompletionContext, suggestion: Suggestion): Edited {
  if (context.kind === 'none') return { text: query, caret: query.length }
  const inserted =
    suggestion.kind === 'key' ? formatFilter(suggestion.label, '').slice(0, -2) : `${formatValue(suggestion.label)} `
  const begin = query.slice(0, context.start)
  const isApart = begin === '' || /[\s(!:]$/.test(begin)
  const before = suggestion.kind === 'key' && !isApart ? `${begin} ` : begin
  const after = query.slice(context.end)
  const rest = inserted.endsWith(' ') ? after.trimStart() : after
  return { text: before + inserted + rest, caret: before.length + inserted.length }
}
