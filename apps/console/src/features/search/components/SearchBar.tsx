import { SEARCH_BOUNDS } from '@firsthand/search-syntax'
import { useId } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { Kbd } from '../../../ui/Kbd.tsx'
import { CloseIcon, SearchIcon } from '../../../ui/icons.tsx'
import type { Suggestion } from '../model/complete.ts'
import { type SearchField, type SearchFieldOptions, onSearchKey, useSearchField } from '../search-field.ts'
import { QueryMirror } from './QueryMirror.tsx'
import styles from './SearchBar.module.css'

export interface SearchBarProps extends SearchFieldOptions {
  readonly label: string
  /** What could be typed, while nothing is. */
  readonly hint?: string
  readonly className?: string | undefined
}

/** How much longer than a search a text may be that is pasted: it is not cut to what is one, but refused in words. */
const PASTED = 10

const HINT = 'message, tag:value, user.email:…'

/**
 * A search as text, drawn as chips: a real input lies over its own words in colour, so that caret, paste, undo and screen
 * readers work as everywhere. Enter searches, Tab completes, Esc goes back to what was searched and leaves.
 */
export function SearchBar({ label, className, hint = HINT, ...options }: SearchBarProps) {
  const { takesSlash = true } = options
  const field = useSearchField(options)
  const { draft, input, open, problem } = field
  const listId = useId()
  const problemId = useId()
  return (
    <search className={cx(styles.search, className)}>
      <div
        className={cx(styles.box, problem !== null && !open && styles.wrong)}
        onPointerDown={() => setTimeout(() => input.current?.focus())}
      >
        <SearchIcon className={styles.icon} />
        <Words field={field} label={label} hint={hint} listId={listId} problemId={problemId} />
        {draft === '' ? null : (
          <button
            type="button"
            aria-label="Clear the search"
            className={styles.clear}
            onPointerDown={(event) => event.preventDefault()}
            onClick={field.clear}
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
      <Completions field={field} listId={listId} problemId={problemId} />
    </search>
  )
}

interface PartProps {
  readonly field: SearchField
  /** Id of the list of completions. */
  readonly listId: string
  /** Id of the sentence that says what is wrong. */
  readonly problemId: string
}

/** The input, and under it the same words in colour. */
function Words({
  field,
  label,
  hint,
  listId,
  problemId,
}: PartProps & { readonly label: string; readonly hint: string }) {
  const { chosen, draft, follow, input, message, mirror, open, problem, showsList, tokens } = field
  return (
    <div className={styles.field}>
      <div className={styles.window} aria-hidden="true">
        <div ref={mirror} className={styles.mirror}>
          <QueryMirror query={draft} tokens={tokens} problem={problem} />
          <span className={cx(styles.hint, draft === '' && styles.first)}>{draft === '' || !open ? hint : ''}</span>
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
        maxLength={SEARCH_BOUNDS.characters * PASTED}
        value={draft}
        className={styles.input}
        onChange={(event) => field.onType(event.target)}
        onKeyDown={(event) => onSearchKey(event, field)}
        onSelect={follow}
        onScroll={follow}
        onFocus={() => field.setOpen(true)}
        onBlur={(event) => field.onBlur(event.target.value)}
      />
    </div>
  )
}

/** What opens below the field: completions, what is wrong, the keys. */
function Completions({ field, listId, problemId }: PartProps) {
  const { chosen, message, problem, suggestions } = field
  return (
    <div className={styles.popup} hidden={!field.showsList}>
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
            onPointerUp={() => field.accept(suggestion)}
          >
            <span className={styles.label}>
              {suggestion.label}
              {suggestion.kind === 'key' ? ':' : ''}
            </span>
            <span className={styles.about}>{aboutOf(suggestion)}</span>
          </div>
        ))}
      </div>
      {message === undefined ? null : (
        <p id={problemId} className={styles.problem}>
          {message}
          {problem === null ? null : <span className={styles.at}> Character {problem.position + 1}.</span>}
        </p>
      )}
      <p className={styles.keys} aria-hidden="true">
        <span>Tab completes</span>
        <span>Enter searches</span>
        <span>Esc leaves</span>
      </p>
    </div>
  )
}

/** How many events have the value, or what the key means. */
function aboutOf({ count, hint }: Suggestion): string {
  return count === undefined ? hint : formatCount(count)
}
