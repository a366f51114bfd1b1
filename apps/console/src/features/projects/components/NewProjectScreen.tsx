import { createProject } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'
import { teamsQuery } from '../../../lib/organization-queries.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import {
  Button,
  EmptyState,
  Field,
  Input,
  Notice,
  PageBody,
  PageHeader,
  Panel,
  Select,
  ShieldIcon,
} from '../../../ui/index.ts'
import { projectQuery } from '../queries.ts'
import { platformOf } from '../model/platforms.ts'
import { PlatformPicker } from './PlatformPicker.tsx'
import styles from './NewProjectScreen.module.css'

const NO_TEAM = 'none'

/** A platform and a name; what follows are its instructions. */
export function NewProjectScreen() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/projects/new' })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const may = useAccess(org)
  const { data: teams = [] } = useQuery(teamsQuery(org))
  usePageTitle('New project')
  const form = useForm({
    initial: { platform: 'javascript', name: '', team: NO_TEAM },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Name the application that will report.' } : {}),
    submit: async ({ team, ...body }) => {
      const project = await api.call(createProject, {
        params: { org },
        body: { ...body, ...(team !== NO_TEAM && { team }) },
      })
      queryClient.setQueryData(projectQuery(org, project.slug).queryKey, project)
      void queryClient.invalidateQueries({ queryKey: organizationKeys.projects(org) })
      await navigate({
        to: '/organizations/$org/projects/$project/getting-started',
        params: { org, project: project.slug },
      })
    },
  })
  if (!may('project:write')) {
    return (
      <>
        <PageHeader title="New project" />
        <EmptyState icon={ShieldIcon} title="You cannot create projects here">
          Only members can. Ask an owner or admin of the organisation.
        </EmptyState>
      </>
    )
  }
  return (
    <>
      <PageHeader title="New project" />
      <PageBody className={styles.body}>
        <form noValidate onSubmit={form.onSubmit} className={styles.form}>
          <Panel title="What are you watching?">
            <PlatformPicker value={form.values.platform} onValueChange={(value) => form.set('platform', value)} />
          </Panel>
          <Panel
            title="Name it"
            footer={
              <Button type="submit" variant="primary" busy={form.busy}>
                Create project
              </Button>
            }
          >
            <div className={styles.pair}>
              <Field label="Name" help="What people call it, like shop-web or billing." error={form.errors.name}>
                <Input
                  value={form.values.name}
                  placeholder={`my-${platformOf(form.values.platform).id.split('-').at(-1) ?? 'app'}-app`}
                  onValueChange={(value) => form.set('name', value)}
                />
              </Field>
              {teams.length === 0 ? null : (
                <Field label="Team" optional>
                  <Select
                    value={form.values.team}
                    onValueChange={(value) => form.set('team', value)}
                    options={[
                      { value: NO_TEAM, label: 'No team' },
                      ...teams.map((team) => ({ value: team.slug, label: team.name })),
                    ]}
                  />
                </Field>
              )}
            </div>
            {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
          </Panel>
        </form>
      </PageBody>
    </>
  )
}
