import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { Kbd } from '../../../ui/Kbd.tsx'
import { CloseIcon, SearchIcon } from '../../../ui/icons.tsx'
import { useShortcut } from '../../../ui/shortcuts.ts'
import {
  type CompletionContext,
  type Suggestion,
  afterWhole,
  applySuggestion,
  completionAt,
  rankKeys,
  rankValues,
} from '../model/complete.ts'
import { tokenize } from '../model/tokenize.ts'
import type { SearchKey } from '../model/vocabulary.ts'
import { type SearchScope, useTagKeys, useTagValues } from '../queries.ts'
import { QueryMirror } from './QueryMirror.tsx'
import styles from './SearchBar.module.css'

export interface SearchBarProps {
  /** The search that is in force. */
  readonly value: string
  readonly onSearch: (query: string) => void
  /** Fields that can be searched here; the project's own tags are added. */
  readonly keys: readonly SearchKey[]
  /** Whose tags and values are offered. */
  readonly scope: SearchScope
  readonly label: string
  /** What the server said about the search in force, when it refused it. */
  readonly refusal?: string | undefined
  /** `/` goes here. At most one search bar of a screen takes it. */
  readonly takesSlash?: boolean
  readonly className?: string | undefined
}

const HINT = 'message, tag:value, user.email:…'

/**
 * A search as text, drawn as chips: a real input lies over its own words in colour, so that caret, paste, undo and screen
 * readers work as everywhere. Enter searches, Tab completes, Esc goes back to what was searched and leaves.
 */
export function SearchBar({
  value,
  onSearch,
  keys,
  scope,
  label,
  refusal,
  takesSlash = true,
  className,
}: SearchBarProps) {
  const input = useRef<HTMLInputElement>(null)
  const mirror = useRef<HTMLDivElement>(null)
  const listId = useId()
  const problemId = useId()
  const [draft, setDraft] = useState(value)
  const [known, setKnown] = useState(value)
  const [caret, setCaret] = useState(value.length)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  // A search that changed elsewhere (a tab, the back button) replaces what was typed.
  if (known !== value) {
    setKnown(value)
    if (draft.trim() !== value) setDraft(value)
  }

  const { problem } = tokenize(draft)
  const { context, suggestions } = useSuggestions(completionAt(draft, caret), keys, scope, open)
  const message = problem?.message ?? (draft.trim() === value ? refusal : undefined)
  const showsList = open && (suggestions.length > 0 || message !== undefined)

  const follow = () => {
    const field = input.current
    if (field === null) return
    setCaret(field.selectionStart ?? field.value.length)
    if (mirror.current !== null) mirror.current.style.transform = `translateX(${-field.scrollLeft}px)`
  }
  useLayoutEffect(follow, [draft])

  useShortcut('/', () => input.current?.focus(), { label: 'Search', enabled: takesSlash })

  const search = (text: string) => {
    const query = text.trim()
    if (query !== value) onSearch(query)
  }
  const accept = (suggestion: Suggestion) => {
    const edited = applySuggestion(draft, context, suggestion)
    setDraft(edited.text)
    setChosen(-1)
    setCaret(edited.caret)
    const field = input.current
    if (field !== null) {
      field.value = edited.text
      field.focus()
      field.setSelectionRange(edited.caret, edited.caret)
    }
    if (suggestion.kind === 'value' && tokenize(edited.text).problem === null) search(edited.text)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const highlighted = suggestions[chosen]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const count = suggestions.length
      setOpen(true)
      if (count > 0)
        setChosen((current) =>
          event.key === 'ArrowDown' ? (current + 1) % count : (Math.max(current, 0) + count - 1) % count,
        )
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (highlighted !== undefined) accept(highlighted)
      else if (problem === null) {
        search(draft)
        setOpen(false)
      } else setOpen(true)
    } else if (event.key === 'Tab' && !event.shiftKey && open) {
      const completed = highlighted ?? (context.kind !== 'none' && context.typed !== '' ? suggestions[0] : undefined)
      if (completed === undefined) return
      event.preventDefault()
      accept(completed)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      setDraft(value)
      setOpen(false)
      setChosen(-1)
      event.currentTarget.blur()
    }
  }

  return (
    <search className={cx(styles.search, className)}>
      <div
        className={cx(styles.box, problem !== null && !open && styles.wrong)}
        onPointerDown={() => setTimeout(() => input.current?.focus())}
      >
        <SearchIcon className={styles.icon} />
        <div className={styles.field}>
          <div className={styles.window} aria-hidden="true">
            <div ref={mirror} className={styles.mirror}>
              <QueryMirror query={draft} problem={problem} />
              <span className={cx(styles.hint, draft === '' && styles.first)}>{draft === '' || !open ? HINT : ''}</span>
            </div>
          </div>
          <input
            ref={input}
            type="text"
            role="combobox"
            aria-label={label}
            aria-autocomplete="list"
            aria-expanded={showsList}
            aria-controls={listId}
            aria-activedescendant={chosen >= 0 && showsList ? `${listId}-${chosen}` : undefined}
            aria-invalid={message !== undefined}
            aria-describedby={message === undefined ? undefined : problemId}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={2000}
            value={draft}
            className={styles.input}
            onChange={(event) => {
              setDraft(event.target.value)
              setCaret(event.target.selectionStart ?? event.target.value.length)
              setChosen(-1)
              setOpen(true)
            }}
            onKeyDown={onKeyDown}
            onSelect={follow}
            onScroll={follow}
            onFocus={() => setOpen(true)}
            onBlur={() => {
              setOpen(false)
              setChosen(-1)
              if (problem === null) search(draft)
            }}
          />
        </div>
        {draft === '' ? null : (
          <button
            type="button"
            aria-label="Clear the search"
            className={styles.clear}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => {
              setDraft('')
              onSearch('')
              input.current?.focus()
            }}
          >
            <CloseIcon size={14} />
          </button>
        )}
        {takesSlash && !open ? (
          <span className={styles.key}>
            <Kbd keys="/" />
          </span>
        ) : null}
      </div>
      <div className={styles.popup} hidden={!showsList}>
        <div
          id={listId}
          role="listbox"
          aria-label="Completions"
          className={styles.list}
          hidden={suggestions.length === 0}
        >
          {suggestions.map((suggestion, index) => (
            <div
              key={suggestion.label}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className={cx(styles.option, index === chosen && styles.chosen)}
              onPointerDown={(event) => event.preventDefault()}
              onPointerUp={() => accept(suggestion)}
            >
              <span className={styles.label}>
                {suggestion.label}
                {suggestion.kind === 'key' ? ':' : ''}
              </span>
              <span className={styles.about}>
                {suggestion.count === undefined ? suggestion.hint : formatCount(suggestion.count)}
              </span>
            </div>
          ))}
        </div>
        {message === undefined ? null : (
          <p id={problemId} className={styles.problem}>
            {message}
            {problem === null ? null : <span className={styles.at}> Character {problem.at + 1}.</span>}
          </p>
        )}
        <p className={styles.keys} aria-hidden="true">
          <span>Tab completes</span>
          <span>Enter searches</span>
          <span>Esc leaves</span>
        </p>
      </div>
    </search>
  )
}

function useSuggestions(
  context: CompletionContext,
  keys: readonly SearchKey[],
  scope: SearchScope,
  open: boolean,
): { readonly context: CompletionContext; readonly suggestions: readonly Suggestion[] } {
  const tagKeys = useTagKeys(scope, open)
  const key = context.kind === 'value' ? context.key : ''
  const field = keys.find((candidate) => candidate.key === key)
  const typed = context.kind === 'none' ? '' : context.typed
  const fetched = useTagValues(scope, key, typed, open && key !== '' && field?.values === undefined && key !== 'has')
  if (!open || context.kind === 'none') return { context, suggestions: [] }
  if (context.kind === 'key') return { context, suggestions: rankKeys(typed, keys, tagKeys) }
  const values: readonly Suggestion[] =
    key === 'has'
      ? rankKeys(typed, [], tagKeys).map((entry) => ({ ...entry, kind: 'value' }))
      : rankValues(typed, field?.values ?? fetched)
  const next = afterWhole(context, values)
  return next === null ? { context, suggestions: values } : { context: next, suggestions: rankKeys('', keys, tagKeys) }
}
