import { PERSON_ENTRIES } from '@firsthand/contract'
import { compactScope, readScope, type ScopeSearch, type ScopeUrl } from '../../issues/model/index.ts'

export type PersonTab = 'all' | 'error' | 'said' | 'told' | 'replay' | 'transaction' | 'log'

/** Whose page it is, over which time, and which part of it. */
export interface PersonSearch extends ScopeSearch {
  /** `id:7`, `email:ada@x.example`, …; '' for nobody. */
  readonly user: string
  readonly tab: PersonTab
}

/** In the URL: what differs from the defaults. */
export interface PersonUrl extends ScopeUrl {
  readonly user?: string
  readonly tab?: Exclude<PersonTab, 'all'>
}

const DEFAULT_PERIOD = '30d'
const TABS = ['error', 'said', 'told', 'replay', 'transaction', 'log'] as const
const MAX_USER = 262

/** Reads any URL, also one edited by hand. */
export function readPersonUrl(raw: Readonly<Record<string, unknown>>): PersonUrl {
  const tab = TABS.find((one) => one === raw.tab)
  const user = typeof raw.user === 'string' ? raw.user.slice(0, MAX_USER) : ''
  return {
    ...(user === '' ? {} : { user }),
    ...(tab === undefined ? {} : { tab }),
    ...compactScope(readScope(raw, DEFAULT_PERIOD), DEFAULT_PERIOD),
  }
}

export function personOfUrl(url: PersonUrl): PersonSearch {
  return { ...readScope({ ...url }, DEFAULT_PERIOD), user: url.user ?? '', tab: url.tab ?? 'all' }
}

export function personUrl({ user, tab, ...scope }: PersonSearch): PersonUrl {
  return {
    ...(user === '' ? {} : { user }),
    ...(tab === 'all' ? {} : { tab }),
    ...compactScope(scope, DEFAULT_PERIOD),
  }
}

/** Which kinds of entries a tab shows. */
export function kindsOf(tab: PersonTab): readonly (typeof PERSON_ENTRIES)[number][] {
  if (tab === 'all') return PERSON_ENTRIES
  return tab === 'said' ? ['report', 'message'] : [tab]
}
