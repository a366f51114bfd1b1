import type { FeedbackDetail } from '@firsthand/contract'
import { useState } from 'react'

import { formatDuration, formatExact } from '../../../lib/format.ts'
import { Button, VisibleText } from '../../../ui/index.ts'
import { trailOf } from '../model/report.ts'
import styles from './Trail.module.css'

/** What is shown until the rest is asked for: the last steps matter most. */
const STEPS = 5

/** What the reporter did before they wrote, in the order in which it happened. */
export function Trail({ report }: { readonly report: FeedbackDetail }) {
  const [all, setAll] = useState(false)
  const steps = trailOf(report)
  if (steps.length === 0) return null
  return (
    <section className={styles.box} aria-label="What happened before">
      <div className={styles.head}>
        <h3 className={styles.title}>Before the report</h3>
        {steps.length <= STEPS ? null : (
          <Button size="small" variant="ghost" onClick={() => setAll(!all)}>
            {all ? `Last ${STEPS}` : `All ${steps.length}`}
          </Button>
        )}
      </div>
      <ol className={styles.steps}>
        {(all ? steps : steps.slice(-STEPS)).map((step, index) => (
          <li key={index} className={styles.step} data-error={step.isError || undefined}>
            <span className={styles.when} title={step.at === null ? undefined : formatExact(step.at)}>
              {step.beforeMs === null ? '' : `−${formatDuration(step.beforeMs)}`}
            </span>
            <span className={styles.kind}>
              <VisibleText text={step.kind} />
            </span>
            <span className={styles.words}>
              <VisibleText text={step.words} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
