import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import {
  Input,
  LinkTab,
  LinkTabs,
  PageBody,
  PageHeader,
  SearchIcon,
  useIsLeaving,
  useShortcut,
} from '../../../ui/index.ts'
import { ScopeBar } from '../../issues/index.ts'
import { compactScope, compactUrl, type ScopeSearch } from '../../issues/model/index.ts'
import { FINDINGS } from '../model/findings-search.ts'
import { DEFAULT_PERIOD } from '../model/performance-search.ts'
import styles from './PerformanceFrame.module.css'

/** The screens, in the order in which a request meets them: the page, the server, what the server asks. */
const CALLS = [
  ['databases', 'Databases'],
  ['requests', 'Requests'],
  ['caches', 'Caches'],
  ['queues', 'Queues'],
  ['ai', 'AI'],
] as const

export type PerformancePlace = 'transactions' | 'vitals' | 'profiles' | (typeof CALLS)[number][0]

interface FrameProps {
  readonly org: string
  readonly place: PerformancePlace
  readonly search: ScopeSearch
  readonly onScope: (scope: Partial<ScopeSearch>) => void
  /** What is searched for by a part of its name; without it there is no field. */
  readonly find?: {
    /** "Search transactions". */
    readonly label: string
    readonly placeholder: string
    readonly value: string
    readonly onSearch: (query: string) => void
  }
  /** In its place: a field for whole searches. */
  readonly searchBar?: ReactNode
  readonly further?: ComponentProps<typeof ScopeBar>['further']
  /** What the button of the sheet of filters says on a phone. */
  readonly done: string
  readonly children: ReactNode
}

export function PerformanceFrame({
  org,
  place,
  search,
  onScope,
  find,
  searchBar,
  further,
  done,
  children,
}: FrameProps) {
  return (
    <>
      <PageHeader title="Performance">
        <ScopeBar org={org} search={search} onChange={onScope} done={done} atEnd {...(further && { further })} />
        {searchBar === undefined ? null : <div className={styles.search}>{searchBar}</div>}
        {/* What was typed on one screen is none of the next one's. */}
        {find === undefined ? null : <SearchField key={place} {...find} />}
      </PageHeader>
      <Places org={org} place={place} search={search} />
      <PageBody>{children}</PageBody>
    </>
  )
}

function Places({ org, place, search }: Pick<FrameProps, 'org' | 'place' | 'search'>) {
  const shared = { params: { org }, search: compactScope(search, DEFAULT_PERIOD) } as const
  return (
    <LinkTabs aria-label="Parts of performance" current={place}>
      <LinkTab {...shared} isCurrent={place === 'transactions'} to="/organizations/$org/performance">
        Transactions
      </LinkTab>
      <LinkTab {...shared} isCurrent={place === 'vitals'} to="/organizations/$org/performance/vitals">
        Web vitals
      </LinkTab>
      {CALLS.map(([kind, label]) => (
        <LinkTab
          key={kind}
          {...shared}
          isCurrent={place === kind}
          to="/organizations/$org/performance/$kind"
          params={{ org, kind }}
        >
          {label}
        </LinkTab>
      ))}
      <LinkTab {...shared} isCurrent={place === 'profiles'} to="/organizations/$org/profiles">
        Profiles
      </LinkTab>
      <LinkTab
        isCurrent={false}
        isApart
        to="/organizations/$org/issues"
        params={{ org }}
        search={compactUrl({ ...scopeOf(search), query: FINDINGS, sort: 'date' })}
      >
        Findings
      </LinkTab>
    </LinkTabs>
  )
}

/** Without what else a screen's address says. */
function scopeOf({ statsPeriod, start, end, utc, project, environment }: ScopeSearch): ScopeSearch {
  return { statsPeriod, start, end, utc, project, environment }
}

const SEARCH_AFTER_MS = 250

/** Searches while one types, once one pauses. */
function SearchField({ value, label, placeholder, onSearch }: NonNullable<FrameProps['find']>) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const isLeaving = useIsLeaving()
  useShortcut('/', () => field.current?.focus(), { label, group: 'Performance' })
  // Somebody went back, or cleared the filters: the field follows the address.
  if (known !== value) {
    setKnown(value)
    setText(value)
  }
  useEffect(() => {
    if (text.trim() === value) return undefined
    const timer = setTimeout(() => {
      if (!isLeaving()) onSearch(text.trim())
    }, SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  })
  return (
    <div className={styles.search} role="search">
      <Input
        ref={field}
        icon={SearchIcon}
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onValueChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onSearch(text.trim())
        }}
      />
    </div>
  )
}
