import type { ButtonHTMLAttributes, Ref } from 'react'

import { cx } from '../../../lib/cx.ts'
import styles from './Variables.module.css'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly ref?: Ref<HTMLButtonElement>
  /** What it is: "Limit". */
  readonly name: string
  readonly text: string
  /** The comma or full stop that follows: a line may break behind a button, and would begin with it. */
  readonly close: string
}

/** A word of the sentence that can be changed: the trigger of what opens below it. */
export function Variable({ name, text, close, className, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={`${name}: ${text}`}
      data-close={close}
      className={cx(styles.variable, className)}
    >
      <span className={styles.word}>{text}</span>
    </button>
  )
}
