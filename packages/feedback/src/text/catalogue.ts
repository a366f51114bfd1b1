import type { Language } from '../options.ts'
import { texts as english, type Texts } from './en.ts'
import type { PictureTexts } from './picture.en.ts'
import type { TopicTexts } from './topic.en.ts'

/** Texts of the form. Other languages bring those of its parts along; in English each part has its own, loaded with it. */
export type AllTexts = Texts & Partial<PictureTexts & TopicTexts>

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
  if (language === 'en') return english
  return LOADERS[language]().then(
    ({ catalogue }) => catalogue,
    () => english,
  )
}
