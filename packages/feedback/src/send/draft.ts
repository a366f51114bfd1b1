import { isObject } from './scopes.ts'

/** What was typed and is not sent yet. Apart from the rest of what is kept, because the form needs it at once. */

/** Tells the loader, without opening a database, that there is something to look after. */
export const KEPT_FLAG = 'firsthand-feedback'
export const KEPT_MS = 7 * 24 * 60 * 60 * 1000

export const flag = (): void => {
  try {
    localStorage.setItem(KEPT_FLAG, String(Date.now()))
  } catch {
    // Without the flag the next visit does not look; this one does.
  }
}

/** A half-written report. */
export interface Draft {
  readonly at: number
  readonly values: Readonly<Record<string, string>>
  /** Set once an attempt was made, so that the retry bears the same id. */
  readonly eventId?: string
}

const draftKey = (id: string): string => `${KEPT_FLAG}:${id}`

/** Written at every keystroke, because a tab may be gone at any time; so it must be synchronous. */
export const keepDraft = (id: string, draft: Omit<Draft, 'at'>): boolean => {
  try {
    localStorage.setItem(draftKey(id), JSON.stringify({ ...draft, at: Date.now() }))
    flag()
    return true
  } catch {
    // No storage, or a full one: the caller says that nothing is kept.
    return false
  }
}

export const readDraft = (id: string): Draft | null => {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(draftKey(id)) ?? 'null')
    const { at, values, eventId } = draft as Draft
    // Without a time it is neither young nor old.
    if (!(Date.now() - at <= KEPT_MS) || !isObject(values)) return null
    return { at, values, ...(typeof eventId === 'string' && { eventId }) }
  } catch {
    // No storage, or text that is no draft.
    return null
  }
}

export const forgetDraft = (id: string): void => removeStored(draftKey(id))

export const removeStored = (key: string): void => {
  try {
    localStorage.removeItem(key)
  } catch {
    // Nothing is kept where nothing can be kept.
  }
}
