import { useId, useState } from 'react'
import { firstSentence } from '../lib/sentences.ts'
import { Coded } from '../ui/Coded.tsx'
import { Banner } from './banner.tsx'
import styles from './status-banner.module.css'

/** A longer sentence is cut, and stands whole among the details. */
const LINE_CHARACTERS = 110

/** One line, so that the page stays the page: the first sentence of the first problem. All of them on demand. */
export function Problems({
  lead,
  severe,
  problems,
}: {
  readonly lead: string
  readonly severe: boolean
  readonly problems: readonly { readonly id: string; readonly message: string }[]
}) {
  const [open, setOpen] = useState(false)
  const list = useId()
  const [first] = problems
  if (first === undefined) {
    return (
      <Banner severe={severe}>
        <strong>{lead}</strong>
      </Banner>
    )
  }
  const sentence = firstSentence(first.message)
  const hasMore = problems.length > 1 || sentence !== first.message || sentence.length > LINE_CHARACTERS
  return (
    <Banner
      severe={severe}
      control={
        hasMore ? (
          <button
            type="button"
            className={styles.control}
            aria-expanded={open}
            aria-controls={list}
            onClick={() => setOpen(!open)}
          >
            {open ? 'Less' : problems.length > 1 ? `${problems.length - 1} more` : 'Details'}
          </button>
        ) : null
      }
      details={
        hasMore ? (
          <ul id={list} className={styles.list} hidden={!open}>
            {problems.map((problem) => (
              <li key={problem.id}>
                <Coded text={problem.message} />
              </li>
            ))}
          </ul>
        ) : null
      }
    >
      <strong>{lead}</strong> {open ? null : <Coded text={sentence} />}
    </Banner>
  )
}
