import { createContext, useContext } from 'react'

import { Link } from '../../../ui/Link.tsx'
import { VisibleText } from '../../../ui/VisibleText.tsx'
import type { Json } from '../model/event-view.ts'
import { REMARKS_OF_VALUE, readRemarks } from '../model/remarks.ts'
import styles from './Remarks.module.css'

/** Whose receipts tell what became of the event. */
export const ReceiptPlace = createContext<{ readonly org: string; readonly project: string } | null>(null)

export interface RemarksProps {
  /** The part of the event's `_meta` about the value. */
  readonly meta: Json | undefined
  readonly value: Json | undefined
}

/** What was cut out of a value or scrubbed in it, where the value stands, with the way to the receipts. */
export function Remarks({ meta, value }: RemarksProps) {
  const receipts = useContext(ReceiptPlace)
  const remarks = readRemarks(meta, value)
  if (remarks.length === 0) return null
  const shown = remarks.slice(0, REMARKS_OF_VALUE)
  return (
    <span className={styles.remarks}>
      {shown.map(({ place, text }) => (
        <span key={place} className={styles.remark}>
          {place === '' ? null : (
            <>
              <VisibleText text={place} />:{' '}
            </>
          )}
          <VisibleText text={text} />
        </span>
      ))}
      {shown.length < remarks.length ? (
        <span className={styles.remark}>and {remarks.length - shown.length} more</span>
      ) : null}
      {receipts === null ? null : (
        <Link
          look="quiet"
          to="/organizations/$org/receipts"
          params={{ org: receipts.org }}
          search={{ project: receipts.project, itemType: 'event' }}
        >
          Receipt
        </Link>
      )}
    </span>
  )
}
