import { VisibleText } from '../../../../ui/index.ts'
import { pagerEvent } from '../../model/as-sent.ts'
import styles from './Look.module.css'

/** An incident of PagerDuty as it is opened, or how it is closed. */
export function PagerLook({ body }: { readonly body: string }) {
  const { details, isOver, links, severity, source, summary } = pagerEvent(body)
  return (
    <article className={styles.pager} aria-label="In PagerDuty" data-over={isOver}>
      <p className={styles.state}>
        <b>{isOver ? 'Resolved' : 'Triggered'}</b> <span>{severity}</span> <span>{source}</span>
      </p>
      <p className={styles.header}>
        <VisibleText text={summary} />
      </p>
      <dl className={styles.details}>
        {details.map(({ name, value }) => (
          <div key={name}>
            <dt>
              <VisibleText text={name} />
            </dt>
            <dd>
              <VisibleText text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {links.length === 0 ? null : (
        <ul className={styles.buttons} aria-label="Links of the incident">
          {links.map((label) => (
            <li key={label}>{label}</li>
          ))}
        </ul>
      )}
    </article>
  )
}
