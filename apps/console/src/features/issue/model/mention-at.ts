/** A word that begins to name somebody, as far as it is typed. */
export interface MentionAt {
  readonly from: number
  readonly to: number
  /** With its sign: `@an`. */
  readonly word: string
}

/** Null where the caret is at no such word. */
export function mentionAt(text: string, caret: number): MentionAt | null {
  const word = /(?:^|[\s(])([@#][\w.+@-]*)$/.exec(text.slice(0, caret))?.[1]
  return word === undefined ? null : { from: caret - word.length, to: caret, word }
}

/** The text with the whole handle, and where the caret stands then. */
export function withHandle(text: string, { from, to }: MentionAt, handle: string): { text: string; caret: number } {
  const rest = text.slice(to)
  const before = `${text.slice(0, from)}${handle}${rest.startsWith(' ') ? '' : ' '}`
  return { text: `${before}${rest}`, caret: before.length }
}
