import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { usePageTitle } from '../../../lib/page-title.ts'
import {
  ButtonLink,
  Loaded,
  PageBody,
  PageHeader,
  Panel,
  PlusIcon,
  ShowMore,
  SkeletonRows,
  useShortcut,
} from '../../../ui/index.ts'
import { ProjectsFilter } from '../../projects/index.ts'
import { useAlertChanges } from '../alert-changes.ts'
import { type AlertsSearch, fromAlertsUrl } from '../model/alerts-search.ts'
import { alertsQuery } from '../queries.ts'
import { AlertList } from './AlertList.tsx'
import { AlertsSearchField } from './AlertsSearchField.tsx'
import { NoAlerts } from './NoAlerts.tsx'
import { TemplateList } from './TemplateList.tsx'
import styles from './AlertsScreen.module.css'

const FROM = '/signed-in/organizations/$org/alerts'

/** With more alerts than these, people know what there is to have. */
const FEW = 3

/** All rules: what each watches as a sentence, how it stands, when it fired last, what it costs. */
export function AlertsScreen() {
  const { org } = useParams({ from: FROM })
  const search = fromAlertsUrl(useSearch({ from: FROM }))
  const navigate = useNavigate()
  const changes = useAlertChanges(org)
  usePageTitle('Alerts')
  const query = useInfiniteQuery(alertsQuery(org, search))
  const change = (part: Partial<AlertsSearch>): void => {
    const next = { ...search, ...part }
    void navigate({
      to: '/organizations/$org/alerts',
      params: { org },
      search: {
        ...(next.query !== '' && { query: next.query }),
        ...(next.project.length > 0 && { project: next.project }),
      },
      replace: true,
    })
  }
  const toNew = () => void navigate({ to: '/organizations/$org/alerts/new', params: { org } })
  useShortcut('n', toNew, { label: 'New alert', group: 'Alerts', enabled: changes.mayWrite })
  const isNarrowed = search.query !== '' || search.project.length > 0
  return (
    <>
      <PageHeader
        title="Alerts"
        actions={
          changes.mayWrite ? (
            <ButtonLink variant="primary" icon={PlusIcon} kbd="n" to="/organizations/$org/alerts/new" params={{ org }}>
              New alert
            </ButtonLink>
          ) : undefined
        }
      >
        <ProjectsFilter org={org} values={search.project} onChange={(project) => change({ project })} />
        <AlertsSearchField value={search.query} onSearch={(text) => change({ query: text })} />
      </PageHeader>
      <PageBody>
        <Loaded
          query={query}
          outline={
            <Panel content="rows">
              <SkeletonRows rows={6} />
            </Panel>
          }
          failed="The alerts could not be loaded"
        >
          {({ pages }) => {
            const rules = pages.flatMap((page) => page.data)
            if (rules.length === 0)
              return (
                <NoAlerts
                  org={org}
                  isNarrowed={isNarrowed}
                  mayWrite={changes.mayWrite}
                  onClear={() => change({ query: '', project: [] })}
                />
              )
            return (
              <div className={query.isPlaceholderData ? styles.outdated : undefined}>
                <AlertList org={org} rules={rules} changes={changes} />
                <ShowMore query={query} />
                {changes.mayWrite && !isNarrowed && rules.length <= FEW ? (
                  <section className={styles.templates}>
                    <h2 className={styles.heading}>Others to begin with</h2>
                    <TemplateList org={org} />
                  </section>
                ) : null}
              </div>
            )
          }}
        </Loaded>
      </PageBody>
    </>
  )
}
