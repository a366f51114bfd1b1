import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useAccess } from '../../../lib/shared-queries.ts'
import { useFeatures } from '../../../shell/feature.ts'
import { ButtonLink, Notice, type TabOption, Tabs } from '../../../ui/index.ts'
import { projectQuery } from '../../projects/index.ts'
import { OWN_TABS } from '../model/tab-search.ts'
import { ProjectFilters } from './ProjectFilters.tsx'
import { ProjectGeneral } from './ProjectGeneral.tsx'
import { ProjectKeys } from './ProjectKeys.tsx'
import { ProjectScrubbing } from './ProjectScrubbing.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import styles from './settings.module.css'

/** One project's settings, part by part; the part is in the address. */
export function ProjectSettings() {
  const { org, project: slug } = useParams({ from: '/signed-in/organizations/$org/settings/projects/$project' })
  const asked = useSearch({ from: '/signed-in/organizations/$org/settings/projects/$project' }).tab
  const added = useFeatures().flatMap(({ projectSettings = [] }) => projectSettings)
  const tabs: readonly TabOption<string>[] = [...OWN_TABS, ...added]
  const tab = tabs.find(({ value }) => value === asked)?.value ?? 'general'
  const navigate = useNavigate()
  const project = useQuery(projectQuery(org, slug))
  const mayWrite = useAccess(org)('project:write')
  return (
    <SettingsPage
      title={project.data?.name ?? slug}
      what="The project"
      shape="tabs"
      query={project}
      actions={
        <ButtonLink to="/organizations/$org/projects/$project/getting-started" params={{ org, project: slug }}>
          Set up an SDK
        </ButtonLink>
      }
    >
      {(data) => (
        <Tabs
          flush
          aria-label="Parts of the project's settings"
          value={tab}
          tabs={tabs}
          onValueChange={(next) =>
            void navigate({
              to: '/organizations/$org/settings/projects/$project',
              params: { org, project: slug },
              search: next === 'general' ? {} : { tab: next },
              replace: true,
            })
          }
        >
          <div className={styles.stack}>
            {mayWrite ? null : <Notice>You can view these settings; only admins can change them.</Notice>}
            {tab === 'general' ? <ProjectGeneral key={data.slug} org={org} project={data} mayWrite={mayWrite} /> : null}
            {tab === 'keys' ? <ProjectKeys org={org} project={data} mayWrite={mayWrite} /> : null}
            {tab === 'filters' ? <ProjectFilters org={org} project={data} mayWrite={mayWrite} /> : null}
            {tab === 'scrubbing' ? <ProjectScrubbing org={org} project={data} mayWrite={mayWrite} /> : null}
            {added.map(({ value, screen: { component: Content } }) =>
              value === tab ? <Content key={value} org={org} project={data} mayWrite={mayWrite} /> : null,
            )}
          </div>
        </Tabs>
      )}
    </SettingsPage>
  )
}
