import { Outline, Skeleton } from '../../../ui/index.ts'
import styles from './SettingsOutline.module.css'

const FIELDS = 4
const ROWS = 5
const TABS = [56, 72, 96, 96] as const

interface OutlineProps {
  /** "Loading the members". */
  readonly label: string
}

/** The shape of a form of the settings while it loads. */
export function FormOutline({ label }: OutlineProps) {
  return (
    <Outline label={label}>
      <Form />
    </Outline>
  )
}

/** The same below its tabs. */
export function TabsOutline({ label }: OutlineProps) {
  return (
    <Outline label={label} className={styles.form}>
      <div className={styles.tabs}>
        {TABS.map((width, index) => (
          <Skeleton key={index} width={width} />
        ))}
      </div>
      <Form />
    </Outline>
  )
}

function Form() {
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <Skeleton width={90} />
      </div>
      {Array.from({ length: FIELDS }, (_, index) => (
        <div key={index} className={styles.field}>
          <div className={styles.lines}>
            <Skeleton width={80} />
            <Skeleton width={`${50 + ((index * 17) % 35)}%`} height={10} />
          </div>
          <Skeleton height={30} />
        </div>
      ))}
    </div>
  )
}

/** The shape of a list of the settings: what each entry is called, and what can be done with it. */
export function ListOutline({ label }: OutlineProps) {
  return (
    <Outline label={label} className={styles.panel}>
      {Array.from({ length: ROWS }, (_, index) => (
        <div key={index} className={styles.row}>
          <div className={styles.lines}>
            <Skeleton width={`${22 + ((index * 17) % 20)}%`} />
            <Skeleton width={`${38 + ((index * 23) % 25)}%`} height={10} />
          </div>
          <Skeleton width={84} height={28} />
        </div>
      ))}
    </Outline>
  )
}
