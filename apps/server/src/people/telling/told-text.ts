import { fill, reporterTexts } from '../../feedback/index.ts'

/** What somebody reads when what they wrote about is repaired: no word of it comes from the issue. */

/** The usual text of a language, with the places that differ from person to person. */
export const usualText = (language: string, hasRelease: boolean): string => {
  const texts = reporterTexts([language])
  return `${texts.greeting}\n\n${hasRelease ? texts.resolvedIn : texts.resolved}`
}

/** Edited texts stand for the usual ones; a language without either reads English. */
export const textFor = (
  language: string,
  edited: Readonly<Record<string, string>>,
  hasRelease: boolean,
): { readonly text: string; readonly isEdited: boolean } => {
  const own = edited[language]
  return own === undefined ? { text: usualText(language, hasRelease), isEdited: false } : { text: own, isEdited: true }
}

/** The text for one person. Of somebody who gave no name, the place of it goes with the space before it. */
export const fillTold = (
  text: string,
  { name, quote, release }: { readonly name: string; readonly quote: string; readonly release: string },
): string => fill(name === '' ? text.replaceAll(/ *\{name\}/g, '') : text, { name, quote, release })

/** The language in which somebody is written to who set their browser to this one. */
export const languageFor = (locale: string): string => reporterTexts([locale]).language
