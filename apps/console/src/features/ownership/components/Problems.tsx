import type { LineProblem } from '@firsthand/contract'
import { VisibleText } from '../../../ui/index.ts'
import styles from './ProjectOwnership.module.css'

/** Lines that are not used, each with its reason. Nothing when all are. */
export function Problems({ problems }: { readonly problems: readonly LineProblem[] }) {
  if (problems.length === 0) return null
  return (
    <section className={styles.problems} aria-label="Lines that are not used">
      <h3 className={styles.heading}>
        {problems.length === 1 ? 'One line is not used' : `${problems.length} lines are not used`}
      </h3>
      <ul>
        {problems.map(({ line, reason, text }) => (
          <li key={`${line} ${reason}`} className={styles.problem}>
            <span className={styles.number}>Line {line}</span>
            <code className={styles.line}>
              <VisibleText text={text} />
            </code>
            <span className={styles.reason}>{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
