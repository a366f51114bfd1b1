import { Dialog } from './Dialog.tsx'
import { Kbd } from './Kbd.tsx'
import { allowSingleKeys, useShortcuts, useSingleKeysAllowed } from './shortcuts.ts'
import { Switch } from './Switch.tsx'
import styles from './ShortcutDialog.module.css'

/** The dialog of `ShortcutHelp`. */
export function ShortcutDialog({
  open,
  onOpenChange,
}: {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}) {
  const shortcuts = useShortcuts()
  const allowed = useSingleKeysAllowed()
  const groups = Map.groupBy(
    new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut])).values(),
    (shortcut) => shortcut.group,
  )
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <div className={styles.groups}>
        {[...groups].map(([group, entries]) => (
          <section key={group}>
            <h3 className={styles.group}>{group}</h3>
            <dl className={styles.list}>
              {[...Map.groupBy(entries, (entry) => entry.label)].map(([label, ways]) => (
                <div key={label} className={styles.row}>
                  <dt>{label}</dt>
                  <dd className={styles.ways}>
                    {ways.map(({ keys }) => (
                      <span key={keys}>
                        <Kbd keys={keys} />
                        <span className={styles.spoken}>{keys === ' ' ? 'Space' : keys}</span>
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className={styles.setting}>
        <Switch
          checked={allowed}
          onCheckedChange={allowSingleKeys}
          label="Single-key shortcuts"
          help="Off: only shortcuts with ⌘ or Ctrl work, which suits speech input. Saved on this device."
        />
      </div>
    </Dialog>
  )
}
