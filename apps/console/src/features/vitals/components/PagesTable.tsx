import { useNavigate } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { cx } from '../../../lib/cx.ts'
import { Link, Num, Table, Tbody, Td, Th, Thead, Tr, useRowKeys, VisibleText } from '../../../ui/index.ts'
import type { PageRow } from '../model/answers.ts'
import { directionOf, sortedBy } from '../model/shown.ts'
import { FACTS } from '../model/vitals.ts'
import { compactPage, type PageSearch, type SortName, VITALS, type VitalsSearch } from '../model/vitals-url.ts'
import { RatedValue, ThinBadge } from './Rated.tsx'
import styles from './PagesTable.module.css'

const STACKS_BELOW = 760

interface Props {
  readonly org: string
  readonly search: VitalsSearch
  readonly pages: readonly PageRow[]
  readonly isOutdated: boolean
  readonly onChange: (change: Partial<VitalsSearch>) => void
}

/** A row for each page. */
export function PagesTable({ org, search, pages, isOutdated, onChange }: Props) {
  const navigate = useNavigate()
  const { body, rowProps } = useRowKeys({
    group: 'Web vitals',
    thing: 'page',
    count: pages.length,
    open: (index) => {
      const page = pages[index]
      if (page === undefined) return
      void navigate({
        to: '/organizations/$org/performance/vitals/page',
        params: { org },
        search: compactPage(searchOf(page, search)),
      })
    },
  })
  const head = (column: SortName, label: ReactNode, title?: string) => (
    <Th
      numeric={column !== 'page'}
      title={title}
      sort={{
        direction: directionOf(search.sort, column),
        onSort: () => onChange({ sort: sortedBy(search.sort, column) }),
      }}
    >
      {label}
    </Th>
  )
  return (
    <Table
      caption="Pages"
      stacksBelow={STACKS_BELOW}
      minWidth={STACKS_BELOW}
      className={cx(styles.box, isOutdated && styles.outdated)}
    >
      <Thead>
        {head('page', 'Page')}
        {head('score', 'Score', 'Of 100: all vitals of the page by their weights')}
        {VITALS.map((vital) => (
          <Fragment key={vital}>{head(vital, FACTS[vital].label, FACTS[vital].explained)}</Fragment>
        ))}
        <Th numeric>Samples</Th>
      </Thead>
      <Tbody ref={body}>
        {pages.map((page, index) => (
          <Row key={`${page.projectId} ${page.page}`} org={org} search={search} page={page} {...rowProps(index)} />
        ))}
      </Tbody>
    </Table>
  )
}

function searchOf({ projectId, page }: PageRow, search: VitalsSearch): PageSearch {
  const { query: _, sort: __, ...scope } = search
  return { ...scope, project: projectId === '' ? scope.project : [projectId], page, vital: 'lcp', by: 'browser' }
}

function Row({
  org,
  search,
  page,
  selected,
  onPointerDown,
}: {
  readonly org: string
  readonly search: VitalsSearch
  readonly page: PageRow
  readonly selected: boolean
  readonly onPointerDown: () => void
}) {
  return (
    <Tr className={styles.row} selected={selected} onPointerDown={onPointerDown}>
      <Td className={styles.name}>
        <Link
          look="plain"
          className={styles.link}
          to="/organizations/$org/performance/vitals/page"
          params={{ org }}
          search={compactPage(searchOf(page, search))}
        >
          <span className={styles.page}>
            <VisibleText text={page.page || '(no name)'} />
          </span>
          <ThinBadge samples={page.samples} />
          <span className={styles.project}>
            <VisibleText text={page.project} />
          </span>
        </Link>
      </Td>
      <Td numeric className={styles.score}>
        <span className={styles.unit}>score </span>
        <strong>{page.score === null ? '–' : Math.round(page.score * 100)}</strong>
      </Td>
      {VITALS.map((vital) => {
        const { p75, samples } = page.vitals[vital]
        return (
          <Td key={vital} numeric className={styles.vital} data-none={p75 === null ? '' : undefined}>
            <span className={styles.unit}>{FACTS[vital].label} </span>
            <RatedValue vital={vital} value={p75} samples={samples} />
          </Td>
        )
      })}
      <Td numeric quiet className={styles.samples}>
        <Num value={page.samples} compact />
        <span className={styles.unit}>{page.samples === 1 ? ' sample' : ' samples'}</span>
      </Td>
    </Tr>
  )
}
