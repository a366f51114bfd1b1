import type { IssueReport, IssueTelling, ToldPerson } from '@firsthand/contract'

import { formatMoment } from '../../../lib/moments.ts'
import { plainVisible } from '../../../lib/visible-text.ts'

/** What the screens say of people who wrote, from what the API says. */

/** Somebody who gave no name is called by their address, and without one nobody knows who they are. */
export function writerName({ name, email }: { readonly name: string; readonly email: string }): string {
  return plainVisible(name || email) || 'anonymous'
}

export function peopleWords(count: number): string {
  return count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`
}

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' })

/** `Portuguese` for `pt-PT`; '' for what names none. */
export function languageWords(locale: string): string {
  const code = locale.trim().split(/[-_;]/, 1)[0]?.toLowerCase() ?? ''
  if (!/^[a-z]{2,3}$/.test(code)) return ''
  const name = LANGUAGES.of(code) ?? ''
  return name === code ? '' : name
}

export function wayWords({ by, language }: Pick<ToldPerson, 'by' | 'language'>): string {
  const way = by === 'email' ? 'e-mail' : 'on their private page'
  const name = languageWords(language)
  return name === '' ? way : `${way}, in ${name}`
}

export function linkedWords({ linkedBy }: Pick<IssueReport, 'linkedBy'>): string {
  switch (linkedBy.by) {
    case 'event':
      return 'by its event'
    case 'trace':
      return 'by its trace'
    case 'person':
      return linkedBy.user === null ? 'linked by hand' : `linked by ${linkedBy.user.name || linkedBy.user.email}`
  }
}

const WHY: Readonly<Record<IssueTelling['notTold'][number]['why'], string>> = {
  spam: 'marked as spam',
  unsubscribed: 'wants no such mails',
  told: 'was told before, and has not written since',
  unreachable: 'left no address, and has no private page',
  left_out: 'left out',
}

export function notToldWords(why: IssueTelling['notTold'][number]['why']): string {
  return WHY[why]
}

/** When what waits is sent: "at 10:42", "when 2026.11.3 is first seen". */
export function plannedWords(planned: NonNullable<IssueTelling['planned']>): string {
  if (planned.when === 'person') return 'once you say so: they are many'
  if (planned.dueAt !== null) return `at ${formatMoment('clock', Date.parse(planned.dueAt))}`
  return planned.release === '' || planned.release === null
    ? 'when the next release is first seen'
    : `when ${planned.release} is first seen`
}

export interface DotCounts {
  readonly dots: number
  /** Of them, those of people who wrote. */
  readonly accents: number
  /** People whom a dot of somebody silent stands for. */
  readonly each: number
  /** People who wrote whom one of theirs stands for. */
  readonly eachWriter: number
}

/**
 * As many dots as people, until there are too many to draw: then one stands for several who said nothing. Whoever wrote
 * has one of their own, for as long as they are not most of what is drawn.
 */
export function dotsOf(people: number, wrote: number, most = 104): DotCounts {
  const silent = Math.max(people, wrote) - wrote
  const eachWriter = Math.max(1, Math.ceil(wrote / (most / 2)))
  const accents = Math.ceil(wrote / eachWriter)
  const each = Math.max(1, Math.ceil(silent / (most - accents)))
  return { dots: accents + Math.ceil(silent / each), accents, each, eachWriter }
}

/** What a dot stands for. */
export function dotWords({ accents, each, eachWriter }: DotCounts): string {
  const of = (count: number): string => (count === 1 ? 'one person' : `about ${count} people`)
  if (each === 1 && eachWriter === 1) return 'Each dot is a person.'
  if (accents === 0) return `Each dot is ${of(each)}.`
  return `Each grey dot is ${of(each)}, each coloured one ${eachWriter === 1 ? 'a person' : of(eachWriter)} who wrote.`
}

/** The text as one person reads it. */
export function readAs(text: string, person: Pick<ToldPerson, 'name' | 'quote'>, release: string): string {
  const named = person.name === '' ? text.replaceAll(/ *\{name\}/g, '') : text
  const values: Readonly<Record<string, string>> = { name: person.name, quote: person.quote, release }
  return named.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
}
