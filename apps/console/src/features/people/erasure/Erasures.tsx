import type { Erasure } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'

import { describeError } from '../../../lib/api.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { ErrorState, RelativeTime } from '../../../ui/index.ts'
import { countWords, failureWords } from '../model/erasure-words.ts'
import { erasuresQuery } from './queries.ts'
import styles from './Erasures.module.css'

/** Deletions of people, the last first: who asked, when, how much went. Whom they were about is not kept. */
export function Erasures({ org }: { readonly org: string }) {
  const { data = [], error, refetch } = useQuery(erasuresQuery(org))
  if (error !== null) {
    return (
      <ErrorState
        compact
        title="The deletions of people could not be loaded"
        {...describeError(error)}
        onRetry={() => void refetch()}
      />
    )
  }
  if (data.length === 0) return null
  return (
    <section className={styles.erasures} aria-label="Deletions of people">
      <h2>Deletions of people</h2>
      <ul>
        {data.map((erasure) => (
          <li key={erasure.id}>
            <span>
              {stateWords(erasure)}
              {erasure.user === null ? '' : `, asked by ${plainVisible(erasure.user.name || erasure.user.email)}`}
            </span>
            <RelativeTime time={erasure.dateEnded ?? erasure.dateAsked} />
            {erasure.failure === null ? null : <Failure {...erasure.failure} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Why it does not go on, and when it is tried again. */
function Failure(failure: NonNullable<Erasure['failure']>) {
  return (
    <span className={styles.failure} role="status">
      {failureWords(failure)} <RelativeTime time={failure.dateRetry} form="until" />.
    </span>
  )
}

function stateWords({ state, names, counts, failure }: Erasure): string {
  const whom = names.map(plainVisible).join(', ')
  switch (state) {
    case 'planned':
      return `Waits: ${whom}`
    case 'running':
      return `${failure === null ? 'Under way' : 'Does not go on'}: ${whom}, so far ${countWords(counts)}`
    case 'withdrawn':
      return 'Taken back'
    case 'done':
      return `Done: ${countWords(counts)}`
  }
}
