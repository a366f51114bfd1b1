import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type LinkOptions, linkOptions, useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { cx } from '../../../lib/cx.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { projectsQuery } from '../../../lib/shared-queries.ts'
import { directionOf, sortedBy } from '../../../lib/sort.ts'
import {
  EmptyState,
  Link,
  Loaded,
  Num,
  OkIcon,
  PageBody,
  PageHeader,
  Panel,
  ShowMore,
  SkeletonRows,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  Tr,
  useRowKeys,
  VisibleText,
} from '../../../ui/index.ts'
import { ScopeBar, WiderPeriod } from '../../issues/index.ts'
import { type ClicksColumn, clicksOf, type ClicksSearch, compactClicks } from '../model/list-search.ts'
import { elementPage } from './element-page.ts'
import { ElementTitle } from './ElementTitle.tsx'
import { type ClickedElement, clickedElementsQuery } from './queries.ts'
import { ReplayTabs } from './ReplayTabs.tsx'
import styles from './ClicksScreen.module.css'

const FROM = '/signed-in/organizations/$org/replays/clicks'
const STACKS_BELOW = 560

type Change = (change: Partial<ClicksSearch>) => void

interface PartProps {
  readonly org: string
  readonly search: ClicksSearch
  readonly onChange: Change
}

/** Elements that visitors clicked and that did not answer; each leads to its replays. */
export function ClicksScreen() {
  const { org } = useParams({ from: FROM })
  const search = clicksOf(useSearch({ from: FROM }))
  const navigate = useNavigate()
  usePageTitle('Clicked in vain')
  const change: Change = (part) => {
    void navigate({
      to: '/organizations/$org/replays/clicks',
      params: { org },
      search: compactClicks({ ...search, ...part }),
      replace: true,
    })
  }
  const { sort: _, ...scope } = search
  return (
    <>
      <PageHeader title="Replays">
        <ScopeBar org={org} search={search} onChange={change} done="Show elements" atEnd />
      </PageHeader>
      <ReplayTabs org={org} search={scope} />
      <PageBody>
        <Elements org={org} search={search} onChange={change} />
      </PageBody>
    </>
  )
}

function Elements({ org, search, onChange }: PartProps) {
  const query = useInfiniteQuery(clickedElementsQuery(org, search, search.sort))
  return (
    <Loaded
      query={query}
      failed="The elements could not be loaded"
      outline={<SkeletonRows rows={12} label="Loading the elements" />}
    >
      {({ pages }) => {
        const elements = pages.flatMap((page) => page.data.data)
        if (elements.length === 0) {
          return (
            <EmptyState
              icon={OkIcon}
              title="Nothing was clicked in vain"
              action={<WiderPeriod search={search} onChange={onChange} />}
            >
              No replay of this time has a click to which the page did not answer within seven seconds.
            </EmptyState>
          )
        }
        return (
          <Panel content="rows">
            <p className={styles.legend}>
              <strong>Dead click</strong>: nothing on the page changed within seven seconds. With five clicks or more it
              is a <strong>rage click</strong>, too.
            </p>
            <ElementTable
              org={org}
              search={search}
              onChange={onChange}
              elements={elements}
              isOutdated={query.isPlaceholderData}
            />
            <ShowMore query={query} />
          </Panel>
        )
      }}
    </Loaded>
  )
}

const columnOf = ({ sort }: ClicksSearch): ClicksColumn =>
  sort.endsWith('count_rage_clicks') ? 'count_rage_clicks' : 'count_dead_clicks'

function ElementTable({
  org,
  search,
  onChange,
  elements,
  isOutdated,
}: PartProps & { readonly elements: readonly ClickedElement[]; readonly isOutdated: boolean }) {
  const navigate = useNavigate()
  const { data: projects = [] } = useQuery(projectsQuery(org))
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const column = columnOf(search)
  const pageOf = (element: ClickedElement, by: ClicksColumn) =>
    linkOptions({
      to: '/organizations/$org/replays',
      params: { org },
      search: elementPage(search, element, element[by] > 0 ? by : 'count_dead_clicks'),
    })
  const { body, rowProps } = useRowKeys({
    group: 'Clicked in vain',
    thing: 'element',
    count: elements.length,
    open: (index) => {
      const element = elements[index]
      if (element !== undefined) void navigate(pageOf(element, column))
    },
  })
  const most = Math.max(1, ...elements.map((element) => element[column]))
  const sorts = (by: ClicksColumn) => ({
    direction: directionOf(search.sort, by),
    onSort: () => onChange({ sort: sortedBy(search.sort, by) }),
  })
  return (
    <Table caption="Clicked elements" stacksBelow={STACKS_BELOW} className={cx(isOutdated && styles.outdated)}>
      <Thead>
        <Th>Element</Th>
        <Th>Project</Th>
        <Th numeric sort={sorts('count_rage_clicks')}>
          Rage clicks
        </Th>
        <Th numeric sort={sorts('count_dead_clicks')}>
          Dead clicks
        </Th>
      </Thead>
      <Tbody ref={body}>
        {elements.map((element, index) => (
          <Tr key={`${element.project_id} ${element.dom_element}`} className={styles.row} {...rowProps(index)}>
            <Td className={styles.name}>
              <Link look="plain" className={styles.link} {...pageOf(element, column)}>
                <ElementTitle className={styles.selector} element={element} />
                <span className={styles.track}>
                  <span className={styles.bar} style={{ width: `${(element[column] / most) * 100}%` }} />
                </span>
              </Link>
            </Td>
            <Td quiet className={styles.project} title={names.get(String(element.project_id))}>
              <VisibleText text={names.get(String(element.project_id)) ?? String(element.project_id)} />
            </Td>
            <CountCell count={element.count_rage_clicks} of="rage" page={pageOf(element, 'count_rage_clicks')} />
            <CountCell count={element.count_dead_clicks} of="dead" page={pageOf(element, 'count_dead_clicks')} />
          </Tr>
        ))}
      </Tbody>
    </Table>
  )
}

function CountCell({
  count,
  of,
  page,
}: {
  readonly count: number
  readonly of: 'rage' | 'dead'
  readonly page: LinkOptions
}) {
  return (
    <Td numeric className={styles.count}>
      {count === 0 ? (
        <span className={styles.none}>–</span>
      ) : (
        <Link {...page} title={`Replays with these ${of} clicks`}>
          <Num value={count} />
          <span className={styles.unit}>
            {' '}
            {of} {count === 1 ? 'click' : 'clicks'}
          </span>
        </Link>
      )}
    </Td>
  )
}
