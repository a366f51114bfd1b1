import { useState } from 'react'

import { VisibleText } from '../../../ui/VisibleText.tsx'
import { isLong } from '../model/long-text.ts'
import styles from './ClampedText.module.css'

/** Text of an event, which may be very long: its beginning, and all of it on demand. */
export function ClampedText({ text }: { readonly text: string }) {
  const [all, setAll] = useState(false)
  if (!isLong(text)) return <VisibleText text={text} />
  return (
    <>
      <span className={all ? styles.whole : styles.cut}>
        <VisibleText text={text} />
      </span>
      <button type="button" className={styles.more} aria-expanded={all} onClick={() => setAll(!all)}>
        {all ? 'Show less' : 'Show all'}
      </button>
    </>
  )
}
