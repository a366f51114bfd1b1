import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'

import { usePageTitle } from '../../../lib/page-title.ts'
import { projectsQuery } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import { Loaded, PageBody, PageHeader, SkeletonRows } from '../../../ui/index.ts'
import { monitorsKey } from '../query-keys.ts'
import { newUptimeValues, uptimeBodyOf, validateUptime } from './draft.ts'
import { addCheck } from './queries.ts'
import { UptimeForm } from './UptimeForm.tsx'

/** Another address that this server asks. */
export function NewUptimeScreen() {
  usePageTitle('New uptime check')
  const { org } = useParams({ from: '/signed-in/organizations/$org/monitors/uptime/new' })
  const projects = useQuery(projectsQuery(org))
  return (
    <>
      <PageHeader title="New uptime check" width="narrow" />
      <PageBody width="narrow">
        <Loaded
          query={projects}
          outline={<SkeletonRows rows={6} label="Loading the projects" />}
          failed="The projects could not be loaded"
        >
          {(all) => <NewCheck org={org} project={all[0]?.slug ?? ''} />}
        </Loaded>
      </PageBody>
    </>
  )
}

function NewCheck({ org, project }: { readonly org: string; readonly project: string }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const form = useForm({
    initial: newUptimeValues(project),
    validate: validateUptime,
    submit: async (values) => {
      const added = await addCheck(org, uptimeBodyOf(values))
      void client.invalidateQueries({ queryKey: monitorsKey(org) })
      void navigate({ to: '/organizations/$org/monitors/uptime/$check', params: { org, check: added.id } })
    },
  })
  return (
    <UptimeForm
      org={org}
      form={form}
      check={null}
      submit="Add this check"
      onCancel={() => void navigate({ to: '/organizations/$org/monitors', params: { org } })}
    />
  )
}
