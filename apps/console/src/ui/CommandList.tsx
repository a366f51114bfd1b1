import { Dialog as Base } from '@base-ui/react/dialog'
import { CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList as Items, CommandRoot } from 'cmdk'
import { useAllCommands } from './commands.ts'
import { SearchIcon } from './icons.tsx'
import { Kbd } from './Kbd.tsx'
import dialog from './Dialog.module.css'
import styles from './CommandList.module.css'

/** The palette's dialog. */
export function CommandList({
  open,
  onOpenChange,
}: {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}) {
  const groups = Map.groupBy(useAllCommands(), (command) => command.group)
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={dialog.backdrop} />
        <Base.Viewport className={dialog.viewport}>
          <Base.Popup className={styles.popup} aria-label="Commands">
            <CommandRoot label="Commands" loop>
              <div className={styles.search}>
                <SearchIcon />
                <CommandInput className={styles.input} placeholder="Find a screen, a project or a command" autoFocus />
                <Kbd keys="Escape" />
              </div>
              <Items className={styles.list} label="Commands">
                <CommandEmpty className={styles.empty}>Nothing matches. Try fewer letters.</CommandEmpty>
                {[...groups].map(([group, commands]) => (
                  <CommandGroup key={group} heading={group} className={styles.group}>
                    {commands.map((command) => {
                      const Drawn = command.icon
                      return (
                        <CommandItem
                          key={command.id}
                          value={`${command.label} ${command.id}`}
                          keywords={[...(command.keywords ?? [])]}
                          className={styles.item}
                          onSelect={() => {
                            onOpenChange(false)
                            command.run()
                          }}
                        >
                          {Drawn ? <Drawn className={styles.icon} /> : null}
                          <span className={styles.text}>{command.label}</span>
                          {command.kbd === undefined ? null : <Kbd keys={command.kbd} />}
                        </CommandItem>
                      )
                    })}
                  </CommandGroup>
                ))}
              </Items>
            </CommandRoot>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
