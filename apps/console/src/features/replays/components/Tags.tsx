import { VisibleText } from '../../../ui/index.ts'
import styles from './Tags.module.css'

/** What the SDK said of the recording, every value once. */
export function Tags({ tags }: { readonly tags: Readonly<Record<string, readonly string[]>> }) {
  return (
    <dl className={styles.tags}>
      {Object.entries(tags).map(([name, values]) => (
        <div key={name} className={styles.tag}>
          <dt>
            <VisibleText text={name} />
          </dt>
          {values.map((value) => (
            <dd key={value}>
              <VisibleText text={value} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
