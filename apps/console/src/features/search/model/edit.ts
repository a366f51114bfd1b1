import {
  type FilterToken,
  type Pattern,
  formatFilter,
  formatValue,
  isWildcard,
  textOf,
  tokenize,
} from '@firsthand/search-syntax'

/** Changes to a search that come from clicks rather than from typing: tabs, tags, charts. All keep the rest as typed. */

export function filtersOf(query: string): readonly FilterToken[] {
  return tokenize(query).filter((token) => token.kind === 'filter')
}

/** Whether it is a filter for this field or tag, however its value is compared. */
export function isFilterFor(token: FilterToken, key: string): boolean {
  return token.key.name === key && !token.key.tag
}

/** What the filter asks for: its value, or the values of its list. */
export function valuesOf(token: FilterToken): readonly string[] {
  return token.values.map(textOf)
}

/** Adds `key:value` unless the search already says exactly that; a filter for the opposite is taken out. */
export function addFilter(query: string, key: string, value: string, negated = false): string {
  const same = filtersOf(query).filter(
    (token) => isFilterFor(token, key) && token.operator === '=' && isExactly(token.values, value),
  )
  if (same.some((token) => token.negated === negated)) return query
  const rest = same.reduceRight((text, token) => cut(text, token.start, token.end), query)
  return join(rest, formatFilter(key, value, negated))
}

/** One value without wildcards: `a\*` is the text `a*`, `a*` is not. */
function isExactly(values: readonly Pattern[], text: string): boolean {
  const [pattern, ...others] = values
  return others.length === 0 && pattern?.length === 1 && pattern[0] === text
}

export function removeFilters(query: string, matches: (token: FilterToken) => boolean): string {
  return filtersOf(query)
    .filter(matches)
    .reduceRight((text, token) => cut(text, token.start, token.end), query)
}

/** Takes out every `key:` filter and puts `key:value` first. */
export function replaceFilters(query: string, key: string, values: readonly string[]): string {
  const rest = removeFilters(query, (token) => isFilterFor(token, key))
  return join(values.map((value) => formatFilter(key, value)).join(' '), rest)
}

/** Values that the search asks for: those of `key:value` and of `key:[one,other]`. */
export function chosenValues(query: string, key: string): readonly string[] {
  return filtersOf(query)
    .filter((token) => asksFor(token, key))
    .flatMap(valuesOf)
}

/** Asks for any of these values and no others; for all where there are none. What excludes, compares or has stars stays. */
export function withValues(query: string, key: string, values: readonly string[]): string {
  const rest = removeFilters(query, (token) => asksFor(token, key))
  const [first] = values
  if (first === undefined) return rest
  if (values.length === 1) return join(rest, formatFilter(key, first))
  const name = formatFilter(key, 'x').slice(0, -2)
  return join(rest, `${name}:[${values.map(formatValue).join(',')}]`)
}

const asksFor = (token: FilterToken, key: string): boolean =>
  isFilterFor(token, key) && !token.negated && token.operator === '=' && !token.values.some(isWildcard)

function cut(text: string, start: number, end: number): string {
  return join(text.slice(0, start), text.slice(end))
}

function join(left: string, right: string): string {
  return [left.trim(), right.trim()].filter((part) => part !== '').join(' ')
}
