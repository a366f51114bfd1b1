import type { SearchProblem, SearchToken } from '@firsthand/search-syntax'
import type { ReactNode } from 'react'

import { cx } from '../../../lib/cx.ts'
import styles from './SearchBar.module.css'

interface QueryMirrorProps {
  readonly query: string
  readonly tokens: readonly SearchToken[]
  readonly problem: SearchProblem | null
}

/** The words of a search in the places where the input above has them, filters as chips, the faulty part underlined. */
export function QueryMirror({ query, tokens, problem }: QueryMirrorProps) {
  const parts: ReactNode[] = []
  let at = 0
  for (const token of tokens) {
    if (token.start > at) parts.push(query.slice(at, token.start))
    const wrong = problem !== null && token.start < problem.end && problem.position < token.end
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
  const excludes = query.startsWith('!', token.start)
  const sign = query.slice(token.keyEnd + 1, token.valueStart)
  return (
    <>
      {excludes ? <span className={styles.not}>!</span> : null}
      <span className={styles.chipKey}>{query.slice(token.start + (excludes ? 1 : 0), token.keyEnd + 1)}</span>
      {sign === '' ? null : <span className={styles.operator}>{sign}</span>}
      {query.slice(token.valueStart, token.end)}
    </>
  )
}
