import type { Language } from '../options.ts'
import { texts as english, type Texts } from './en.ts'
import { pictureTexts, type PictureTexts } from './picture.en.ts'

/** Every text under one roof, so that an option may replace any of them. */
export type AllTexts = Texts & PictureTexts

const LOADERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly catalogue: AllTexts }>>> = {
  de: () => import('./all.de.ts'),
  fr: () => import('./all.fr.ts'),
  es: () => import('./all.es.ts'),
  pt: () => import('./all.pt.ts'),
  ja: () => import('./all.ja.ts'),
  zh: () => import('./all.zh.ts'),
  ar: () => import('./all.ar.ts'),
}

/** The catalogue of a language; English when its file does not load. */
export const catalogueOf = async (language: Language): Promise<AllTexts> => {
  const own = { ...english, ...pictureTexts }
  if (language === 'en') return own
  return LOADERS[language]().then(
    ({ catalogue }) => catalogue,
    () => own,
  )
}
