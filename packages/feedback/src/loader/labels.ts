import type { Language } from '../options.ts'

/** The one text that is needed before the catalogue is. */
const LABELS: Readonly<Record<Language, string>> = {
  en: 'Report a Bug',
  de: 'Fehler melden',
  fr: 'Signaler un bug',
  es: 'Informar de un error',
  pt: 'Relatar um problema',
  ja: '不具合を報告',
  zh: '报告问题',
  ar: 'الإبلاغ عن خطأ',
}

export const languageOf = (wanted: Language | 'auto' = 'auto'): Language => {
  const said = (wanted === 'auto' ? document.documentElement.lang : wanted).slice(0, 2).toLowerCase()
  return said in LABELS ? (said as Language) : 'en'
}

export const labelOf = (language: Language): string => LABELS[language]
