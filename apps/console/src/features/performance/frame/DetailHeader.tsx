import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Link, PageHeader, VisibleText } from '../../../ui/index.ts'
import { ScopeBar } from '../../issues/index.ts'
import type { ScopeSearch } from '../../issues/model/index.ts'
import styles from './DetailHeader.module.css'

interface DetailHeaderProps {
  readonly org: string
  /** The list it is one of: "Web vitals". */
  readonly list: { readonly label: string; readonly page: LinkOptions }
  readonly title: string
  readonly search: ScopeSearch
  readonly onScope: (scope: Partial<ScopeSearch>) => void
  /** What the button of the sheet of filters says on a phone. */
  readonly done: string
  readonly actions?: ReactNode
  /** Before the filters. */
  readonly children?: ReactNode
}

/** The head of a page about one of a list. */
export function DetailHeader({ org, list, title, search, onScope, done, actions, children }: DetailHeaderProps) {
  return (
    <PageHeader
      title={
        <>
          <Link look="quiet" className={styles.crumb} {...list.page}>
            {list.label}
          </Link>{' '}
          <span className={styles.crumb}>/</span> <VisibleText text={title} />
        </>
      }
      actions={actions}
    >
      {children}
      <ScopeBar org={org} search={search} onChange={onScope} done={done} />
    </PageHeader>
  )
}
