import type { Handle } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { cx } from '../../../lib/cx.ts'
import { Avatar, Textarea, UsersIcon, VisuallyHidden } from '../../../ui/index.ts'
import { type MentionAt, mentionAt, withHandle } from '../model/mention-at.ts'
import { handlesQuery } from '../queries.ts'
import styles from './NoteField.module.css'

const NOBODY: readonly Handle[] = []

/** The field of a note: `@` offers colleagues, `#` teams, whom the note then tells. */
export function NoteField({
  org,
  text,
  className,
  onChange,
  onSend,
}: {
  readonly org: string
  readonly text: string
  readonly className?: string | undefined
  readonly onChange: (text: string) => void
  readonly onSend: () => void
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  const list = useId()
  const [at, setAt] = useState<MentionAt | null>(null)
  const [chosen, setChosen] = useState(0)
  const { data = NOBODY } = useQuery({ ...handlesQuery(org, at?.word ?? ''), enabled: at !== null })
  const offered = at === null ? NOBODY : data
  const place = Math.min(chosen, offered.length - 1)

  const look = (): void => {
    const { current } = field
    setAt(current === null ? null : mentionAt(current.value, current.selectionStart))
    setChosen(0)
  }
  const take = (handle: string): void => {
    if (at === null) return
    const next = withHandle(text, at, handle)
    onChange(next.text)
    setAt(null)
    // The field has the new text once it is drawn.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(next.caret, next.caret)
    })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) return onSend()
    const here = offered[place]
    if (here === undefined) return
    if (event.key === 'Enter' || event.key === 'Tab') take(here.handle)
    else if (event.key === 'ArrowDown') setChosen((place + 1) % offered.length)
    else if (event.key === 'ArrowUp') setChosen((place + offered.length - 1) % offered.length)
    else if (event.key === 'Escape') setAt(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles.field}>
      <Textarea
        ref={field}
        aria-label="Write a note"
        placeholder="Write a note, @somebody is told"
        rows={1}
        className={className}
        value={text}
        onValueChange={(next) => {
          onChange(next)
          requestAnimationFrame(look)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(null)}
        aria-autocomplete="list"
        {...(offered.length > 0 && { 'aria-controls': list, 'aria-activedescendant': `${list}-${place}` })}
      />
      {offered.length === 0 ? null : (
        <div id={list} role="listbox" aria-label="Whom to name" tabIndex={-1} className={styles.list}>
          {offered.map(({ handle, name, type }, index) => (
            <div
              key={handle}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === place}
              tabIndex={-1}
              className={cx(styles.option, index === place && styles.chosen)}
              onPointerDown={(event) => {
                // The field keeps the focus.
                event.preventDefault()
                take(handle)
              }}
            >
              {type === 'team' ? <UsersIcon /> : <Avatar name={name} />}
              <span className={styles.name}>{name}</span>
              <span className={styles.handle}>{handle}</span>
            </div>
          ))}
        </div>
      )}
      <VisuallyHidden>
        <span role="status">
          {offered.length === 0 ? '' : `${offered.length} to choose from; arrow keys, then Enter`}
        </span>
      </VisuallyHidden>
    </div>
  )
}
