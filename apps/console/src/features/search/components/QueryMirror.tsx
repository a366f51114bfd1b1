import type { ReactNode } from 'react'

import { cx } from '../../../lib/cx.ts'
import { type SearchProblem, type SearchToken, tokenize } from '../model/tokenize.ts'
import styles from './SearchBar.module.css'

/** The words of a search in the places where the input above has them, filters as chips, the faulty part underlined. */
export function QueryMirror({ query, problem }: { readonly query: string; readonly problem: SearchProblem | null }) {
  const parts: ReactNode[] = []
  let at = 0
  for (const token of tokenize(query).tokens) {
    if (token.start > at) parts.push(query.slice(at, token.start))
    const wrong = problem !== null && token.start < problem.end && problem.at < token.end
    parts.push(
      <span key={token.start} className={cx(token.kind === 'filter' && styles.chip, wrong && styles.fault)}>
        {words(token, query)}
      </span>,
    )
    at = token.end
  }
  parts.push(query.slice(at))
  return parts
}

function words(token: SearchToken, query: string): ReactNode {
  if (token.kind === 'text') return query.slice(token.start, token.end)
  if (token.kind !== 'filter') return <span className={styles.operator}>{query.slice(token.start, token.end)}</span>
  return (
    <>
      {token.negated ? <span className={styles.not}>!</span> : null}
      <span className={styles.chipKey}>{query.slice(token.start + (token.negated ? 1 : 0), token.keyEnd + 1)}</span>
      {token.comparison === '' ? null : <span className={styles.operator}>{token.comparison}</span>}
      {query.slice(token.valueStart, token.end)}
    </>
  )
}
