import { useEffect, useRef, useState } from 'react'

import { Input, Kbd, SearchIcon, useIsLeaving, useShortcut } from '../../../ui/index.ts'
import styles from './AlertsSearchField.module.css'

const SEARCH_AFTER_MS = 250

/** Searches names and searches of rules while one types, once one pauses. */
export function AlertsSearchField({
  value,
  onSearch,
}: {
  readonly value: string
  readonly onSearch: (query: string) => void
}) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const isLeaving = useIsLeaving()
  useShortcut('/', () => field.current?.focus(), { label: 'Search alerts', group: 'Alerts' })
  // Somebody went back, or cleared the search: the field follows the address.
  if (known !== value) {
    setKnown(value)
    setText(value)
  }
  useEffect(() => {
    if (text.trim() === value) return undefined
    const timer = setTimeout(() => {
      if (!isLeaving()) onSearch(text.trim())
    }, SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  })
  return (
    <div className={styles.search} role="search">
      <Input
        ref={field}
        icon={SearchIcon}
        aria-label="Search alerts"
        placeholder="A name, or words of a search"
        maxLength={200}
        value={text}
        onValueChange={setText}
        trailing={<Kbd keys="/" />}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onSearch(text.trim())
          if (event.key === 'Escape') field.current?.blur()
        }}
      />
    </div>
  )
}
