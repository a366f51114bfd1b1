import type { ReactNode } from 'react'

import { cx } from '../../../lib/cx.ts'
import { VisibleText } from '../../../ui/VisibleText.tsx'
import type { Json } from '../model/event-view.ts'
import { metaBelow } from '../model/remarks.ts'
import { JsonValue } from './JsonValue.tsx'
import { Remarks } from './Remarks.tsx'
import styles from './KeyValues.module.css'

export interface KeyValuesProps {
  readonly values: readonly (readonly [string, Json])[]
  /** Names and values are code: headers, variables. */
  readonly mono?: boolean
  /** Inside something that has borders already. */
  readonly inset?: boolean
  /** What was cut or scrubbed, by the names of the values: a part of the event's `_meta`. */
  readonly meta?: Json | undefined
  readonly after?: ((name: string, value: Json) => ReactNode) | undefined
}

/** Names and values in two columns; on a phone the value stands below its name. */
export function KeyValues({ values, mono = true, inset = false, meta, after }: KeyValuesProps) {
  return (
    <dl className={cx(styles.list, mono && styles.mono, inset && styles.inset)}>
      {values.map(([name, value], index) => (
        <div key={`${index}${name}`} className={styles.row}>
          <dt className={styles.name}>
            <VisibleText text={name} />
          </dt>
          <dd className={styles.value}>
            <JsonValue value={value} />
            <Remarks meta={metaBelow(meta, name)} value={value} />
            {after?.(name, value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
