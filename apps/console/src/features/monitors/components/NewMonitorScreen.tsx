import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'

import { usePageTitle } from '../../../lib/page-title.ts'
import { projectsQuery } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import { Loaded, PageBody, PageHeader, SkeletonRows } from '../../../ui/index.ts'
import { bodyOf, newValues, validate } from '../model/draft.ts'
import { addMonitor } from '../queries.ts'
import { monitorsKey } from '../query-keys.ts'
import { MonitorForm } from './MonitorForm.tsx'

/** A new monitor; it waits for its first check-in. */
export function NewMonitorScreen() {
  usePageTitle('New monitor')
  const { org } = useParams({ from: '/signed-in/organizations/$org/monitors/new' })
  const projects = useQuery(projectsQuery(org))
  return (
    <>
      <PageHeader title="New monitor" width="narrow" />
      <PageBody width="narrow">
        <Loaded
          query={projects}
          outline={<SkeletonRows rows={6} label="Loading the projects" />}
          failed="The projects could not be loaded"
        >
          {(all) => <NewMonitor org={org} project={all[0]?.slug ?? ''} />}
        </Loaded>
      </PageBody>
    </>
  )
}

function NewMonitor({ org, project }: { readonly org: string; readonly project: string }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const form = useForm({
    initial: newValues(project),
    validate,
    submit: async (values) => {
      const added = await addMonitor(org, bodyOf(values))
      void client.invalidateQueries({ queryKey: monitorsKey(org) })
      void navigate({ to: '/organizations/$org/monitors/$monitor', params: { org, monitor: added.id } })
    },
  })
  return (
    <MonitorForm
      org={org}
      form={form}
      monitor={null}
      submit="Make the monitor"
      onCancel={() => void navigate({ to: '/organizations/$org/monitors', params: { org } })}
    />
  )
}
