import { cx } from '../lib/cx.ts'
import { initials } from '../lib/format.ts'
import styles from './Avatar.module.css'

/** Somebody's initials in a circle; without a name an empty, dashed one: nobody yet. */
export function Avatar({ name, size = 20 }: { readonly name: string | null; readonly size?: 20 | 24 | 32 }) {
  if (name === null) return <span className={cx(styles.avatar, styles[`s${size}`], styles.nobody)} />
  return (
    <span className={cx(styles.avatar, styles[`s${size}`])} aria-hidden="true">
      {initials(name)}
    </span>
  )
}
