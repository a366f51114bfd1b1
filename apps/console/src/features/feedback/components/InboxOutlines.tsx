import { ChevronLeftIcon, CloseIcon, IconButton, Outline, Skeleton } from '../../../ui/index.ts'
import pane from './ReportPane.module.css'
import styles from './InboxOutlines.module.css'

const ROWS = 10
const FACTS = 7

/** The shape of the list while it loads: rows where rows will be. */
export function ListOutline() {
  return (
    <Outline label="Loading reports">
      {Array.from({ length: ROWS }, (_, index) => (
        <div key={index} className={styles.row}>
          <Skeleton width={16} height={16} />
          <div className={styles.lines}>
            <Skeleton width={`${30 + ((index * 23) % 31)}%`} />
            <Skeleton width={`${55 + ((index * 37) % 40)}%`} height={10} />
          </div>
        </div>
      ))}
    </Outline>
  )
}

/** The shape of a report while it loads: title, what was said, and what is known of it beside that. The way back is there. */
export function ReportOutline({ onClose }: { readonly onClose: () => void }) {
  return (
    <section aria-label="Report" className={pane.pane}>
      <div className={pane.main}>
        <header className={pane.head}>
          <IconButton className={pane.back} icon={ChevronLeftIcon} label="All reports" onClick={onClose} />
          <div className={styles.title}>
            <Skeleton width={220} height={16} />
          </div>
          <IconButton className={pane.close} icon={CloseIcon} label="Close the report" kbd="Esc" onClick={onClose} />
        </header>
        <Outline label="Loading the report" className={pane.scroll}>
          <div className={pane.card}>
            <div className={styles.said}>
              <Skeleton width={180} />
              <Skeleton width="88%" />
              <Skeleton width="62%" />
            </div>
          </div>
        </Outline>
      </div>
      <div aria-hidden="true" className={styles.facts}>
        {Array.from({ length: FACTS }, (_, index) => (
          <div key={index} className={styles.fact}>
            <Skeleton width={64} height={10} />
            <Skeleton width={`${30 + ((index * 29) % 25)}%`} height={10} />
          </div>
        ))}
      </div>
    </section>
  )
}
