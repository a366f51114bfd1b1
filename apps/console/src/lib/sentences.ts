const FIRST_SENTENCE = /^(?:`[^`]*`|[^`])*?[.!?](?=\s|$)/

/** What stands before the first full stop; the whole text when there is none. */
export const firstSentence = (text: string): string => FIRST_SENTENCE.exec(text)?.[0] ?? text

/** Text and the `code` in it, by turns: what stands at odd places is code. */
export const codeParts = (text: string): readonly string[] => text.split(/`([^`]+)`/)
