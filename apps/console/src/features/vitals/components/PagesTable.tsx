import { linkOptions } from '@tanstack/react-router'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import { Num } from '../../../ui/index.ts'
import { type Measure, MeasuredTable, Unit, usePageKeys } from '../../performance/frame/index.ts'
import type { PageRow } from '../model/answers.ts'
import { SMALLEST_FIRST } from '../model/shown.ts'
import { FACTS, PAGE_SCORE_TEXT } from '../model/vitals.ts'
import { compactPage, type PageSearch, type SortName, VITALS, type VitalsSearch } from '../model/vitals-url.ts'
import { RatedValue, ThinBadge } from './Rated.tsx'
import styles from './PagesTable.module.css'

interface Props {
  readonly org: string
  readonly search: VitalsSearch
  readonly pages: readonly PageRow[]
  readonly isOutdated: boolean
  readonly onChange: (change: Partial<VitalsSearch>) => void
}

const MEASURES: readonly Measure<PageRow, SortName>[] = [
  {
    key: 'score',
    label: 'Score',
    title: PAGE_SCORE_TEXT,
    sorts: true,
    cell: ({ score }) => (
      <>
        <Unit>score </Unit>
        <strong className={styles.score}>{score === null ? '–' : Math.round(score * 100)}</strong>
      </>
    ),
  },
  ...VITALS.map((vital): Measure<PageRow, SortName> => ({
    key: vital,
    label: FACTS[vital].label,
    title: FACTS[vital].explained,
    sorts: true,
    isNone: ({ vitals }) => vitals[vital].p75 === null,
    cell: ({ vitals }) => (
      <>
        <Unit>{FACTS[vital].label} </Unit>
        <RatedValue vital={vital} value={vitals[vital].p75} samples={vitals[vital].samples} />
      </>
    ),
  })),
  {
    key: 'samples',
    label: 'Samples',
    isQuiet: true,
    cell: ({ samples }) => (
      <>
        <Num value={samples} compact />
        <Unit>{samples === 1 ? ' sample' : ' samples'}</Unit>
      </>
    ),
  },
]

/** A row for each page. */
export function PagesTable({ org, search, pages, isOutdated, onChange }: Props) {
  const pageOf = (page: PageRow) =>
    linkOptions({
      to: '/organizations/$org/performance/vitals/page',
      params: { org },
      search: compactPage(searchOf(page, search)),
    })
  const projects = useProjectNames(org)
  const keys = usePageKeys({ group: 'Web vitals', thing: 'page', rows: pages, pageOf })
  return (
    <MeasuredTable<PageRow, SortName>
      caption="Pages"
      rows={pages}
      keyOf={({ projectId, page }) => `${projectId} ${page}`}
      keys={keys}
      pageOf={pageOf}
      name={{
        key: 'page',
        label: 'Page',
        of: ({ page, projectId, project, samples }) => ({
          text: page || '(no name)',
          place: projects.get(projectId) ?? project,
          mark: <ThinBadge samples={samples} />,
        }),
      }}
      measures={MEASURES}
      sort={search.sort}
      onSort={(sort) => onChange({ sort })}
      smallestFirst={SMALLEST_FIRST}
      isOutdated={isOutdated}
    />
  )
}

function searchOf({ projectId, page }: PageRow, search: VitalsSearch): PageSearch {
  const { query: _, sort: __, ...scope } = search
  return { ...scope, project: projectId === '' ? scope.project : [projectId], page, vital: 'lcp', by: 'browser' }
}
