import { explainedText, FACTS, PAGE_SCORE_TEXT, scoreText } from '../model/vitals.ts'
import { VITALS } from '../model/vitals-url.ts'
import styles from './VitalNotes.module.css'

/** What the values and their scores mean, for those who have no pointer to rest on them. */
export function VitalNotes() {
  return (
    <details className={styles.notes}>
      <summary className={styles.summary}>What the values and scores mean</summary>
      <dl className={styles.list}>
        {VITALS.map((vital) => (
          <div key={vital} className={styles.entry}>
            <dt>
              <strong>{FACTS[vital].label}</strong> {FACTS[vital].means}
            </dt>
            <dd>{explainedText(vital)}</dd>
            <dd>Score: {scoreText(vital)}</dd>
          </div>
        ))}
        <div className={styles.entry}>
          <dt>
            <strong>Score</strong> of a page
          </dt>
          <dd>{PAGE_SCORE_TEXT}</dd>
        </div>
      </dl>
    </details>
  )
}
