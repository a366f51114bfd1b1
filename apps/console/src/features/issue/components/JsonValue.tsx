import { useState } from 'react'

import { ExternalLink } from '../../../ui/Link.tsx'
import { VisibleText } from '../../../ui/VisibleText.tsx'
import type { Json } from '../model/event-view.ts'
import { safeLink } from '../../../lib/visible-text.ts'
import styles from './JsonValue.module.css'

/** Entries drawn before "show more": an event may hold thousands. */
const FIRST_ENTRIES = 50
const FIRST_CHARACTERS = 600

/** A value as SDKs send it: texts as texts, objects and lists as a tree that opens, the first levels open already. */
export function JsonValue({
  value,
  open = 1,
  quotes = false,
}: {
  readonly value: Json
  readonly open?: number
  readonly quotes?: boolean
}) {
  if (value === null) return <span className={styles.keyword}>null</span>
  if (typeof value === 'boolean') return <span className={styles.keyword}>{String(value)}</span>
  if (typeof value === 'number') return <span className={styles.number}>{String(value)}</span>
  if (typeof value === 'string') return <Text value={value} quotes={quotes} />
  const entries = Array.isArray(value)
    ? value.map((entry: Json, index) => [String(index), entry] as const)
    : Object.entries(value)
  return <Branch entries={entries} isList={Array.isArray(value)} open={open} />
}

function Text({ value, quotes }: { readonly value: string; readonly quotes: boolean }) {
  const [whole, setWhole] = useState(false)
  const link = safeLink(value)
  if (link !== null) {
    return (
      <ExternalLink href={link} look="quiet" className={styles.text}>
        <VisibleText text={value} />
      </ExternalLink>
    )
  }
  const shown = whole || value.length <= FIRST_CHARACTERS ? value : value.slice(0, FIRST_CHARACTERS)
  return (
    <span className={quotes ? styles.string : styles.text}>
      {quotes ? '"' : ''}
      {value === '' && !quotes ? <span className={styles.muted}>(empty)</span> : <VisibleText text={shown} />}
      {quotes ? '"' : ''}
      {shown.length < value.length ? (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          … {value.length - shown.length} more characters
        </button>
      ) : null}
    </span>
  )
}

function Branch({
  entries,
  isList,
  open,
}: {
  readonly entries: readonly (readonly [string, Json])[]
  readonly isList: boolean
  readonly open: number
}) {
  const [isOpen, setOpen] = useState(open > 0)
  const [shown, setShown] = useState(FIRST_ENTRIES)
  if (entries.length === 0) return <span className={styles.muted}>{isList ? '[]' : '{}'}</span>
  const count = `${entries.length} ${isList ? (entries.length === 1 ? 'entry' : 'entries') : entries.length === 1 ? 'field' : 'fields'}`
  return (
    <span className={styles.branch}>
      <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isList ? '[' : '{'}
        <span className={styles.muted}>{count}</span>
        {isList ? ']' : '}'}
      </button>
      {isOpen ? (
        <span className={styles.entries}>
          {entries.slice(0, shown).map(([name, entry]) => (
            <span key={name} className={styles.entry}>
              <span className={styles.name}>
                <VisibleText text={name} />:
              </span>{' '}
              <JsonValue value={entry} open={open - 1} quotes />
            </span>
          ))}
          {shown < entries.length ? (
            <button type="button" className={styles.more} onClick={() => setShown(shown + FIRST_ENTRIES * 4)}>
              {entries.length - shown} more
            </button>
          ) : null}
        </span>
      ) : null}
    </span>
  )
}
