import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/index.ts'
import styles from './HeldReports.module.css'

/** Above the list: what was taken for spam and seen by nobody yet. Nothing is kept from the team without being said. */
export function HeldReports({ count, onLook }: { readonly count: number; readonly onLook: () => void }) {
  if (count === 0) return null
  return (
    <p className={styles.line}>
      <span>{count === 1 ? '1 report was held as spam' : `${formatCount(count)} reports were held as spam`}</span>
      <Button size="small" variant="ghost" onClick={onLook}>
        {count === 1 ? 'Look at it' : 'Look at them'}
      </Button>
    </p>
  )
}
