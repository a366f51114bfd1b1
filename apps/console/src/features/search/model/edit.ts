import { type FilterToken, tokenize } from './tokenize.ts'

/** Changes to a search that come from clicks rather than from typing: tabs, tags, charts. All keep the rest as typed. */

export function filtersOf(query: string): readonly FilterToken[] {
  return tokenize(query).tokens.filter((token) => token.kind === 'filter')
}

/** Adds `key:value` unless the search already says exactly that; a filter for the opposite is taken out. */
export function addFilter(query: string, key: string, value: string, negated = false): string {
  const same = filtersOf(query).filter((token) => token.key === key && token.value === value && token.comparison === '')
  if (same.some((token) => token.negated === negated)) return query
  const rest = same.reduceRight((text, token) => cut(text, token.start, token.end), query)
  return join(rest, formatFilter(key, value, negated))
}

export function removeFilters(query: string, matches: (token: FilterToken) => boolean): string {
  return filtersOf(query)
    .filter(matches)
    .reduceRight((text, token) => cut(text, token.start, token.end), query)
}

/** Takes out every `key:` filter and puts `key:value` first. */
export function replaceFilters(query: string, key: string, values: readonly string[]): string {
  const rest = removeFilters(query, (token) => token.key === key)
  return join(values.map((value) => formatFilter(key, value)).join(' '), rest)
}

export function formatFilter(key: string, value: string, negated = false): string {
  const name = /^[A-Za-z_][\w.-]*(\[[^\]\s]*\])?$/.test(key) ? key : `"${key.replaceAll('"', '')}"`
  return `${negated ? '!' : ''}${name}:${formatValue(value)}`
}

/** Quotes what would not survive as one word, and an asterisk that is meant as a character. */
export function formatValue(value: string): string {
  if (value === '') return '""'
  return /[\s"()[\],*]/.test(value) || /^[<>=!]/.test(value) ? `"${value.replaceAll('"', '\\"')}"` : value
}

function cut(text: string, start: number, end: number): string {
  return join(text.slice(0, start), text.slice(end))
}

function join(left: string, right: string): string {
  return [left.trim(), right.trim()].filter((part) => part !== '').join(' ')
}
