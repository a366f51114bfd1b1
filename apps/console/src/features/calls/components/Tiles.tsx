import { cx } from '../../../lib/cx.ts'
import { isBad, type Row } from '../model/answers.ts'
import type { RateUnit } from '../../performance/model/index.ts'
import { type CallKind, formatTile } from '../model/kinds.ts'
import styles from './Tiles.module.css'

/** The columns of a kind as figures; undefined until they are known, and then in the same room. */
export function Tiles({
  kind,
  values,
  unit,
}: {
  readonly kind: CallKind
  readonly values: Row | undefined
  /** In which the rates of a list below are. */
  readonly unit?: RateUnit
}) {
  return (
    <dl className={styles.tiles} aria-label="In this time">
      {kind.columns.map((column) => (
        <div key={column.key} className={styles.tile} title={column.title}>
          <dd className={cx(styles.value, values !== undefined && isBad(column, values) && styles.bad)}>
            {values === undefined ? '\u00a0' : formatTile(column, values[column.field], unit)}
          </dd>
          <dt className={styles.label}>{column.label}</dt>
        </div>
      ))}
    </dl>
  )
}
