import type { ReactNode } from 'react'
import { CodeBlock, EmptyState, GaugeIcon, NoMatch } from '../../../ui/index.ts'
import { WiderPeriod } from '../../issues/index.ts'
import { SearchTips } from '../../search/index.ts'
import { SetUpProject } from '../../projects/set-up/index.ts'
import { scopeQuery, type ScopeSearch } from '../../issues/model/index.ts'
import styles from './EmptyList.module.css'

interface EmptyListProps {
  readonly org: string
  readonly search: ScopeSearch & { readonly query: string }
  readonly onChange: (change: Partial<ScopeSearch & { readonly query: string }>) => void
  /** "No page matches", and when one does. */
  readonly noMatch: { readonly title: string; readonly text: string }
  /** "No web vitals in this time". */
  readonly title: string
  /** How an SDK is told to send them. */
  readonly children: ReactNode
}

/** An empty list says why: the search is too narrow, or nothing of the kind was sent. */
export function EmptyList({ org, search, onChange, noMatch, title, children }: EmptyListProps) {
  const wider = <WiderPeriod search={search} onChange={onChange} />
  if (search.query !== '' || search.environment.length > 0) {
    return (
      <NoMatch title={noMatch.title} onClear={() => onChange({ query: '', environment: [] })} action={wider}>
        <p>{noMatch.text}</p>
        <SearchTips org={org} scope={{ ...scopeQuery(search), dataset: 'spans' }} query={search.query} />
      </NoMatch>
    )
  }
  return (
    <EmptyState
      icon={GaugeIcon}
      title={title}
      action={
        <>
          {wider}
          <SetUpProject org={org} shown={search.project} />
        </>
      }
    >
      {children}
    </EmptyState>
  )
}

/** What one writes so that an SDK sends something. */
export function HowCode({ title, code }: { readonly title: string; readonly code: string }) {
  return (
    <div className={styles.code}>
      <CodeBlock wrap title={title} code={code} />
    </div>
  )
}
