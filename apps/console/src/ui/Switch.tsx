import { Switch as Base } from '@base-ui/react/switch'
import type { ReactNode } from 'react'
import styles from './Switch.module.css'

export interface SwitchProps {
  readonly checked: boolean
  readonly onCheckedChange: (checked: boolean) => void
  readonly disabled?: boolean
  readonly label: ReactNode
  readonly help?: ReactNode
}

/** A setting that acts at once: text at the left, the switch at the right. */
export function Switch({ label, help, onCheckedChange, ...rest }: SwitchProps) {
  return (
    <label className={styles.row}>
      <span className={styles.text}>
        <span className={styles.label}>{label}</span>
        {help === undefined ? null : <span className={styles.help}>{help}</span>}
      </span>
      <Base.Root {...rest} onCheckedChange={(checked) => onCheckedChange(checked)} className={styles.track}>
        <Base.Thumb className={styles.thumb} />
      </Base.Root>
    </label>
  )
}
