import { deleteProject, slug as slugSchema, type Project } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, describeError } from '../../../lib/api.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import { AlertDialog, Button, Field, Notice, Panel, Select, toast } from '../../../ui/index.ts'
import { PLATFORMS, platformOf } from '../../projects/index.ts'
import { checkLines, fromLines, toLines } from '../model/lines.ts'
import { LinesField, SettingsForm, TextField } from './SettingsForm.tsx'
import { useSaveProject } from './use-save-project.ts'
import styles from './settings.module.css'

/** Name, platform, allowed domains; and the end of the project. */
export function ProjectGeneral({
  org,
  project,
  mayWrite,
}: {
  readonly org: string
  readonly project: Project
  readonly mayWrite: boolean
}) {
  const save = useSaveProject(org, project.slug)
  const navigate = useNavigate()
  const mayDelete = useAccess(org)('project:admin')
  const form = useForm({
    initial: {
      name: project.name,
      slug: project.slug,
      platform: platformOf(project.platform).id,
      allowedDomains: toLines(project.settings.allowedDomains),
    },
    validate: ({ name, slug, allowedDomains }) => {
      const domains = checkLines(allowedDomains)
      return {
        ...(name.trim() === '' && { name: 'Name the project.' }),
        ...(!slugSchema.safeParse(slug).success && {
          slug: 'Use lower-case letters, digits and hyphens; not digits alone.',
        }),
        ...(domains !== undefined && { allowedDomains: domains }),
      }
    },
    submit: async ({ name, slug, platform, allowedDomains }) => {
      const changed = await save({ name, slug, platform, settings: { allowedDomains: fromLines(allowedDomains) } })
      if (changed.slug !== project.slug) {
        await navigate({
          to: '/organizations/$org/settings/projects/$project',
          params: { org, project: changed.slug },
          replace: true,
        })
      }
      toast({ title: 'Project saved', tone: 'ok' })
    },
  })
  const nobody = fromLines(form.values.allowedDomains).length === 0
  return (
    <>
      <SettingsForm form={form} title="General" mayWrite={mayWrite}>
        <TextField form={form} name="name" label="Name" mayWrite={mayWrite} />
        <TextField
          form={form}
          name="slug"
          label="Slug"
          help="In addresses of this console and of the API. Links with the old one stop working."
          mono
          mayWrite={mayWrite}
        />
        <Field label="Platform" help="Decides which instructions are shown.">
          <Select
            value={form.values.platform}
            disabled={!mayWrite}
            onValueChange={(value) => form.set('platform', value)}
            options={PLATFORMS.map((platform) => ({ value: platform.id, label: platform.name }))}
          />
        </Field>
        <LinesField
          form={form}
          name="allowedDomains"
          label="Allowed domains"
          help={
            <>
              Pages that may send from a browser, one per line: <code>example.com</code>, <code>*.example.com</code>,{' '}
              <code>https://example.com:8443</code>. A single <code>*</code> allows every page. Servers and apps are not
              checked.
            </>
          }
          mayWrite={mayWrite}
        />
        {nobody ? <Notice tone="warning">With an empty list, events from every page are refused.</Notice> : null}
      </SettingsForm>
      {mayDelete ? <DeleteProject org={org} project={project} /> : null}
    </>
  )
}

function DeleteProject({ org, project }: { readonly org: string; readonly project: Project }) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = async (): Promise<void> => {
    setBusy(true)
    try {
      await api.call(deleteProject, { params: { org, project: project.slug } })
      setOpen(false)
      await navigate({ to: '/organizations/$org/settings/projects', params: { org } })
      queryClient.removeQueries({ queryKey: organizationKeys.project(org, project.slug) })
      await queryClient.invalidateQueries({ queryKey: organizationKeys.all(org) })
      toast({ title: `Project ${project.name} deleted` })
    } catch (error) {
      toast({ title: 'The project could not be deleted', description: describeError(error).detail, tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Panel title="Delete this project">
      <div className={styles.danger}>
        <p className={styles.muted}>Its issues, events, keys and settings are gone for good; its DSN stops working.</p>
        <Button variant="danger" onClick={() => setOpen(true)}>
          Delete project…
        </Button>
      </div>
      <AlertDialog
        open={open}
        onOpenChange={setOpen}
        title={`Delete project ${project.name}?`}
        description="Everything that it received is deleted, and whatever still reports to it is refused. This cannot be undone."
        typedConfirmation={project.slug}
        confirmLabel="Delete project"
        busy={busy}
        onConfirm={() => void remove()}
      />
    </Panel>
  )
}
