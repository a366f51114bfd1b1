import { Dialog as Base } from '@base-ui/react/dialog'
import { CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList as Items, CommandRoot } from 'cmdk'
import { useEffect, useState } from 'react'
import { type Command, type Finder, useAllCommands, useAllFinders } from './commands.ts'
import { SearchIcon } from './icons.tsx'
import { Kbd } from './Kbd.tsx'
import { type CommandSection, rankCommands } from './rank-commands.ts'
import dialog from './Dialog.module.css'
import styles from './CommandList.module.css'

/** The server is asked when the typing rests for this long. */
const ASK_AFTER_MS = 150
/** One letter finds half of everything: that needs no question. */
const MIN_CHARACTERS = 2

/** The palette's dialog. */
export function CommandList({
  open,
  opening,
  onOpenChange,
}: {
  readonly open: boolean
  /** Another number at every opening. */
  readonly opening: number
  readonly onOpenChange: (open: boolean) => void
}) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={dialog.backdrop} />
        <Base.Viewport className={dialog.viewport}>
          <Base.Popup className={styles.popup} aria-label="Commands">
            <Found key={opening} onDone={() => onOpenChange(false)} />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

function Found({ onDone }: { readonly onDone: () => void }) {
  const [text, setText] = useState('')
  const commands = useAllCommands()
  const asked = useFound(text.trim())
  // What the page knows keeps its place; what the server finds comes below it, in the order of the finders.
  const sections = [...rankCommands(commands, text), ...asked.sections]
  return (
    // The library would take Ctrl+K for "one up": here it closes the palette, or opens it again while it leaves.
    <CommandRoot label="Commands" loop shouldFilter={false} vimBindings={false}>
      <div className={styles.search}>
        <SearchIcon />
        <CommandInput
          className={styles.input}
          placeholder="Find an issue, a report, a person, a screen"
          value={text}
          onValueChange={setText}
          autoFocus
        />
        <Kbd keys="Escape" />
      </div>
      <Items className={styles.list} label="Commands">
        <CommandEmpty className={styles.empty}>
          {asked.isPending ? 'Looking …' : 'Nothing matches. Try fewer letters.'}
        </CommandEmpty>
        {sections.map(({ group, commands: members }) => (
          <CommandGroup key={group} heading={group} className={styles.group}>
            {members.map((command) => (
              <Row key={command.id} command={command} onDone={onDone} />
            ))}
          </CommandGroup>
        ))}
      </Items>
      <p role="status" className={asked.failed.length === 0 ? styles.silent : styles.failed}>
        {asked.failed.length === 0 ? '' : `The server could not look for ${asked.failed.join(' and ')}.`}
      </p>
    </CommandRoot>
  )
}

function Row({ command, onDone }: { readonly command: Command; readonly onDone: () => void }) {
  const Drawn = command.icon
  return (
    <CommandItem
      value={command.id}
      className={styles.item}
      onSelect={() => {
        onDone()
        command.run()
      }}
    >
      {Drawn ? <Drawn className={styles.icon} /> : null}
      <span className={styles.text}>{command.label}</span>
      {command.hint === undefined ? null : <span className={styles.hint}>{command.hint}</span>}
      {command.kbd === undefined ? null : <Kbd keys={command.kbd} />}
    </CommandItem>
  )
}

interface Asked {
  readonly sections: readonly CommandSection[]
  readonly isPending: boolean
  /** What could not be looked for. */
  readonly failed: readonly string[]
}

interface Answers {
  readonly text: string
  readonly of: ReadonlyMap<Finder, readonly Command[] | null>
}

const NONE: Answers = { text: '', of: new Map() }

/** What the finders answer to the text, once the typing rests; a later text calls off the question. */
function useFound(text: string): Asked {
  const finders = useAllFinders()
  const [answers, setAnswers] = useState(NONE)
  const asks = text.length >= MIN_CHARACTERS && finders.length > 0
  useEffect(() => {
    if (!asks) return undefined
    const stop = new AbortController()
    const keep = (finder: Finder, found: readonly Command[] | null): void => {
      if (stop.signal.aborted) return
      setAnswers((known) => ({
        text,
        of: new Map([...(known.text === text ? known.of : []), [finder, found] as const]),
      }))
    }
    const timer = setTimeout(() => {
      for (const finder of finders) {
        void finder.find(text, stop.signal).then(
          (found) => keep(finder, found),
          () => keep(finder, null),
        )
      }
    }, ASK_AFTER_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [asks, text, finders])

  const isCurrent = answers.text === text
  // While a longer text is asked for, what was found for its beginning stays, as far as it still matches.
  const known = asks && (isCurrent || text.startsWith(answers.text)) ? answers.of : NONE.of
  const found = finders.flatMap((finder) => known.get(finder) ?? [])
  return {
    sections: isCurrent
      ? [...Map.groupBy(found, ({ group }) => group)].map(([group, commands]) => ({ group, commands }))
      : rankCommands(found, text),
    isPending: asks && (!isCurrent || known.size < finders.length),
    failed: isCurrent ? finders.filter((finder) => known.get(finder) === null).map(({ things }) => things) : [],
  }
}
