import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { cx } from '../../../lib/cx.ts'
import { useInSight } from '../../../lib/use-in-sight.ts'
import { Input, Link, PageBody, PageHeader, SearchIcon, useIsLeaving, useShortcut } from '../../../ui/index.ts'
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
  const row = useRef<HTMLElement>(null)
  useInSight(row, place)
  const scope = compactScope(search, DEFAULT_PERIOD)
  const shared = { look: 'plain', className: styles.tab, search: scope } as const
  const currentIf = (own: PerformancePlace) => (own === place ? 'page' : undefined)
  return (
    <nav ref={row} className={styles.tabs} aria-label="Parts of performance">
      <Link
        {...shared}
        to="/organizations/$org/performance"
        params={{ org }}
        aria-current={currentIf('transactions')}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        Transactions
      </Link>
      <Link {...shared} to="/organizations/$org/performance/vitals" params={{ org }} aria-current={currentIf('vitals')}>
        Web vitals
      </Link>
      {CALLS.map(([kind, label]) => (
        <Link
          key={kind}
          {...shared}
          to="/organizations/$org/performance/$kind"
          params={{ org, kind }}
          aria-current={currentIf(kind)}
        >
          {label}
        </Link>
      ))}
      <Link {...shared} to="/organizations/$org/profiles" params={{ org }} aria-current={currentIf('profiles')}>
        Profiles
      </Link>
      <Link
        look="plain"
        className={cx(styles.tab, styles.findings)}
        to="/organizations/$org/issues"
        params={{ org }}
        search={compactUrl({ ...scopeOf(search), query: FINDINGS, sort: 'date' })}
      >
        Findings
      </Link>
    </nav>
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
