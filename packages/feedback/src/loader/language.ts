import type { Language } from '../options.ts'

/** What is asked for, or what the page speaks, as far as there is a catalogue. */
export const languageOf = (wanted: Language | 'auto' = 'auto'): Language => {
  const said = (wanted === 'auto' ? document.documentElement.lang : wanted).toLowerCase()
  return (/^(de|fr|es|pt|ja|zh|ar)/.exec(said)?.[0] ?? 'en') as Language
}
