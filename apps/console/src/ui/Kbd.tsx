import { keyCaps } from './shortcuts.ts'
import styles from './Kbd.module.css'

/** A shortcut as key caps: `mod+k` → ⌘K or Ctrl K, `g i` → two caps. Decorative: the control names itself. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span className={styles.keys} aria-hidden="true">
      {keyCaps(keys).map((cap, index) => (
        <kbd key={`${index}${cap}`} className={styles.key}>
          {cap}
        </kbd>
      ))}
    </span>
  )
}
