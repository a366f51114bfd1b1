import type { Language } from '../options.ts'

/** The trigger's label in the languages that the first file does not speak: needed before their catalogues are. */
export const LABELS: Readonly<Record<Exclude<Language, 'en'>, string>> = {
  de: 'Fehler melden',
  fr: 'Signaler un bug',
  es: 'Informar de un error',
  pt: 'Relatar um problema',
  ja: '不具合を報告',
  zh: '报告问题',
  ar: 'الإبلاغ عن خطأ',
}
