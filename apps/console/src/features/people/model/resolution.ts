import type { IssueChange, IssueTelling, Telling } from '@firsthand/contract'

import { peopleWords } from './said-words.ts'

/** What somebody chooses when they resolve an issue about which people wrote. */
export interface Resolution {
  readonly where: 'now' | 'next' | 'release'
  /** Typed; of `where: release`. */
  readonly version: string
  readonly when: 'now' | 'release' | 'never'
  /** Reports whose writers are left out. */
  readonly except: readonly string[]
  /** By language, what differs from the usual text. */
  readonly texts: Readonly<Record<string, string>>
}

/** What the menu said becomes what the dialog begins with. */
export function beginningOf(change: IssueChange | null, telling: IssueTelling): Resolution {
  const details = change?.statusDetails
  const version = details?.inRelease === 'latest' ? (telling.newestRelease ?? '') : (details?.inRelease ?? '')
  const where = details?.inNextRelease === true ? 'next' : version === '' ? 'now' : 'release'
  const { planned } = telling
  return {
    where,
    version,
    when:
      planned !== null
        ? planned.when === 'person'
          ? 'now'
          : planned.when
        : telling.when === 'never'
          ? 'never'
          : where === 'next' || (where === 'release' && version !== telling.newestRelease)
            ? 'release'
            : 'now',
    except: telling.notTold.filter(({ why }) => why === 'left_out').map(({ id }) => id),
    texts: Object.fromEntries(
      telling.texts.filter(({ isEdited }) => isEdited).map(({ language, text }) => [language, text]),
    ),
  }
}

export function tellingOf({ when, where, version, except, texts }: Resolution): Telling {
  return {
    when,
    ...(when === 'release' && where === 'now' ? { release: version.trim() } : {}),
    ...(Object.keys(texts).length === 0 ? {} : { texts: { ...texts } }),
    ...(except.length === 0 ? {} : { except: [...except] }),
  }
}

export function changeOf(resolution: Resolution): IssueChange {
  const { where, version } = resolution
  return {
    status: 'resolved',
    ...(where === 'next' ? { statusDetails: { inNextRelease: true } } : {}),
    ...(where === 'release' ? { statusDetails: { inRelease: version.trim() } } : {}),
    tell: tellingOf(resolution),
  }
}

/** The words of the toast: `resolved in 2026.11.3`. */
export function doneWords({ where, version }: Resolution): string {
  if (where === 'next') return 'resolved in the next release'
  return where === 'release' ? `resolved in ${version.trim()}` : 'resolved'
}

/** Whose first sight the message waits for. */
export function awaitedRelease({ where, version }: Resolution): string {
  return where === 'next' ? 'the next release' : version.trim() || 'a release'
}

export function toldWords(resolution: Resolution, people: number): string {
  if (people === 0 || resolution.when === 'never') return 'Nobody is told.'
  const are = people === 1 ? 'is' : 'are'
  const when = resolution.when === 'now' ? 'in 10 minutes' : `when ${awaitedRelease(resolution)} is first seen`
  return `${peopleWords(people)} ${are} told ${when}.`
}

/** What the button says: the same as the choice, in words. */
export function resolveLabel({ when }: Resolution, people: number, isEdit: boolean): string {
  const told = when === 'never' || people === 0 ? 'tell nobody' : `tell ${people}${when === 'release' ? ' later' : ''}`
  return isEdit ? `Save, ${told}` : `Resolve, ${told}`
}

/** Why it cannot be sent as it is; null when it can. */
export function problemOf({ where, version, when }: Resolution): string | null {
  const isNamed = version.trim() !== ''
  if (where === 'release' && !isNamed) return 'Write the release in which it is resolved.'
  if (where === 'now' && when === 'release' && !isNamed) return 'Write the release that has the repair.'
  return null
}
