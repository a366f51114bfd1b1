import { parseSearch } from '@firsthand/search-syntax'
import { type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'

import { useShortcut } from '../../ui/shortcuts.ts'
import {
  type CompletionContext,
  type Edited,
  type Suggestion,
  afterWhole,
  applySuggestion,
  completionAt,
  continued,
  rankKeys,
  rankValues,
} from './model/complete.ts'
import type { SearchKey } from './model/vocabulary.ts'
import { type SearchCompletions, type SearchScope, TAG_COMPLETIONS, useSearchKeys, useSearchValues } from './queries.ts'

export interface SearchFieldOptions {
  /** The search that is in force. */
  readonly value: string
  readonly onSearch: (query: string) => void
  /** Fields that can be searched here; the project's own tags are added. */
  readonly keys: readonly SearchKey[]
  /** Whose tags and values are offered. */
  readonly scope: SearchScope
  /** What the server said about the search in force, when it refused it. */
  readonly refusal?: string | undefined
  /** `/` goes here. At most one search bar of a screen takes it. */
  readonly takesSlash?: boolean
  /** Where further keys and values come from; without it, from the tags of events. */
  readonly completions?: SearchCompletions
}

export type SearchField = ReturnType<typeof useSearchField>

/** What is typed into a search field, what completes it, and when it becomes the search in force. */
export function useSearchField({ value, onSearch, takesSlash = true, ...options }: SearchFieldOptions) {
  const { input, mirror, caret, setCaret, putCaret, putText, follow } = useCaret(value.length)
  const [draft, setDraft] = useDraft(value)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const isField = (name: string) => name === 'has' || options.keys.some((field) => field.key === name)
  const { tokens, problem } = parseSearch(draft, isField)
  /** Whether somebody wanted to search with what is typed: until then it is unfinished, not wrong. */
  const [tried, setTried] = useState(false)
  const { context, suggestions } = useSuggestions(completionAt(draft, caret), options, open)
  useLayoutEffect(follow, [draft, follow])
  const change = (text: string) => {
    setDraft(text)
    setTried(false)
  }
  /** The caret goes behind what is there, and apart from it. */
  const typeOn = () => {
    const text = continued(draft)
    setDraft(text)
    putCaret({ text, caret: text.length })
  }
  useShortcut('/', typeOn, { label: 'Search', enabled: takesSlash })
  const search = (text: string) => {
    const query = text.trim()
    if (query !== value) onSearch(query)
  }
  const close = () => {
    setOpen(false)
    setChosen(-1)
  }
  const accept = (suggestion: Suggestion) => {
    const edited = applySuggestion(draft, context, suggestion)
    change(edited.text)
    setChosen(-1)
    putCaret(edited)
    if (suggestion.kind === 'value' && parseSearch(edited.text, isField).problem === null) search(edited.text)
  }
  const complaint = tried ? problem : null
  const message = complaint?.message ?? (draft.trim() === value ? options.refusal : undefined)
  return {
    input,
    mirror,
    draft,
    tokens,
    /** What is wrong with the search, once somebody tried it. */
    problem: complaint,
    /** The same in words. */
    message,
    suggestions,
    /** Index of the highlighted suggestion; -1 for none. */
    chosen,
    open,
    setOpen,
    showsList: open && (suggestions.length > 0 || message !== undefined),
    accept,
    follow,
    onType: (field: HTMLInputElement) => {
      change(field.value)
      setCaret(field.selectionStart ?? field.value.length)
      setChosen(-1)
      setOpen(true)
    },
    /** @param text what stands in the field, which Escape may have put back a moment ago */
    onBlur: (text: string) => {
      close()
      setTried(true)
      if (parseSearch(text, isField).problem === null) search(text)
    },
    clear: () => {
      change('')
      onSearch('')
      input.current?.focus()
    },
    /** The next suggestion, or the one before, round and round. */
    highlight: (step: 1 | -1) => {
      setOpen(true)
      setChosen((current) => roundAbout(current, step, suggestions.length))
    },
    /** Enter: takes the highlighted suggestion; without one it searches, unless the search is not valid. */
    enter: () => {
      const highlighted = suggestions[chosen]
      if (highlighted !== undefined) accept(highlighted)
      else if (problem === null) {
        search(draft)
        setOpen(false)
      } else {
        setTried(true)
        setOpen(true)
      }
    },
    /** Tab: what it would complete, or undefined when it should go to the next control. */
    completion: () => (open ? (suggestions[chosen] ?? (isTyping(context) ? suggestions[0] : undefined)) : undefined),
    /** Escape: back to what was searched. */
    revert: () => {
      change(value)
      putText(value)
      close()
    },
  }
}

/** The index after this one or before it, round and round; -1 is none. */
function roundAbout(current: number, step: 1 | -1, count: number): number {
  if (count === 0) return current
  return step === 1 ? (current + 1) % count : (Math.max(current, 0) + count - 1) % count
}

function isTyping(context: CompletionContext): boolean {
  return context.kind !== 'none' && context.typed !== ''
}

/** Enter searches, Tab completes, Esc goes back to what was searched and leaves. */
export function onSearchKey(event: KeyboardEvent<HTMLInputElement>, field: SearchField): void {
  if (event.nativeEvent.isComposing) return
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    field.highlight(event.key === 'ArrowDown' ? 1 : -1)
  } else if (event.key === 'Enter') {
    event.preventDefault()
    field.enter()
  } else if (event.key === 'Tab' && !event.shiftKey) {
    const completion = field.completion()
    if (completion === undefined) return
    event.preventDefault()
    field.accept(completion)
  } else if (event.key === 'Escape') {
    event.preventDefault()
    event.stopPropagation()
    field.revert()
    event.currentTarget.blur()
  }
}

/** What is typed. A search that changed elsewhere (a tab, the back button) replaces it. */
function useDraft(value: string) {
  const [draft, setDraft] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    if (draft.trim() !== value) setDraft(value)
  }
  return [draft, setDraft] as const
}

/** Where the caret is; the words in colour under the field are moved with it. */
function useCaret(start: number) {
  const input = useRef<HTMLInputElement>(null)
  const mirror = useRef<HTMLDivElement>(null)
  const [caret, setCaret] = useState(start)
  const follow = useCallback(() => {
    const field = input.current
    if (field === null) return
    setCaret(field.selectionStart ?? field.value.length)
    if (mirror.current !== null) mirror.current.style.transform = `translateX(${-field.scrollLeft}px)`
  }, [])
  /** The field has the text at once, for who reads it from there. */
  const putText = (text: string) => {
    if (input.current !== null) input.current.value = text
  }
  /** The field has the text at once, for the caret to stand in it. */
  const putCaret = (edited: Edited) => {
    setCaret(edited.caret)
    const field = input.current
    if (field === null) return
    field.value = edited.text
    field.focus()
    field.setSelectionRange(edited.caret, edited.caret)
  }
  return { input, mirror, caret, setCaret, putCaret, putText, follow }
}

function useSuggestions(
  context: CompletionContext,
  { keys, scope, completions = TAG_COMPLETIONS }: Pick<SearchFieldOptions, 'keys' | 'scope' | 'completions'>,
  open: boolean,
): { readonly context: CompletionContext; readonly suggestions: readonly Suggestion[] } {
  const tagKeys = useSearchKeys(scope, completions, open)
  const key = context.kind === 'value' ? context.key : ''
  const field = keys.find((candidate) => candidate.key === key)
  const typed = context.kind === 'none' ? '' : context.typed
  const asksValues = open && key !== '' && field?.values === undefined && key !== 'has'
  const fetched = useSearchValues(scope, completions, { key, typed }, asksValues)
  if (!open || context.kind === 'none') return { context, suggestions: [] }
  if (context.kind === 'key') return { context, suggestions: rankKeys(typed, keys, tagKeys) }
  const values: readonly Suggestion[] =
    key === 'has'
      ? rankKeys(typed, [], tagKeys).map((entry) => ({ ...entry, kind: 'value' }))
      : rankValues(typed, field?.values ?? fetched)
  const next = afterWhole(context, values)
  return next === null ? { context, suggestions: values } : { context: next, suggestions: rankKeys('', keys, tagKeys) }
}
