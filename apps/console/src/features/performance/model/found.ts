import { formatText, type SearchToken, tokenize } from '@firsthand/search-syntax'

/** The search of the list of transactions, as a question to spans: words in it are parts of a name. */
export function foundCondition(query: string): string {
  const text = tokenize(query)
    .filter((token) => token.kind === 'text')
    .reduceRight((rest, token) => rest.slice(0, token.start) + partOfName(token) + rest.slice(token.end), query)
    .trim()
  // OR binds weaker than what stands beside it.
  return tokenize(text).some(({ kind }) => kind === 'or') ? `(${text})` : text
}

/** What of it is about single runs; undefined when all of it is about names, so that it finds all runs of a name or none. */
export function runCondition(query: string): string | undefined {
  return tokenize(query).some(({ kind }) => kind === 'filter') ? query : undefined
}

/** The id of a trace that was pasted as a search; null when it is none. */
export function traceIdIn(query: string): string | null {
  const id = query.trim().replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(id) ? id : null
}

const partOfName = ({ value }: Extract<SearchToken, { readonly kind: 'text' }>): string =>
  `transaction:"*${value.map((part) => formatText(part).slice(1, -1)).join('*')}*"`
